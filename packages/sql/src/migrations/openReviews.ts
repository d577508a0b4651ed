/**
 * A row for each open review, so that they can be listed by age and by amount. The reviews are part of their payment; the
 * database itself keeps the rows equal to them, so that servers of an earlier version keep them too.
 */
import type { Migration } from "@paymux/core/store"

const columns = (integer: string, boolean: string, text: string) => `
  account ${text} NOT NULL,
  livemode ${boolean} NOT NULL,
  payment_id ${text} NOT NULL,
  id ${text} NOT NULL,
  reason ${text} NOT NULL,
  provider ${text} NOT NULL,
  reference ${text},
  operation_id ${text},
  minor_units ${integer} NOT NULL,
  currency ${text} NOT NULL,
  source ${text},
  since ${integer} NOT NULL,
  UNIQUE (payment_id, id)`

// Each index has the filtered columns, so that only the rows of the page are read from the table.
const indexes = [
  "CREATE INDEX open_reviews_by_age ON open_reviews (account, livemode, since, position, reason, provider, currency)",
  "CREATE INDEX open_reviews_by_amount ON open_reviews (account, livemode, currency, minor_units, position, reason, provider)"
]

const names =
  "account, livemode, payment_id, id, reason, provider, reference, operation_id, minor_units, currency, source, since"

const replaced = ["reason", "provider", "reference", "operation_id", "minor_units", "currency", "source", "since"]
  .map((name) => `${name} = excluded.${name}`)
  .join(", ")

/** The required members of a review: an item without one is not listed. */
const required = ["id", "reason", "provider", "minorUnits", "currency", "since"]

/**
 * The SQL that inserts or updates the rows of a payment's open reviews. `row`: the row of the payment. `list`: the list
 * of reviews, ending in a condition. `field`: the expression for a member of a review.
 */
const upsert = (row: string, list: string, field: (name: string) => string, integer: (text: string) => string) => `
  INSERT INTO open_reviews (${names})
  SELECT ${row}.account, ${row}.livemode, ${row}.id, ${field("id")}, ${field("reason")}, ${field("provider")},
    ${field("reference")}, ${field("operationId")}, ${integer(field("minorUnits"))}, ${field("currency")},
    ${field("source")}, ${integer(field("since"))}
  FROM ${list} AND (${required.map(field).join(" || ")}) IS NOT NULL
  ON CONFLICT (payment_id, id) DO UPDATE SET ${replaced}`

const inSqlite = (row: string, from: string) =>
  upsert(
    row,
    from,
    (name) => `json_extract(review.value, '$.${name}')`,
    (text) => text
  )

/**
 * The list as the database can read it. A malformed list must not prevent the write of its payment: a value that is not
 * a list gives no rows.
 */
const listOf = (reviews: string) =>
  `CASE WHEN json_valid(${reviews}) AND json_type(${reviews}) = 'array' THEN ${reviews} ELSE '[]' END`

const sqlite = [
  `CREATE TABLE open_reviews (position INTEGER PRIMARY KEY, ${columns("INTEGER", "INTEGER", "TEXT")}) STRICT`,
  ...indexes,
  inSqlite(
    "payments",
    `payments INDEXED BY payments_in_review, json_each(${listOf("payments.reviews")}) AS review WHERE payments.reviews IS NOT NULL`
  ),
  `CREATE TRIGGER open_reviews_of_new AFTER INSERT ON payments WHEN NEW.reviews IS NOT NULL
    BEGIN ${inSqlite("NEW", `json_each(${listOf("NEW.reviews")}) AS review WHERE true`)}; END`,
  `CREATE TRIGGER open_reviews_of_changed AFTER UPDATE OF reviews ON payments WHEN NEW.reviews IS NOT OLD.reviews
    BEGIN
      DELETE FROM open_reviews WHERE payment_id = NEW.id AND id NOT IN (
        SELECT json_extract(value, '$.id') FROM json_each(${listOf("NEW.reviews")}));
      ${inSqlite("NEW", `json_each(${listOf("NEW.reviews")}) AS review WHERE true`)};
    END`
]

const inPostgres = (row: string, from: string) =>
  upsert(
    row,
    from,
    (name) => `(review.value ->> '${name}')`,
    (text) => `(${text})::bigint`
  )

/**
 * Converts the JSON of reviews so that PostgreSQL can store it. PostgreSQL rejects a NUL or an unpaired surrogate, for
 * example in a provider's reference, so U+FFFD replaces each of them.
 */
const readable = (reviews: string) =>
  `regexp_replace(${reviews}, '\\\\u(0000|d[89a-f][0-9a-f]{2})', '\\\\ufffd', 'g')::json`

const elements = (reviews: string) => `json_array_elements(${readable(reviews)}) AS review (value)`

const pg = [
  `CREATE TABLE open_reviews (position bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, ${columns("bigint", "boolean", 'text COLLATE "C"')})`,
  ...indexes,
  `CREATE FUNCTION keep_open_reviews() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      DELETE FROM open_reviews WHERE payment_id = NEW.id AND id NOT IN (
        SELECT review.value ->> 'id' FROM ${elements("coalesce(NEW.reviews, '[]')")});
      ${inPostgres("NEW", `${elements("coalesce(NEW.reviews, '[]')")} WHERE true`)};
      RETURN NULL;
    EXCEPTION WHEN data_exception THEN
      -- A list must not stand in the way of a payment.
      RAISE WARNING 'The reviews of payment % are not listed: %', NEW.id, sqlerrm;
      RETURN NULL;
    END $$`,
  `CREATE TRIGGER open_reviews_of_new AFTER INSERT ON payments FOR EACH ROW
    WHEN (NEW.reviews IS NOT NULL) EXECUTE FUNCTION keep_open_reviews()`,
  `CREATE TRIGGER open_reviews_of_changed AFTER UPDATE OF reviews ON payments FOR EACH ROW
    WHEN (NEW.reviews IS DISTINCT FROM OLD.reviews) EXECUTE FUNCTION keep_open_reviews()`,
  inPostgres("payments", `payments, ${elements("payments.reviews")} WHERE payments.reviews LIKE '[%'`)
]

export const openReviews: Migration = { id: 12, name: "open reviews", sqlite, pg, compatibleWith: 9 }
