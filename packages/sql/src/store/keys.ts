/** The idempotency keys of a store, and the responses that are stored under them. */
import type { AnswerToKeep, PaymentStore } from "@paymux/core/store"
import { Effect } from "effect"
import { keyColumns } from "../rows/columns.ts"
import type { Fragments, StatementRunner, StatementText } from "../dialect/Fragments.ts"
import { firstOf, text } from "../rows/ReadRow.ts"
import { readKey } from "../rows/rows.ts"

export const keys = ({ read, write }: StatementRunner): Pick<PaymentStore["Service"], "findKey" | "keepAnswer"> => ({
  findKey: (tenant, endpoint, key) => Effect.map(read(selectKey({ ...tenant, endpoint, key })), firstOf(readKey)),
  keepAnswer: (answer) =>
    Effect.flatMap(write(keepAnswer(answer)), ([row]) =>
      row === undefined
        ? Effect.die(new Error(`No idempotency key is bound that could keep an answer at ${answer.endpoint}`))
        : Effect.succeed(text(row, "answer"))
    )
})

type KeyName = Omit<AnswerToKeep, "body">

/**
 * Reads and locks the idempotency key. The lock waits for the synchronous standby, so that a response is repeated only
 * after the standby has it.
 */
const selectKey =
  (key: KeyName): StatementText =>
  (statement) =>
    `SELECT ${keyColumns.names}, answer FROM idempotency_keys
      WHERE ${isKey(statement, key)} ${statement.sql.lock("FOR KEY SHARE")}`

/** Stores the response under the idempotency key, unless one is already stored. Returns the stored response. */
const keepAnswer =
  (answer: AnswerToKeep): StatementText =>
  (statement) =>
    `UPDATE idempotency_keys SET answer = coalesce(answer, ${statement.bind(answer.body)})
    WHERE ${isKey(statement, answer)} RETURNING answer`

const isKey = ({ bind, isOf }: Fragments, key: KeyName): string =>
  `${isOf(key)} AND endpoint = ${bind(key.endpoint)} AND key = ${bind(key.key)}`
