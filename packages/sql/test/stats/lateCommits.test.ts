/** Commits on PostgreSQL that become visible after later ones. */
import { assert, it } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import { SqlClient } from "effect/sql"
import { statisticsTotals, stepMs, uncountedSince } from "../../src/index.ts"
import { rollUp } from "../../src/stats/rollUp.ts"
import { postgres } from "./databases.ts"
import { insert, start, succeededEvent } from "./History.ts"

const tenant = { account: "late", livemode: true }

const event = (n: number) => succeededEvent(tenant, n)

const counted = Effect.gen(function* () {
  yield* rollUp("active", "one")
  const { groups } = yield* statisticsTotals(tenant, { of: "payments", from: start, until: start + stepMs.day })
  return groups[0]?.count ?? 0
})

/** An event in a transaction that stays open until it is ended. */
const open = Effect.fnUntraced(function* (n: number) {
  const sql = yield* SqlClient.SqlClient
  const [written, end] = [yield* Deferred.make<void>(), yield* Deferred.make<"commit" | "rollback">()]
  const transaction = Effect.gen(function* () {
    yield* insert([event(n)])
    yield* Deferred.succeed(written, undefined)
    if ((yield* Deferred.await(end)) === "rollback") return yield* Effect.fail("rollback" as const)
  }).pipe(sql.withTransaction, Effect.ignore)
  const fiber = yield* Effect.forkChild(transaction)
  yield* Deferred.await(written)
  return (how: "commit" | "rollback") => Effect.andThen(Deferred.succeed(end, how), Fiber.join(fiber))
})

const gaps = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ readonly gaps: string }>`SELECT gaps FROM statistics_generations WHERE active = 1`
  const found: ReadonlyArray<unknown> = JSON.parse(row?.gaps ?? "[]")
  return found.length
})

it.live("counts a commit that becomes visible after later ones, once, and forgets what was rolled back", () =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const first = yield* open(1)
    yield* insert([event(2)])
    const third = yield* open(3)
    const fourth = yield* open(4)
    yield* insert([event(5)])
    assert.strictEqual(yield* counted, 2)
    assert.isNull(yield* uncountedSince)
    assert.strictEqual(yield* gaps, 2)
    yield* fourth("commit")
    assert.strictEqual(yield* counted, 3)
    yield* third("rollback")
    // Long after, as far as the clock says: a transaction that is still running keeps its place.
    yield* sql`UPDATE statistics_generations SET gaps = regexp_replace(gaps, '"foundAt":\\d+', '"foundAt":0', 'g')`
    assert.strictEqual(yield* counted, 3)
    yield* insert([event(6)])
    yield* first("commit")
    assert.strictEqual(yield* counted, 5)
    yield* sql`UPDATE statistics_generations SET gaps = regexp_replace(gaps, '"foundAt":\\d+', '"foundAt":0', 'g')`
    // Another test's transaction on the same server may run for a moment.
    while ((yield* gaps) > 0) assert.strictEqual(yield* counted, 5)
  }).pipe(Effect.provide(postgres()))
)
