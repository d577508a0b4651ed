/** What the database has of the creates that were sent: every one that was answered 201, whole, and nothing of another. */
import { DatabaseSync } from "node:sqlite"

export interface Found {
  readonly payments: number
  /** Answered 201, and there is no payment or no key of it. */
  readonly lost: number
  /** There is a payment or a key of one that was not answered 201. */
  readonly strayed: number
  /** Payments that did not come to their end, with all the rows of it. */
  readonly halfWritten: number
}

export const rowsOf = (file: string, created: ReadonlySet<number>): Found => {
  const database = new DatabaseSync(file, { readOnly: true })
  try {
    const numbers = (statement: string) =>
      new Set(Array.from(database.prepare(statement).iterate(), ({ number }) => Number(number)))
    const payments = numbers("SELECT json_extract(metadata, '$.order_id') AS number FROM payments")
    const keys = numbers("SELECT substr(key, length('order-') + 1) AS number FROM idempotency_keys")
    const halfWritten = database.prepare(incomplete).get()?.["count"]
    return {
      payments: payments.size,
      lost: [...created].filter((number) => !payments.has(number) || !keys.has(number)).length,
      strayed: [...new Set([...payments, ...keys])].filter((number) => !created.has(number)).length,
      halfWritten: Number(halfWritten)
    }
  } finally {
    database.close()
  }
}

const one = (table: string, is: string) =>
  `(SELECT count(*) FROM ${table} AS row WHERE row.payment_id = payments.id AND row.${is}) = 1
   AND (SELECT count(*) FROM ${table} AS row WHERE row.payment_id = payments.id) = 1`

const incomplete = `SELECT count(*) AS count FROM payments WHERE NOT (
  status = 'succeeded'
  AND ${one("attempts", "status = 'succeeded'")}
  AND ${one("operations", "status = 'succeeded'")}
  AND ${one("payment_events", "type = 'payment.succeeded'")}
  AND (SELECT count(*) FROM idempotency_keys WHERE payment_id = payments.id AND (answer IS NOT NULL OR answer_event IS NOT NULL)) = 1
)`
