/**
 * Adds the reference of an idempotency key to the event that has the bytes of its first response. A row has the text of
 * the response or the reference, never both.
 *
 * Older servers on PostgreSQL read a key with a reference as one without a response, and then store the current state
 * of the payment as its response. A trigger replaces that text with the bytes of the event, which these servers then
 * return. An older server also erases customers: it rewrites the events, and a second trigger removes the references
 * to them. A later version can drop both triggers. SQLite triggers cannot replace a value that a statement returns, so
 * older code is refused there.
 */
import type { Migration } from "@paymux/core/store"

/** The index of keys with a reference, by payment, for erasure and retention. */
export const answersReferred = "answers_referred"

const column = "ALTER TABLE idempotency_keys ADD COLUMN answer_event"
const index = `${answersReferred} ON idempotency_keys (payment_id, created_at) WHERE answer_event IS NOT NULL`

const referredAnswer = `CREATE FUNCTION answer_of_event() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    SELECT coalesce(min(payment), NEW.answer) INTO NEW.answer FROM payment_events
      WHERE payment_id = OLD.payment_id AND sequence = OLD.answer_event;
    NEW.answer_event := NULL;
    RETURN NEW;
  END $$`

const removeReferences = `CREATE FUNCTION event_rewritten() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    UPDATE idempotency_keys SET answer_event = NULL
      WHERE payment_id = NEW.payment_id AND answer_event IS NOT NULL;
    RETURN NULL;
  END $$`

export const answerEvents: Migration = {
  id: 30,
  name: "responses of keys by event",
  sqlite: [`${column} INTEGER`, `CREATE INDEX ${index}`],
  pg: [
    `${column} bigint`,
    referredAnswer,
    `CREATE TRIGGER answer_of_event BEFORE UPDATE OF answer ON idempotency_keys FOR EACH ROW
      WHEN (OLD.answer_event IS NOT NULL AND NEW.answer IS NOT NULL) EXECUTE FUNCTION answer_of_event()`,
    removeReferences,
    `CREATE TRIGGER event_rewritten AFTER UPDATE OF payment ON payment_events FOR EACH ROW
      WHEN (NEW.payment IS DISTINCT FROM OLD.payment) EXECUTE FUNCTION event_rewritten()`
  ],
  pgIndexesAfter: [{ name: answersReferred, definition: index }],
  compatibleWith: { pg: 29 }
}
