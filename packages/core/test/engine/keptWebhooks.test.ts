/** Webhooks of an instance that is not configured: kept, and read as of their receipt when it returns. */
import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Layer, Logger, Metric } from "effect"
import { TestClock } from "effect/testing"
import { createHash } from "node:crypto"
import { Sha256 } from "../../src/domain/sha256.ts"
import { keptWebhookLimits } from "../../src/execution/recover/inbox/keepForReturn.ts"
import { Retention } from "../../src/execution/records/Retention.ts"
import { asOfReceipt } from "../../src/provider/asOfReceipt.ts"
import type { Evidence } from "../../src/domain/Evidence.ts"
import * as Outcome from "../../src/domain/Outcome.ts"
import type { Provider } from "../../src/provider/Provider.ts"
import { WebhookRefused } from "../../src/provider/ProviderError.ts"
import { MemoryStore } from "@paymux/testkit/memory-store"
import { PaymentStore } from "../../src/store/PaymentStore.ts"
import { createOf, eventsOf, inquiryOnly, read, reported, scripted, start, summary } from "./fixtures.ts"
import type { Script } from "./fixtures.ts"

/** The digest of Node: that of the web takes turns of the event loop, which the test's clock does not wait for. */
const atOnce = Layer.succeed(Sha256, (content) => Effect.sync(() => createHash("sha256").update(content).digest("hex")))

const day = 86_400_000
/** The tests pass days. */
const seldom = { reconciler: { every: 600_000 } } as const
const taken: Outcome.Outcome = { _tag: "Succeeded" }
const pending = ({ id }: { readonly id: string }) => Effect.succeed(Outcome.pending({ reference: `ref_${id}` }))

/** A vendor whose webhooks are the evidence itself, with a secret and the time of their signature. */
const vendor = (secret = "right") =>
  asOfReceipt((body: Uint8Array, headers: { readonly [name: string]: string }, receivedAt: number) => {
    if (headers["secret"] !== secret) return Effect.fail(new WebhookRefused({ reason: "bad_signature" }))
    if (Math.abs(receivedAt - Number(headers["time"])) > 300_000) {
      return Effect.fail(new WebhookRefused({ reason: "stale" }))
    }
    // Boundary: a vendor may send any JSON.
    return Effect.sync(() => JSON.parse(new TextDecoder().decode(body)) as ReadonlyArray<Evidence>)
  })

const instance = (webhook: NonNullable<Script["webhook"]> = vendor(), mode: "test" | "live" = "test") =>
  scripted("a", { create: pending, webhook, inquire: () => Effect.succeed(Outcome.pending()) }, inquiryOnly, mode)

const other = scripted("b", { create: pending, webhook: vendor() }, inquiryOnly)

/** A payment that waits at `a`, and `a` removed from the configuration. */
const environment = Effect.gen(function* () {
  const store = MemoryStore.make()
  const registry: Metric.MetricRegistry = new Map()
  const lines: Array<string> = []
  const logger = Logger.layer([Logger.map(Logger.formatLogFmt, (line) => void lines.push(line))])
  const observed = Layer.mergeAll(logger, Layer.succeed(Metric.MetricRegistry, registry), atOnce)
  const startWith = (...providers: ReadonlyArray<Provider>) => Effect.provide(start(store, providers, seldom), observed)
  const before = yield* startWith(instance())
  const record = yield* before.create()
  yield* before.end
  const without = yield* startWith(other)
  const body = (evidence: ReadonlyArray<unknown>) => new TextEncoder().encode(JSON.stringify(evidence))
  return {
    store,
    record,
    lines,
    without,
    receive: (evidence: ReadonlyArray<unknown>, { secret = "right", to = "a" } = {}) =>
      Effect.flatMap(store.now, (now) =>
        Effect.provide(without.inbox.receive(to, body(evidence), { secret, time: String(now) }), observed)
      ),
    startWith,
    /** Ends the server without `a`, and starts one with it. */
    returned: (provider = instance()) => Effect.andThen(without.end, startWith(provider, other)),
    state: Effect.map(read(store, record), (after) => summary(after).state),
    requests: Effect.map(store.keptWebhooks.counts, (counts) => counts.reduce((sum, each) => sum + each.requests, 0)),
    dropped: () =>
      Metric.snapshotUnsafe(Context.make(Metric.MetricRegistry, registry)).flatMap(({ attributes, id, state, type }) =>
        id === "paymux_kept_webhooks_dropped_total" && type === "Counter" ? [[attributes, Number(state.count)]] : []
      )
  }
})

describe("a webhook of an instance that is not configured", () => {
  it.effect("is kept, and applied once as of its receipt when the instance returns after ten days", () =>
    Effect.gen(function* () {
      const { lines, receive, record, requests, returned, state, store } = yield* environment
      const report = [reported(createOf(record), taken, "e1")]
      assert.strictEqual(yield* receive(report), "kept")
      assert.strictEqual(yield* receive(report), "kept")
      assert.strictEqual(yield* requests, 2)
      assert.lengthOf(
        lines.filter((line) => line.includes("A webhook of") && line.includes("was kept")),
        1
      )
      yield* TestClock.adjust("10 days")
      assert.deepStrictEqual([yield* state, yield* requests], ["pending", 2])
      yield* returned()
      yield* TestClock.adjust("5 seconds")
      assert.deepStrictEqual([yield* state, yield* requests], ["succeeded", 0])
      assert.deepStrictEqual(yield* eventsOf(store, record.payment.id), [
        "payment.pending",
        "payment.review_opened",
        "payment.succeeded",
        "payment.review_resolved"
      ])
      const [row] = yield* store.evidenceOf(record.payment.id)
      assert.deepInclude(row, { source: "webhook", kind: "succeeded", eventId: "e1" })
    })
  )

  it.effect("that is about a payment which is not known yet waits for it from its return on, and is not foreign", () =>
    Effect.gen(function* () {
      const { receive, requests, returned, store } = yield* environment
      yield* receive([reported({ provider: "a", providerReference: "later" }, taken, "e1")])
      yield* TestClock.adjust("10 days")
      yield* returned()
      yield* TestClock.adjust("2 days")
      assert.strictEqual(yield* requests, 0)
      assert.deepStrictEqual(yield* store.inbox.parked(9), [])
      const now = yield* store.now
      const waiting = yield* store.inbox.claimDue({ provider: "a", owner: "t", now: now + day, until: now, limit: 9 })
      assert.deepStrictEqual(
        waiting.map(({ disposition, status }) => [status, disposition]),
        [["waiting", null]]
      )
    })
  )

  it.effect("is not taken if there is no operation of it, and nothing is kept", () =>
    Effect.gen(function* () {
      const { receive, requests } = yield* environment
      for (const to of ["c", "A", "", "__proto__", "a".repeat(65), "x\u0000"]) {
        assert.strictEqual((yield* Effect.flip(receive([], { to })))._tag, "WebhookNotTaken", to)
        assert.strictEqual((yield* Effect.flip(receive([], { to })))._tag, "WebhookNotTaken", to)
      }
      assert.strictEqual(yield* requests, 0)
    })
  )

  it.effect(
    "is refused when a thousand are kept: what was kept first is read, and the instance's return makes room",
    () =>
      Effect.gen(function* () {
        const { receive, record, requests, returned, state, store } = yield* environment
        yield* receive([reported(createOf(record), taken, "e1")])
        for (let n = 1; n < keptWebhookLimits.requests; n++) yield* receive([], { secret: `junk ${n}` })
        for (let n = 0; n < 20; n++) {
          const refused = yield* Effect.flip(receive([reported(createOf(record), taken, "e2")]))
          assert.strictEqual(refused._tag, "KeptWebhooksFull")
        }
        assert.strictEqual(yield* requests, keptWebhookLimits.requests)
        yield* returned()
        yield* TestClock.adjust("5 seconds")
        assert.strictEqual(yield* state, "succeeded")
        assert.deepStrictEqual(
          (yield* store.keptWebhooks.counts).map(({ requests }) => requests),
          [keptWebhookLimits.requests - 1]
        )
      })
  )

  it.effect("is refused when its bytes do not fit any more", () =>
    Effect.gen(function* () {
      const { requests, without } = yield* environment
      const large = new Uint8Array(keptWebhookLimits.bytes / 4)
      for (let n = 0; n < 3; n++) assert.strictEqual(yield* without.inbox.receive("a", large, {}), "kept")
      const refused = yield* Effect.flip(without.inbox.receive("a", large, {}))
      assert.strictEqual(refused._tag, "KeptWebhooksFull")
      assert.strictEqual(yield* requests, 3)
      // The refusal is remembered for some seconds; a smaller one fits after that.
      yield* TestClock.adjust("6 seconds")
      assert.strictEqual(yield* without.inbox.receive("a", new Uint8Array(9), {}), "kept")
    })
  )

  it.effect("with a wrong signature is tried for a day after the return, then dropped with a line and counted", () =>
    Effect.gen(function* () {
      const { dropped, lines, receive, record, requests, returned, state } = yield* environment
      yield* receive([reported(createOf(record), taken, "e1")], { secret: "forged" })
      yield* returned()
      yield* TestClock.adjust("22 hours")
      assert.deepStrictEqual([yield* requests, dropped()], [1, []])
      yield* TestClock.adjust("2 hours")
      assert.deepStrictEqual([yield* requests, dropped()], [0, [[{ provider: "a", reason: "bad_signature" }, 1]]])
      assert.lengthOf(
        lines.filter((line) => line.includes("was dropped")),
        1
      )
      assert.strictEqual(yield* state, "pending")
    })
  )

  it.effect("is applied if the secret that signed it is configured within a day, after a start with another one", () =>
    Effect.gen(function* () {
      const { dropped, receive, record, requests, returned, startWith, state } = yield* environment
      yield* receive([reported(createOf(record), taken, "e1")], { secret: "former" })
      const wrong = yield* returned()
      yield* TestClock.adjust("3 hours")
      assert.deepStrictEqual([yield* state, yield* requests], ["pending", 1])
      yield* wrong.end
      yield* startWith(instance(vendor("former")))
      yield* TestClock.adjust("2 hours")
      assert.deepStrictEqual([yield* state, yield* requests, dropped()], ["succeeded", 0, []])
    })
  )

  it.effect("that was stale at its receipt stays so", () =>
    Effect.gen(function* () {
      const { record, requests, returned, state, without } = yield* environment
      yield* TestClock.adjust("1 hour")
      const body = new TextEncoder().encode(JSON.stringify([reported(createOf(record), taken, "e1")]))
      yield* without.inbox.receive("a", body, { secret: "right", time: "0" })
      yield* returned()
      yield* TestClock.adjust("25 hours")
      assert.deepStrictEqual([yield* state, yield* requests], ["pending", 0])
    })
  )

  it.effect("is parked, and never applied, if the adapter does not verify as of the receipt", () =>
    Effect.gen(function* () {
      const { lines, receive, record, requests, returned, state, store } = yield* environment
      yield* receive([reported(createOf(record), taken, "e1")])
      yield* receive([])
      const unaware: NonNullable<Script["webhook"]> = (body) =>
        // Boundary: a vendor may send any JSON.
        Effect.sync(() => JSON.parse(new TextDecoder().decode(body)) as ReadonlyArray<Evidence>)
      yield* returned(instance(unaware))
      yield* TestClock.adjust("5 days")
      assert.deepStrictEqual([yield* state, yield* requests], ["pending", 0])
      const parked = yield* store.inbox.parked(9)
      assert.deepStrictEqual(
        parked.map(({ disposition, evidence, status }) => [evidence.outcome, status, disposition]),
        [[taken, "parked", null]]
      )
      assert.lengthOf(
        lines.filter((line) => line.includes("was parked")),
        1
      )
    })
  )

  it.effect("waits while the id is configured in the other mode", () =>
    Effect.gen(function* () {
      const { dropped, receive, record, requests, returned, startWith, state } = yield* environment
      yield* receive([reported(createOf(record), taken, "e1")])
      const live = yield* returned(instance(vendor("of live"), "live"))
      yield* TestClock.adjust("5 days")
      assert.deepStrictEqual([yield* requests, dropped()], [1, []])
      yield* live.end
      yield* startWith(instance())
      yield* TestClock.adjust("5 seconds")
      assert.deepStrictEqual([yield* state, yield* requests], ["succeeded", 0])
    })
  )

  it.effect("is read by one of several servers, and an adapter that throws does not lose it", () =>
    Effect.gen(function* () {
      const { receive, record, requests, returned, startWith, state } = yield* environment
      yield* receive([reported(createOf(record), taken, "e1")])
      const broken = yield* returned(instance(asOfReceipt(() => Effect.die(new Error("broken")))))
      yield* TestClock.adjust("3 days")
      assert.deepStrictEqual([yield* state, yield* requests], ["pending", 1])
      yield* broken.end
      let reads = 0
      const counting = asOfReceipt((...given: Parameters<ReturnType<typeof vendor>>) =>
        Effect.andThen(
          Effect.sync(() => void reads++),
          vendor()(...given)
        )
      )
      yield* Effect.forEach([1, 2, 3], () => startWith(instance(counting)))
      yield* TestClock.adjust("2 hours")
      assert.deepStrictEqual([yield* state, yield* requests, reads], ["succeeded", 0, 1])
    })
  )

  it.effect("of an instance that does not return is deleted after 30 days, whatever the retention settings", () =>
    Effect.gen(function* () {
      const { receive, requests, store } = yield* environment
      const retention = yield* Effect.map(
        Layer.build(Layer.provide(Retention.layer({ answers: null, inbox: null }), Layer.succeed(PaymentStore, store))),
        (context) => Context.get(context, Retention)
      )
      yield* receive([])
      yield* TestClock.adjust("29 days")
      yield* receive([])
      assert.strictEqual((yield* retention.pass).keptWebhooks, 0)
      yield* TestClock.adjust("25 hours")
      assert.strictEqual(yield* requests, 1)
    })
  )
})
