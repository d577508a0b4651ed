/**
 * Orders with several payments each, begun at once on servers that share a database, each in a process of its own: pages are paid in
 * any order, also closed ones; servers are killed; replies of commits and webhooks are lost. In half of the runs the database goes
 * back to a copy, and clients repeat what they had requested under a key. On the machine's own clock, because the database has one, too.
 */
import type { PaymentRecord } from "@paymux/core"
import { everyPayment, markedAs, PaymentStore } from "@paymux/core/store"
import { Statements, UnmatchedReports } from "@paymux/sql"
import { SeededRandom } from "@paymux/test-suites/simulation"
import { Effect, Layer } from "effect"
import { readStatement } from "../../packages/paymux/src/reconcile/readStatement.ts"
import { migrated } from "../crash/Database.ts"
import { makeClients } from "./Clients.ts"
import type { ClientAnswer } from "./Clients.ts"
import type { Copyable } from "./databases.ts"
import { keptOf } from "./Ledger.ts"
import type { Charge } from "./Ledger.ts"
import { startFleet } from "./Fleet.ts"
import { makeVendor } from "./Vendor.ts"
import type { Vendor } from "./Vendor.ts"

const tenant = { account: "default", livemode: false } as const

export interface OrderRun {
  readonly orders: ReadonlyArray<string>
  readonly charges: ReadonlyArray<Charge>
  readonly records: ReadonlyArray<PaymentRecord>
  /** Operations of reports that belong to no payment: an operator sees them in a list. */
  readonly unmatched: ReadonlySet<string>
  /** Bookings of the vendors' statements that the books do not have: an operator sees them in another list. */
  readonly differences: ReadonlySet<string | null>
  readonly answers: ReadonlyArray<ClientAnswer>
  /** The database went back, so that payments which clients know may be gone. */
  readonly hasLost: boolean
  /** How often each happened. */
  readonly counts: { readonly [what: string]: number }
}

export interface Plan {
  readonly seed: number
  readonly orders: number
  /** On SQLite one at a time. */
  readonly servers: 1 | 2
  /** The database goes back to a copy once. */
  readonly loses: boolean
}

/** Plays the orders, and then waits until `judge` finds no fault, or the patience ends. */
export const runOrders = Effect.fnUntraced(function* (
  plan: Plan,
  database: Copyable,
  judge: (run: OrderRun) => ReadonlyArray<string>
) {
  const { loses, orders, seed, servers } = plan
  const counts: { [what: string]: number } = {}
  const count = (what: string) => {
    counts[what] = (counts[what] ?? 0) + 1
  }
  const vendors = { card: makeVendor("card", seed), coin: makeVendor("coin", seed) }
  const fleet = yield* startFleet({ url: database.url, seed, servers, vendors, count })
  const names = Array.from({ length: orders }, (_, n) => `order ${n}`)
  const clients = makeClients({ seed, names, loses, vendors, fleet, count })
  yield* clients.play(1)
  if (loses) {
    yield* fleet.killAll
    yield* database.copy
    const copiedAt = Date.now()
    yield* fleet.startAll
    yield* clients.play(2)
    yield* fleet.killAll
    yield* database.goBack
    yield* markRestored(database.url, copiedAt)
    count("lost databases")
    yield* fleet.startAll
    yield* Effect.all([clients.play(3), clients.repeat], { concurrency: 2 })
  }
  const redelivery = SeededRandom.stream(seed, "redelivery")
  const until = Date.now() + patience
  while (true) {
    const charges = [...vendors.card.ledger.charges, ...vendors.coin.ledger.charges]
    const stored = yield* readAll(database.url, names, loses ? Object.values(vendors) : [])
    const run: OrderRun = { orders: names, charges, counts, hasLost: loses, answers: clients.answers(), ...stored }
    if (judge(run).length === 0 || Date.now() > until) return run
    // Vendors repeat their webhooks for days.
    for (const charge of charges) if (keptOf(charge) > 0) clients.report(redelivery, charge)
    yield* Effect.sleep(5_000)
  }
})

/** ms: an operation of a killed server is found after 35 s. Only a fault takes as long. */
const patience = 300_000

/** As `paymux database restored` does. */
const markRestored = (url: string, wentBackTo: number) =>
  Effect.gen(function* () {
    const { now, restoration } = yield* PaymentStore
    const before = yield* restoration.read
    yield* restoration.replace(
      before,
      markedAs(before.mark, { wentBackTo, acceptedDoubles: [], until: null }, yield* now)
    )
  }).pipe(Effect.provide(migrated({ url })), Effect.orDie)

const readAll = (url: string, names: ReadonlyArray<string>, vendors: ReadonlyArray<Vendor>) =>
  Effect.gen(function* () {
    for (const { statement } of vendors) yield* readStatement(statement, { since: null, until: null }, "test")
    const { entries } = yield* Statements.use((statements) => statements.differences(false, { limit: 1000 }))
    const store = yield* PaymentStore
    const pages = yield* Effect.forEach(names, (order) => store.list(tenant, { ...everyPayment, order: [order] }))
    const list = yield* UnmatchedReports
    const { data: reports } = yield* list.list(tenant, { statuses: ["waiting", "parked"], limit: 1000 })
    return {
      records: pages.flatMap(({ records }) => records),
      differences: new Set(entries.flatMap(({ movement, resolvedAt }) => (resolvedAt === null ? [movement] : []))),
      unmatched: new Set(reports.flatMap(({ operationId }) => (operationId === null ? [] : [operationId])))
    }
  }).pipe(
    Effect.provide(Layer.merge(UnmatchedReports.layer, Statements.layer)),
    Effect.provide(migrated({ url })),
    Effect.orDie
  )
