/**
 * Starts of a server that has open operations of an instance that is not configured, beside those of configured ones, spread over
 * all payments: it looks for them before it serves.
 */
import type { PaymentId, Provider } from "@paymux/core"
import { openElsewhere } from "@paymux/core/engine"
import { PaymentStore } from "@paymux/core/store"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { countOpenOperations, selectOpenProviders } from "../../packages/sql/src/store/dueProviders.ts"
import { instantWithId } from "./InstantProvider.ts"
import { median } from "./Rounds.ts"

interface Database {
  readonly size: number
  readonly address: string
}

interface Measured {
  /** A small one, and a large one. */
  readonly databases: ReadonlyArray<Database>
  /** The id of the payment of this number. */
  readonly idOf: (n: number) => PaymentId
  readonly open: (
    database: Database,
    providers: ReadonlyArray<Provider>
  ) => Promise<{ readonly close: () => Promise<void> }>
  readonly onStore: <A, E>(
    address: string,
    effect: Effect.Effect<A, E, PaymentStore | SqlClient.SqlClient>
  ) => Promise<A>
  readonly show: (name: string, small: number, large: number, unit: string, bounded: boolean) => void
}

/** ms, at every size of the database. */
const bound = 1000

/** The check alone, a start that warns, and one that is refused. */
export const instanceStarts = async ({ databases, idOf, onStore, open, show }: Measured): Promise<void> => {
  /** `call` returns the ms that it took. */
  const measure = async (name: string, call: (database: Database) => Promise<number>) => {
    const taken = databases.map((): Array<number> => [])
    for (let round = -1; round < 5; round++) {
      for (const [index, database] of databases.entries()) {
        const took = await call(database)
        if (round >= 0) taken[index]?.push(took)
      }
    }
    const [small = Number.NaN, large = Number.NaN] = taken.map(median)
    show(name, small, large, "ms", false)
    if (large <= bound) return
    process.exitCode = 1
    console.log(`NOT MET: at most ${bound} ms`)
  }
  const check = async ({ address, size }: Database) => {
    const { counted, took } = await onStore(address, checked)
    if (counted < Math.min(1000, size / 4)) throw new Error(`The check counts ${counted} operations only`)
    return took
  }
  const start = async (database: Database) => {
    const since = performance.now()
    const paymux = await open(database, configured)
    const took = performance.now() - since
    await paymux.close()
    return took
  }
  const refused = async (database: Database) => {
    const since = performance.now()
    const refusal = await open(database, configured).then(
      () => "nothing",
      (cause: unknown) => String(cause)
    )
    if (!refusal.includes("is not configured")) throw new Error(`The start ended with: ${refusal}`)
    return performance.now() - since
  }
  const [few, many] = [1000, 20_000]
  for (const { address, size } of databases) await onStore(address, openOperations(idOf, size, few))
  await measure(`instances, ${few} open: the check`, check)
  await measure(`instances, ${few} open: a start with a warning`, start)
  for (const { address, size } of databases) await onStore(address, makeLive(idOf, size, few))
  await measure(`instances, ${few} open: a refused start`, refused)
  for (const { address, size } of databases) await onStore(address, openOperations(idOf, size, many))
  await measure(`instances, ${many} open: the check`, check)
  await measure(`instances, ${many} open: a refused start`, refused)
}

const absent = "absent"

/** Of the payments that `lists/payments.ts` makes. */
const configured = ["stripe", "adyen", "cashfree", "razorpay", "coinbase"].map((id) => instantWithId(id))

/** Of configured instances, whatever the number of the others. */
const openThere = 20_000

/** Opens so many operations, or as many as a small database has room for. Their checks are due in an hour: no engine claims them. */
const openOperations = Effect.fnUntraced(function* (idOf: Measured["idOf"], size: number, count: number) {
  const sql = yield* SqlClient.SqlClient
  const pending = { status: "pending", next_check_at: Date.now() + 3_600_000 }
  const set = (change: typeof pending & { readonly provider?: string }, ids: ReadonlyArray<PaymentId>) =>
    sql`UPDATE operations SET ${sql.update(change)} WHERE ${sql.in("payment_id", ids)}`
  for (const ids of spread(idOf, size, openThere, 0)) yield* set(pending, ids)
  for (const ids of spread(idOf, size, count, 1)) yield* set({ ...pending, provider: absent }, ids)
})

/** Their payments become live ones: a start is refused because of them. */
const makeLive = Effect.fnUntraced(function* (idOf: Measured["idOf"], size: number, count: number) {
  const sql = yield* SqlClient.SqlClient
  const isLive = sql.onDialectOrElse({ pg: () => sql`true`, orElse: () => sql`1` })
  for (const ids of spread(idOf, size, count, 1)) {
    yield* sql`UPDATE payments SET livemode = ${isLive} WHERE ${sql.in("id", ids)}`
  }
})

/** The ids of payments at equal distances, in parts. */
const spread = (idOf: Measured["idOf"], size: number, count: number, offset: number) => {
  const stride = Math.max(4, Math.floor(size / count))
  const ids = Array.from({ length: Math.floor(size / stride) }, (_, index) => idOf(index * stride + offset))
  return Array.from({ length: Math.ceil(ids.length / part) }, (_, index) => ids.slice(index * part, (index + 1) * part))
}

const part = 500

/** ms that the check of a start takes in the store, and the number of operations that it counts. */
const checked = Effect.gen(function* () {
  const store = yield* PaymentStore
  const begun = performance.now()
  const open = yield* openElsewhere(store, (id) => configured.some((each) => each.id === id))
  const took = performance.now() - begun
  return { took, counted: open.reduce((sum, { live, test }) => sum + live + test, 0) }
})

/** How the database runs the statements of the check. */
export const plans = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const explain = sql.onDialectOrElse({ pg: () => "EXPLAIN (ANALYZE, BUFFERS)", orElse: () => "EXPLAIN QUERY PLAN" })
  const statements = [selectOpenProviders, countOpenOperations(`'${absent}'`, 1001)]
  const lines = yield* Effect.forEach(statements, (statement) =>
    sql.unsafe<{ readonly [column: string]: unknown }>(`${explain} ${statement}`)
  )
  return lines.flat().map((row) => String(row["QUERY PLAN"] ?? row["detail"]))
})
