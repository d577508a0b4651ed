/** Reports that are about no payment of this database: of another system at the same account, or of a payment that was lost. */
import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Layer, Logger, Metric } from "effect"
import { TestClock } from "effect/testing"
import { Cell, OwnsIdsWithoutCell } from "../../src/domain/Cell.ts"
import type { OperationId } from "../../src/domain/Ids.ts"
import { timings } from "../../src/execution/timings.ts"
import type { Evidence } from "../../src/domain/Evidence.ts"
import * as Outcome from "../../src/domain/Outcome.ts"
import { eventIn } from "../../src/store/eventKey.ts"
import { MemoryStore } from "@paymux/testkit/memory-store"
import { everyPayment } from "../../src/store/PaymentStore.ts"
import type { InboxEntry } from "../../src/store/PaymentStore.ts"
import { createOf, scripted, start, tenant, reported } from "./fixtures.ts"
import type { Script, Store } from "./fixtures.ts"

const succeeds = () => Effect.succeed(Outcome.succeeded())
const taken: Outcome.Outcome = { _tag: "Succeeded" }

/** A vendor whose webhooks are the evidence itself. */
const webhook: NonNullable<Script["webhook"]> = (body) =>
  // Boundary: a vendor may send any JSON.
  Effect.sync(() => JSON.parse(new TextDecoder().decode(body)) as ReadonlyArray<Evidence>)

const bytes = (evidence: ReadonlyArray<Evidence>) => new TextEncoder().encode(JSON.stringify(evidence))

/** An engine with what it logs and counts. */
const environment = Effect.fnUntraced(function* (
  script: Partial<Script> = {},
  store: Store = MemoryStore.make(),
  installation: Layer.Layer<never> = Layer.empty
) {
  const lines: Array<string> = []
  const registry: Metric.MetricRegistry = new Map()
  const logger = Logger.layer([Logger.map(Logger.formatLogFmt, (line) => void lines.push(line))])
  const observed = Layer.merge(logger, Layer.succeed(Metric.MetricRegistry, registry))
  const providers = [scripted("a", { create: succeeds, webhook, ...script })]
  const engine = yield* start(store, providers, { reconciler: { every: 600_000, share: 2000 } }, installation).pipe(
    Effect.provide(observed)
  )
  return {
    ...engine,
    store,
    errors: () => lines.filter((line) => line.includes("level=ERROR")),
    receive: (evidence: Evidence) => Effect.provide(engine.inbox.receive("a", bytes([evidence]), {}), observed),
    /** How many entries of the inbox wait. */
    waiting: Effect.map(
      store.inbox.claimDue({ provider: "a", owner: "test", now: Number.MAX_SAFE_INTEGER, until: 0, limit: 5000 }),
      ({ length }) => length
    ),
    foreign: () =>
      Metric.snapshotUnsafe(Context.make(Metric.MetricRegistry, registry)).flatMap(({ attributes, id, state, type }) =>
        id === "paymux_foreign_reports_total" && type === "Counter"
          ? [[attributes?.["provider"], Number(state.count)]]
          : []
      )
  }
})

describe("a report under a reference of no payment", () => {
  it.effect("a thousand times: no review, no error; counted as foreign after three days, and no longer waiting", () =>
    Effect.gen(function* () {
      const { errors, foreign, receive, reviews, store, waiting } = yield* environment()
      for (let n = 0; n < 1000; n++) {
        const about = { provider: "a", providerReference: `ch_${n}` }
        assert.strictEqual(yield* receive(reported(about, taken, `e${n}`)), "kept")
      }
      yield* TestClock.adjust("70 hours")
      assert.strictEqual(yield* waiting, 1000)
      assert.deepStrictEqual(foreign(), [])
      yield* TestClock.adjust("4 hours")
      assert.strictEqual(yield* waiting, 0)
      assert.deepStrictEqual(foreign(), [["a", 1000]])
      assert.deepStrictEqual(yield* reviews.parked(9), [])
      assert.deepStrictEqual((yield* store.list(tenant, { ...everyPayment, inReview: true })).records, [])
      assert.deepStrictEqual(errors(), [])
      // The vendor repeats one: it is known, and not counted again.
      assert.strictEqual(yield* receive(reported({ provider: "a", providerReference: "ch_7" }, taken, "e7")), "applied")
      yield* TestClock.adjust("4 days")
      assert.deepStrictEqual(foreign(), [["a", 1000]])
    })
  )

  it.effect("is applied, and not foreign, where its payment becomes known within three days", () =>
    Effect.gen(function* () {
      const { create, foreign, receive, store, waiting } = yield* environment({
        create: () => Effect.succeed(Outcome.pending({ reference: "ch_1" }))
      })
      assert.strictEqual(yield* receive(reported({ provider: "a", providerReference: "ch_1" }, taken, "e1")), "kept")
      yield* TestClock.adjust("60 hours")
      const record = yield* create()
      yield* TestClock.adjust("2 hours")
      assert.strictEqual((yield* store.get(record.payment.id))?.payment.state.status, "succeeded")
      assert.deepStrictEqual([yield* waiting, foreign()], [0, []])
    })
  )
})

describe("a report that names an operation whose payment is not in the database", () => {
  const lost = Effect.gen(function* () {
    const elsewhere = yield* start(MemoryStore.make(), [scripted("a", { create: succeeds })])
    const record = yield* elsewhere.create()
    yield* elsewhere.end
    return createOf(record)
  })

  it.effect("is parked at once with one error line, also where the vendor repeats it", () =>
    Effect.gen(function* () {
      const { errors, foreign, receive, reviews, waiting } = yield* environment()
      const operation = yield* lost
      const report: Evidence = reported(operation, { ...taken, reference: "ch_9" }, "e1")
      for (let n = 0; n < 3; n++) assert.strictEqual(yield* receive(report), "kept")
      yield* TestClock.adjust("4 days")
      const parked = yield* reviews.parked(9)
      assert.deepStrictEqual(
        parked.map(({ eventKey, provider, status }) => [provider, eventIn(eventKey), status]),
        [["a", "e1", "parked"]]
      )
      assert.deepInclude(parked[0]?.evidence, { about: { operation }, outcome: { ...taken, reference: "ch_9" } })
      assert.lengthOf(errors(), 1)
      for (const word of [operation, "ch_9", "succeeded"]) assert.include(errors()[0], word)
      assert.deepStrictEqual([yield* waiting, foreign()], [0, []])
    })
  )
})

describe("a report about an operation of another cell at the same account", () => {
  const cellOfEngine = (cell: string | null) => environment({}, MemoryStore.make(), Layer.succeed(Cell, cell))

  it.effect("is foreign at once: no review, no error, and nothing waits", () =>
    Effect.gen(function* () {
      for (const here of ["eu1", null]) {
        const { errors, foreign, receive, reviews, waiting } = yield* cellOfEngine(here)
        const there = yield* cellOfEngine("us1")
        const operation = createOf(yield* there.create())
        for (let n = 0; n < 3; n++) assert.strictEqual(yield* receive(reported(operation, taken, "e1")), "applied")
        assert.deepStrictEqual([yield* waiting, foreign()], [0, [["a", 1]]])
        assert.deepStrictEqual([yield* reviews.parked(9), errors()], [[], []])
      }
    })
  )

  it.effect("is parked if it is of this cell, or of a time before cells, and its payment was lost", () =>
    Effect.gen(function* () {
      const { errors, foreign, receive, reviews } = yield* cellOfEngine("eu1")
      for (const cell of ["eu1", null]) {
        const elsewhere = yield* cellOfEngine(cell)
        const operation = createOf(yield* elsewhere.create())
        assert.strictEqual(yield* receive(reported(operation, taken, `e ${cell}`)), "kept")
      }
      assert.lengthOf(yield* reviews.parked(9), 2)
      assert.lengthOf(errors(), 2)
      assert.deepStrictEqual(foreign(), [])
    })
  )

  it.effect("is foreign at once if it has no cell, and this one had no payments before it was a cell", () =>
    Effect.gen(function* () {
      const installation = Layer.merge(Layer.succeed(Cell, "us1"), Layer.succeed(OwnsIdsWithoutCell, false))
      const { errors, foreign, receive, reviews, waiting } = yield* environment({}, MemoryStore.make(), installation)
      const former = yield* cellOfEngine(null)
      const operation = createOf(yield* former.create())
      for (let n = 0; n < 3; n++) assert.strictEqual(yield* receive(reported(operation, taken, "e1")), "applied")
      assert.deepStrictEqual([yield* waiting, foreign()], [0, [["a", 1]]])
      assert.deepStrictEqual([yield* reviews.parked(9), errors()], [[], []])
      const own = yield* environment({}, MemoryStore.make(), installation)
      const lost = createOf(yield* own.create())
      assert.strictEqual(yield* receive(reported(lost, taken, "e2")), "kept")
      assert.lengthOf(yield* reviews.parked(9), 1)
    })
  )

  it.effect("is applied if its payment is stored here: its account was moved", () =>
    Effect.gen(function* () {
      const store = MemoryStore.make()
      const script: Partial<Script> = { create: () => Effect.succeed(Outcome.pending()) }
      const before = yield* environment(script, store, Layer.succeed(Cell, "us1"))
      const record = yield* before.create()
      yield* before.end
      const { foreign, receive } = yield* environment(script, store, Layer.succeed(Cell, "eu1"))
      assert.strictEqual(yield* receive(reported(createOf(record), taken, "e1")), "applied")
      assert.strictEqual((yield* store.get(record.payment.id))?.payment.state.status, "succeeded")
      assert.deepStrictEqual(foreign(), [])
    })
  )
})

describe("a report that an operator has matched to a payment", () => {
  const matchedTo = (operation: OperationId): InboxEntry => ({
    provider: "a",
    eventKey: "e1",
    evidence: reported(operation, { ...taken, reference: "ch_9" }, "e1"),
    document: null,
    status: "waiting",
    tries: 3,
    nextTryAt: 0,
    receivedAt: -timings.unmatched,
    livemode: false,
    disposition: "matched"
  })

  it.effect("is applied to that payment, which later reports under its reference are about", () =>
    Effect.gen(function* () {
      const { create, foreign, receive, store } = yield* environment({
        create: () => Effect.succeed(Outcome.pending())
      })
      const record = yield* create()
      const operation = createOf(record)
      yield* store.inbox.keep([matchedTo(operation)])
      yield* TestClock.adjust("11 minutes")
      const paid = yield* store.get(record.payment.id)
      assert.strictEqual(paid?.payment.state.status, "succeeded")
      const later = reported({ provider: "a", providerReference: "ch_9" }, { _tag: "Disputed" }, "e2")
      assert.strictEqual(yield* receive(later), "applied")
      assert.isNotNull((yield* store.get(record.payment.id))?.payment.disputedAt)
      assert.deepStrictEqual(foreign(), [])
    })
  )

  it.effect("is for an operator again, and not foreign, where its payment is not in the database", () =>
    Effect.gen(function* () {
      const { errors, foreign, reviews, store } = yield* environment()
      const elsewhere = yield* start(MemoryStore.make(), [scripted("a", { create: succeeds })])
      yield* store.inbox.keep([matchedTo(createOf(yield* elsewhere.create()))])
      yield* TestClock.adjust("11 minutes")
      assert.deepStrictEqual(
        (yield* reviews.parked(9)).map(({ eventKey, status }) => [eventKey, status]),
        [["e1", "parked"]]
      )
      assert.lengthOf(errors(), 1)
      assert.deepStrictEqual(foreign(), [])
    })
  )
})
