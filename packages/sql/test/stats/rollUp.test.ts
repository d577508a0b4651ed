/** The statistics on both databases equal a count of the payments, however and by whom the events were counted. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import * as fc from "fast-check"
import { rebuildStatistics, statisticsSeries, statisticsTotals, stepMs, uncountedSince } from "../../src/index.ts"
import type { SeriesQuery, StatisticsFilter, StatisticsGroup } from "../../src/index.ts"
import { pruneStatistics } from "../../src/stats/pruneStatistics.ts"
import { rollUp } from "../../src/stats/rollUp.ts"
import { postgres, sqlite } from "./databases.ts"
import { countedIn, history, insert, start, succeededEvent } from "./History.ts"
import type { Counted, HistoryEvent } from "./History.ts"

const range = { from: start, until: start + 5 * stepMs.day }

const queries: ReadonlyArray<Omit<SeriesQuery, "of">> = [
  { ...range, step: "hour" },
  { ...range, step: "day", groupBy: "provider" },
  { ...range, step: "hour", groupBy: "failureCode" },
  { from: start + stepMs.hour, until: start + 30 * stepMs.hour, step: "hour", groupBy: "method" },
  { ...range, step: "day", groupBy: "currency", providers: ["acme", "beta"], outcomes: ["succeeded", "failed"] },
  { ...range, step: "day", methods: ["upi"], currencies: ["EUR"], failureCodes: ["card_declined"] }
]

const groupOf = (each: Counted, groupBy: StatisticsGroup | undefined) => (groupBy === undefined ? null : each[groupBy])

const passes = (each: Counted, { currencies, failureCodes, methods, outcomes, providers }: StatisticsFilter) =>
  (providers?.includes(each.provider) ?? true) &&
  (methods?.includes(each.method) ?? true) &&
  (currencies?.includes(each.currency) ?? true) &&
  (outcomes?.includes(each.outcome) ?? true) &&
  (failureCodes?.includes(each.failureCode ?? "") ?? true)

/** Counted one by one. Durations are compared apart, as they are approximate. */
const recount = (all: ReadonlyArray<Counted>, { from, groupBy, of, step, until, ...filter }: SeriesQuery) => {
  const points = new Map<string, Array<Counted>>()
  for (const each of all) {
    const at = Math.floor(each.at / stepMs[step]) * stepMs[step]
    if (each.of !== of || each.at < from || each.at >= until || !passes(each, filter)) continue
    const key = JSON.stringify([at, groupOf(each, groupBy)])
    points.set(key, [...(points.get(key) ?? []), each])
  }
  return [...points]
    .map(([key, list]) => {
      const [at, group]: [number, string | null] = JSON.parse(key)
      const sum = (of: (each: Counted) => number, currency: string) =>
        String(list.filter((each) => each.currency === currency).reduce((total, each) => total + BigInt(of(each)), 0n))
      return {
        start: at,
        group,
        count: list.length,
        outcomes: Object.fromEntries(
          [...new Set(list.map(({ outcome }) => outcome))]
            .toSorted()
            .map((outcome) => [outcome, list.filter((each) => each.outcome === outcome).length])
        ),
        amounts: [...new Set(list.map(({ currency }) => currency))].toSorted().map((currency) => ({
          currency,
          amount: sum(({ amount }) => amount, currency),
          succeeded: sum(({ succeeded }) => succeeded, currency)
        })),
        took: list.flatMap(({ took }) => (took === null ? [] : [took])).toSorted((a, b) => a - b)
      }
    })
    .toSorted((a, b) => a.start - b.start || ((a.group ?? "") < (b.group ?? "") ? -1 : 1))
}

const nearest = (sorted: ReadonlyArray<number>, share: number) => sorted[Math.ceil(sorted.length * share) - 1] ?? 0

const assertEqualToRecount = Effect.fnUntraced(function* (events: ReadonlyArray<HistoryEvent>) {
  const all = countedIn(events)
  const tenants = new Map(events.map(({ tenant }) => [JSON.stringify(tenant), tenant]))
  for (const tenant of tenants.values()) {
    const mine = all.filter((each) => JSON.stringify(each.tenant) === JSON.stringify(tenant))
    for (const counted of ["payments", "attempts", "refunds"] as const) {
      for (const query of queries) {
        const expected = recount(mine, { ...query, of: counted })
        const { points } = yield* statisticsSeries(tenant, { ...query, of: counted })
        assert.deepStrictEqual(
          points.map(({ amounts, count, group, outcomes, start }) => ({ start, group, count, outcomes, amounts })),
          expected.map(({ took: _, ...rest }) => rest)
        )
        const isTimed =
          counted === "attempts" && query.groupBy !== "failureCode" && !query.outcomes && !query.failureCodes
        for (const [index, { duration }] of points.entries()) {
          const took = expected[index]?.took ?? []
          assert.strictEqual(duration?.count ?? 0, isTimed ? took.length : 0)
          if (duration === null) continue
          for (const [share, value] of [
            [0.5, duration.p50],
            [0.95, duration.p95],
            [0.99, duration.p99]
          ] as const) {
            const exact = nearest(took, share)
            assert.isAtMost(Math.abs(value - exact), exact * 0.049 + 1)
          }
        }
      }
      const { groups } = yield* statisticsTotals(tenant, { of: counted, ...range, from: start + 5 * stepMs.hour })
      const expected = mine.filter((each) => each.of === counted && each.at >= start + 5 * stepMs.hour).length
      assert.strictEqual(groups[0]?.count ?? 0, expected)
    }
  }
})

const countAll = (holder: string) =>
  Effect.gen(function* () {
    while ((yield* rollUp("active", holder)) === "more");
  })

const freeHold = Effect.flatMap(SqlClient.SqlClient, (sql) => sql`UPDATE statistics_generations SET held_until = 0`)

let runs = 0

describe.each([
  ["SQLite", sqlite, 15, 2],
  ["PostgreSQL", postgres, 4, 1]
] as const)("the statistics on %s", (_, database, numRuns, mostTransactions) => {
  it.live("equal a recount of random histories, counted in random parts, and after a rebuild", () =>
    Effect.gen(function* () {
      const context = yield* Effect.context<SqlClient.SqlClient>()
      const law = fc.asyncProperty(
        fc.constant(null).chain(() => history(`run${++runs}`)),
        fc.array(fc.nat(60), { maxLength: 4 }),
        async (events, cuts) => {
          const program = Effect.gen(function* () {
            const ends = [...cuts.toSorted((a, b) => a - b), events.length]
            for (const [index, end] of ends.entries()) {
              yield* insert(events.slice(index === 0 ? 0 : ends[index - 1], end))
              yield* countAll("one")
            }
            assert.isNull(yield* uncountedSince)
            yield* assertEqualToRecount(events)
            yield* rebuildStatistics()
            yield* assertEqualToRecount(events)
            yield* freeHold
          })
          await Effect.runPromise(Effect.provideContext(program, context))
        }
      )
      yield* Effect.promise(() => fc.assert(law, { numRuns, endOnFailure: true }))
    }).pipe(Effect.provide(database()))
  )

  it.live("count each event once when several count at the same time, also beside rebuilds", () =>
    Effect.gen(function* () {
      const events = fc.sample(history(`busy${++runs}`), { numRuns: 12, seed: 7 }).flatMap(renamed)
      const size = Math.ceil(events.length / 6)
      const parts = Array.from({ length: 6 }, (_, index) => events.slice(index * size, (index + 1) * size))
      // One name for all of them: none leaves the work to another.
      const counting = Effect.forEach(Array.from({ length: 30 }), () =>
        Effect.andThen(countAll("one"), Effect.sleep(5))
      )
      const inserting = Effect.forEach(parts, (part) => Effect.andThen(insert(part), Effect.sleep(10)))
      yield* Effect.all([inserting, counting, counting, rebuildStatistics(), rebuildStatistics()], {
        concurrency: "unbounded",
        discard: true
      })
      yield* freeHold
      yield* countAll("two")
      yield* assertEqualToRecount(events)
      const sql = yield* SqlClient.SqlClient
      const generations = yield* sql`SELECT DISTINCT generation FROM statistics_counts`
      assert.strictEqual(generations.length, 1)
    }).pipe(Effect.provide(database()))
  )

  it.live("leave the work to the process that holds it, until 5 s after its last step", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const [first = [], second = []] = fc.sample(history(`hold${++runs}`), { numRuns: 2, seed: 1 }).map(renamed)
      yield* insert(first)
      assert.strictEqual(yield* rollUp("active", "one"), "done")
      yield* insert(second)
      assert.strictEqual(yield* rollUp("active", "two"), "left")
      yield* sql`UPDATE statistics_generations SET held_until = held_until - 5001`
      assert.strictEqual(yield* rollUp("active", "two"), "done")
      // The clock was set back by an hour: that is no hold of an hour.
      yield* sql`UPDATE statistics_generations SET held_until = held_until + 3600000`
      assert.strictEqual(yield* rollUp("active", "one"), "done")
      yield* assertEqualToRecount([...first, ...second])
    }).pipe(Effect.provide(database()))
  )

  it.live("keep what is within the retention, and count nothing of before it again", () =>
    Effect.gen(function* () {
      const [before = [], after = []] = fc.sample(history(`kept${++runs}`), { numRuns: 2, seed: 3 }).map(renamed)
      yield* insert(before)
      yield* countAll("one")
      const middle = start + stepMs.day
      yield* pruneStatistics(Date.now() - middle)
      yield* freeHold
      yield* insert(after)
      yield* countAll("one")
      const incremental = yield* rows
      assert.isTrue(incremental.counts.every((row) => Number(row["start"]) >= middle))
      assert.strictEqual(
        incremental.counts
          .filter((row) => row["step"] === "hour" && row["fact"] === "payment")
          .reduce((sum, row) => sum + Number(row["count"]), 0),
        countedIn([...before, ...after]).filter(({ at, of }) => of === "payments" && at >= middle).length
      )
      yield* rebuildStatistics()
      assert.deepStrictEqual(yield* rows, incremental)
    }).pipe(Effect.provide(database()))
  )

  it.live("count a payment once whose earlier events an operator has deleted", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const all = fc.sample(history(`deleted${++runs}`), { numRuns: 8, seed: 11 }).flatMap(renamed)
      const [before, after] = [all.filter(({ sequence }) => sequence <= 2), all.filter(({ sequence }) => sequence > 2)]
      yield* insert(before)
      yield* countAll("one")
      // All but the newest, as positions go on from it.
      yield* sql`DELETE FROM payment_events WHERE position < (SELECT max(position) FROM payment_events)`
      yield* insert(after)
      yield* countAll("one")
      const stored = (yield* rows).counts.filter((row) => row["step"] === "day" && row["fact"] === "payment")
      const payments = new Set(all.map(({ payment }) => payment.id))
      assert.isAbove(after.length, 20)
      assert.strictEqual(
        stored.reduce((sum, row) => sum + Number(row["count"]), 0),
        payments.size
      )
    }).pipe(Effect.provide(database()))
  )

  it.live(
    "equal a recount where an hour has more sums than are read at once, whose boundaries are in it and between hours",
    () =>
      Effect.gen(function* () {
        const [sample = []] = fc.sample(history(`wide${++runs}`), { numRuns: 1, seed: 9 })
        const [event] = sample
        if (event === undefined) return assert.fail("no event")
        // A code each: 5,600 in one hour, and some in each of the two days after.
        const hours = [
          ...Array.from({ length: 5_600 }, () => 5),
          ...Array.from({ length: 700 }, (_, n) => 6 + (n % 48))
        ]
        const events = hours.map((hour, n): HistoryEvent => {
          const code = `code_${(n * 7919) % 9973}`
          const at = new Date(start + hour * stepMs.hour + n).toISOString()
          const ended = new Date(start + hour * stepMs.hour + n * 2).toISOString()
          const currency = `C${n % 2_500}`
          const attempt = { provider: "acme", status: "declined", code, started_at: at, ended_at: ended }
          const payment = { ...event.payment, id: `pay_wide${runs}_${n}`, amount: n, currency, created_at: at }
          return {
            ...event,
            sequence: 1,
            refund: null,
            payment: { ...payment, failure: { code }, attempts: [attempt] }
          }
        })
        for (let n = 0; n < events.length; n += 1_000) yield* insert(events.slice(n, n + 1_000))
        yield* countAll("one")
        yield* assertEqualToRecount(events)
      }).pipe(Effect.provide(database())),
    // 6,300 events, each with sums of its own: minutes on a busy machine.
    600_000
  )

  it.live("count many events in one transaction, also where each changes sums of its own", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const tenant = { account: `many${++runs}`, livemode: true }
      const events = Array.from({ length: 800 }, (_, n): HistoryEvent => {
        const event = succeededEvent(tenant, n)
        const created = new Date(start + (n % 60) * stepMs.hour).toISOString()
        return { ...event, payment: { ...event.payment, created_at: created, amount: n, currency: `C${n % 7}` } }
      })
      yield* insert(events)
      yield* countAll("one")
      const [row] = yield* sql<{ readonly version: number | string }>`
        SELECT version FROM statistics_generations WHERE active = 1`
      assert.isAtMost(Number(row?.version) - 1, mostTransactions)
      yield* assertEqualToRecount(events)
    }).pipe(Effect.provide(database()))
  )

  it.live("count an event that cannot be read as nothing, and go on", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const broken = ["", "{", "null", "[]", "7", "{}", '{"created_at":"never"}', '{"created_at":7,"attempts":{}}']
      for (const [n, payment] of broken.entries()) {
        yield* sql`INSERT INTO payment_events (id, payment_id, sequence, type, account, livemode, payment, refund, created_at)
          VALUES (${`evt_${n}`}, 'pay_broken', ${n + 1}, 'payment.pending', 'x', ${false}, ${payment}, ${payment}, ${start})`
      }
      const [events = []] = fc.sample(history(`broken${++runs}`), { numRuns: 1, seed: 5 })
      yield* insert(events)
      yield* countAll("one")
      assert.isNull(yield* uncountedSince)
      yield* assertEqualToRecount(events)
    }).pipe(Effect.provide(database()))
  )
})

/** All stored sums of the active generation. */
const rows = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const active = sql`(SELECT generation FROM statistics_generations WHERE active = 1)`
  const place = "account, livemode, step, start, provider, method, currency"
  const counts = sql.literal(
    `${place}, fact, outcome, code, count, amount_high, amount_low, captured_high, captured_low`
  )
  const durations = sql.literal(`${place}, buckets`)
  const order = sql.literal(place)
  return {
    counts: yield* sql<Record<string, unknown>>`SELECT ${counts} FROM statistics_counts WHERE generation = ${active}
      ORDER BY ${order}, fact, outcome, code`,
    durations: yield* sql<Record<string, unknown>>`SELECT ${durations} FROM statistics_durations
      WHERE generation = ${active} ORDER BY ${order}`
  }
})

/** Samples of one arbitrary have the same ids: each gets its own. */
const renamed = (events: ReadonlyArray<HistoryEvent>, n: number): ReadonlyArray<HistoryEvent> =>
  events.map((event) => ({
    ...event,
    payment: { ...event.payment, id: `${event.payment.id}_${n}` },
    refund: event.refund === null ? null : { ...event.refund, id: `${event.refund.id}_${n}` }
  }))
