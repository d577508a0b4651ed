/** The idempotency keys of a store, and the responses that are stored under them. */
import type { AnswerToKeep, PaymentStore } from "@paymux/core/store"
import { Effect } from "effect"
import { keyColumns } from "../rows/columns.ts"
import type { Fragments, StatementRunner, StatementText } from "../dialect/Fragments.ts"
import { firstOf, numeralOrNull, textOrNull } from "../rows/ReadRow.ts"
import { readKey } from "../rows/rows.ts"
import { storedAnswer } from "./answerReference.ts"

export const keys = ({ read, write }: StatementRunner): Pick<PaymentStore["Service"], "findKey" | "keepAnswer"> => {
  // The event is read by another statement, so that only a key with a reference waits for a lock of the table of events.
  const find = (name: KeyName) =>
    Effect.flatMap(read(selectKey(name)), (rows) =>
      rows.some((row) => row["answer_event"] !== null) ? read(selectKeyAndEvent(name)) : Effect.succeed(rows)
    )
  return {
    findKey: (tenant, endpoint, key) => Effect.map(find({ ...tenant, endpoint, key }), firstOf(readKey)),
    keepAnswer: Effect.fnUntraced(function* (answer) {
      while (true) {
        const [written] = yield* write(keepAnswer(answer))
        if (written === undefined) return yield* noKey(answer)
        const kept = textOrNull(written, "answer")
        if (kept !== null) return kept
        const [row] = yield* find(answer)
        if (row === undefined) return yield* noKey(answer)
        const seen = textOrNull(row, "answer")
        if (seen !== null) return seen
        // An operator has deleted the event, or the reference was removed meanwhile.
        const event = numeralOrNull(row, "answer_event")
        if (event !== null) yield* write(removeReference(answer, event))
      }
    })
  }
}

type KeyName = Omit<AnswerToKeep, "body">

const noKey = ({ endpoint }: KeyName) =>
  Effect.die(new Error(`No idempotency key is bound that could keep an answer at ${endpoint}`))

/**
 * Reads and locks the idempotency key. The lock waits for the synchronous standby, so that a response is repeated only
 * after the standby has it.
 */
const selectKey =
  (key: KeyName, answer = "answer"): StatementText =>
  (statement) =>
    `SELECT ${keyColumns.names}, ${answer}, answer_event FROM idempotency_keys
      WHERE ${isKey(statement, key)} ${statement.sql.lock("FOR KEY SHARE")}`

const selectKeyAndEvent = (key: KeyName) => selectKey(key, `${storedAnswer()} AS answer`)

/** Stores the response under the idempotency key, unless one is already stored. Returns the stored text or reference. */
const keepAnswer =
  (answer: AnswerToKeep): StatementText =>
  (statement) =>
    `UPDATE idempotency_keys
    SET answer = CASE WHEN answer_event IS NULL THEN coalesce(answer, ${statement.bind(answer.body)}) END
    WHERE ${isKey(statement, answer)} RETURNING answer, answer_event`

/** Removes a reference whose event no longer exists. */
const removeReference =
  (key: KeyName, event: number): StatementText =>
  (statement) =>
    `UPDATE idempotency_keys SET answer_event = NULL
    WHERE ${isKey(statement, key)} AND answer_event = ${statement.bind(event)}
      AND NOT EXISTS (SELECT 1 FROM payment_events AS of_answer
        WHERE of_answer.payment_id = idempotency_keys.payment_id AND of_answer.sequence = answer_event)`

const isKey = ({ bind, isOf }: Fragments, key: KeyName): string =>
  `${isOf(key)} AND endpoint = ${bind(key.endpoint)} AND key = ${bind(key.key)}`
