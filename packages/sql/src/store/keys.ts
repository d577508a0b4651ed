/** The idempotency keys of a store, and the responses that are stored under them. */
import type { AnswerToKeep, PaymentStore } from "@paymux/core/store"
import { Effect } from "effect"
import { keyColumns } from "../rows/columns.ts"
import type { Fragments, StatementRunner, StatementText } from "../dialect/Fragments.ts"
import { firstOf, textOrNull } from "../rows/ReadRow.ts"
import type { Row } from "../rows/ReadRow.ts"
import { readKey } from "../rows/rows.ts"
import { storedAnswer } from "./answerReference.ts"

export const keys = ({ read, write }: StatementRunner): Pick<PaymentStore["Service"], "findKey" | "keepAnswer"> => {
  // A statement on PostgreSQL that waited for a commit reads the reference which that commit wrote, but not its event.
  // The next statement reads both.
  const find = (name: KeyName) => {
    const select = read(selectKey(name))
    return Effect.flatMap(select, (rows) => (rows.some(isEventUnseen) ? select : Effect.succeed(rows)))
  }
  return {
    findKey: (tenant, endpoint, key) => Effect.map(find({ ...tenant, endpoint, key }), firstOf(readKey)),
    keepAnswer: Effect.fnUntraced(function* (answer) {
      const written = yield* write(keepAnswer(answer))
      const [row] = written.some(isEventUnseen) ? yield* find(answer) : written
      const body = row === undefined ? null : textOrNull(row, "answer")
      return (
        body ??
        (yield* Effect.die(new Error(`No idempotency key is bound that could keep an answer at ${answer.endpoint}`)))
      )
    })
  }
}

type KeyName = Omit<AnswerToKeep, "body">

const isEventUnseen = (row: Row): boolean => row["answer"] === null && row["answer_event"] !== null

/**
 * Reads and locks the idempotency key. The lock waits for the synchronous standby, so that a response is repeated only
 * after the standby has it.
 */
const selectKey =
  (key: KeyName): StatementText =>
  (statement) =>
    `SELECT ${keyColumns.names}, ${storedAnswer()} AS answer, answer_event FROM idempotency_keys
      WHERE ${isKey(statement, key)} ${statement.sql.lock("FOR KEY SHARE")}`

/** Stores the response under the idempotency key, unless one is already stored. Returns the stored response. */
const keepAnswer =
  (answer: AnswerToKeep): StatementText =>
  (statement) =>
    `UPDATE idempotency_keys
    SET answer = CASE WHEN answer_event IS NULL THEN coalesce(answer, ${statement.bind(answer.body)}) END
    WHERE ${isKey(statement, answer)} RETURNING ${storedAnswer()} AS answer, answer_event`

const isKey = ({ bind, isOf }: Fragments, key: KeyName): string =>
  `${isOf(key)} AND endpoint = ${bind(key.endpoint)} AND key = ${bind(key.key)}`
