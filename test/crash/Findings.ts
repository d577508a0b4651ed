/** What the engines left in their database, read beside them or after them. */
import type { PaymentId, PaymentRecord } from "@paymux/core"
import { everyPayment, PaymentStore } from "@paymux/core/store"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { migrated } from "./Database.ts"
import type { DatabaseOptions } from "./Database.ts"
import { timeOf } from "./ScaledClock.ts"
import type { ClockSetting } from "./ScaledClock.ts"

export interface EventRow {
  readonly payment_id: string
  readonly sequence: number | string
  readonly type: string
}

export interface Findings {
  readonly records: ReadonlyArray<PaymentRecord>
  /** By payment, by sequence. */
  readonly events: ReadonlyArray<EventRow>
}

export const readFindings = (database: DatabaseOptions): Promise<Findings> =>
  Effect.runPromise(
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const events = yield* sql<EventRow>`SELECT payment_id, sequence, type FROM payment_events
        ORDER BY payment_id, sequence`
      return { records: yield* everyRecord, events }
    }).pipe(Effect.provide(migrated(database)))
  )

const everyRecord = Effect.gen(function* () {
  const store = yield* PaymentStore
  const records: Array<PaymentRecord> = []
  let position: { readonly side: "after"; readonly id: PaymentId } | null = null
  while (true) {
    const tenant = { account: "default", livemode: false }
    const page: { readonly records: ReadonlyArray<PaymentRecord>; readonly hasMore: boolean } = yield* store.list(
      tenant,
      { ...everyPayment, limit: 100, position }
    )
    records.push(...page.records)
    const last = page.records.at(-1)
    if (!page.hasMore || last === undefined) return records
    position = { side: "after", id: last.payment.id }
  }
})

/** ms: an inquiry about an operation that has ended is repeated within this time; a hold is checked once a day. */
const REPEATED_WITHIN = 61 * 60_000

/**
 * The number of open operations, reports of providers, and inquiries to be made at `now` (ms UTC of the engines). A second
 * charge that was only reported is refunded once an inquiry has confirmed it, and an inquiry may go unanswered.
 */
export const openWork = (database: DatabaseOptions, now: number): Promise<number> =>
  Effect.runPromise(
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const [row] = yield* sql<{ open: number | string }>`SELECT
        (SELECT count(*) FROM operations WHERE status IN ('planned', 'sending', 'pending', 'unknown')
          OR (status IN ('succeeded', 'authorized') AND next_check_at < ${now + REPEATED_WITHIN})) +
        (SELECT count(*) FROM provider_inbox WHERE status = 'waiting') AS open`
      return Number(row?.open ?? 0)
    }).pipe(Effect.provide(migrated(database)))
  )

/**
 * Waits until nothing is open any more, in the database and at the vendor: an idle engine may still get
 * something. Returns what still is open after `patience` ms.
 */
export const settled = async (
  database: DatabaseOptions,
  clock: ClockSetting,
  openAtVendor: () => Promise<number>,
  patience: number
): Promise<number> => {
  const until = Date.now() + patience
  while (true) {
    // First the vendor: what it has reported by then is in the database.
    const open = (await openAtVendor()) + (await openWork(database, timeOf(clock)))
    if (open === 0 || Date.now() > until) return open
    await new Promise((resolve) => setTimeout(resolve, 300))
  }
}
