import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Exit, Fiber } from "effect"
import { TestClock } from "effect/testing"
import type { OperationId } from "../../src/domain/Ids.ts"
import type { Evidence } from "../../src/domain/Evidence.ts"
import * as Outcome from "../../src/domain/Outcome.ts"
import type { Provider } from "../../src/provider/Provider.ts"
import { WebhookRefused } from "../../src/provider/ProviderError.ts"
import { MemoryStore } from "@paymux/testkit/memory-store"
import { StoreUnavailable } from "../../src/store/PaymentStore.ts"
import { createOf, eventsOf, inquiryOnly, read, scripted, start, summary, reported } from "./fixtures.ts"
import type { Script, Store } from "./fixtures.ts"

const pending = () => Effect.succeed(Outcome.pending({ reference: "pi_1" }))
const taken: Outcome.Outcome = { _tag: "Succeeded" }
const named = { provider: "a", providerReference: "pi_1" } as const

/** A vendor whose webhooks are the evidence itself, signed with a word. */
const vendor: NonNullable<Script["webhook"]> = (body, headers) =>
  headers["signature"] === "right"
    ? // Boundary: a vendor may send any JSON.
      Effect.sync(() => JSON.parse(new TextDecoder().decode(body)) as ReadonlyArray<Evidence>)
    : Effect.fail(new WebhookRefused({ reason: "bad_signature" }))

const bytes = (evidence: unknown) => new TextEncoder().encode(JSON.stringify(evidence))
const signed = { signature: "right" }

const environment = Effect.fnUntraced(function* (script: Partial<Script> = {}, store: Store = MemoryStore.make()) {
  const providers: ReadonlyArray<Provider> = [
    scripted("a", { create: pending, webhook: vendor, ...script }, inquiryOnly),
    scripted("b", { create: pending, webhook: vendor }, inquiryOnly)
  ]
  const engine = yield* start(store, providers)
  return {
    ...engine,
    store,
    receive: (evidence: ReadonlyArray<unknown>, from = "a") => engine.inbox.receive(from, bytes(evidence), signed)
  }
})

describe("a webhook", () => {
  it.effect("is applied, and its evidence is kept with the digest of its bytes", () =>
    Effect.gen(function* () {
      const { create, receive, store } = yield* environment()
      const record = yield* create()
      assert.strictEqual(yield* receive([reported(named, taken, "e1")]), "applied")
      assert.strictEqual(summary(yield* read(store, record)).state, "succeeded")
      const [row] = yield* store.evidenceOf(record.payment.id)
      assert.deepInclude(row, { source: "webhook", kind: "succeeded", eventId: "e1" })
      assert.match(row?.document ?? "", /^sha256:[0-9a-f]{64}$/)
    })
  )

  it.effect("a hundred times is applied once", () =>
    Effect.gen(function* () {
      const { create, receive, store } = yield* environment()
      const record = yield* create()
      yield* Effect.forEach(Array.from({ length: 100 }), () => receive([reported(named, taken, "e1")]), {
        concurrency: "unbounded",
        discard: true
      })
      assert.deepStrictEqual(yield* eventsOf(store, record.payment.id), ["payment.pending", "payment.succeeded"])
      assert.strictEqual((yield* store.evidenceOf(record.payment.id)).length, 1)
    })
  )

  it.effect("that comes out of order takes nothing back", () =>
    Effect.gen(function* () {
      const { create, receive, store } = yield* environment()
      const record = yield* create()
      yield* receive([reported(named, taken, "e2")])
      yield* receive([reported(named, { _tag: "Pending" }, "e1")])
      yield* receive([reported(named, { _tag: "Declined", code: "do_not_honor", retry: "never" }, "e0")])
      assert.strictEqual(summary(yield* read(store, record)).state, "succeeded")
      assert.strictEqual((yield* read(store, record)).payment.eventSequence, 2)
    })
  )

  it.effect("of several events under one id is applied to the last of them, and once", () =>
    Effect.gen(function* () {
      const { create, receive, store } = yield* environment()
      const [first, second] = [yield* create(), yield* create()]
      const body = [reported(createOf(first), taken, "e1"), reported(createOf(second), taken, "e1")]
      for (let i = 0; i < 2; i++) yield* receive(body)
      for (const record of [first, second]) {
        assert.strictEqual(summary(yield* read(store, record)).state, "succeeded")
        assert.strictEqual((yield* store.evidenceOf(record.payment.id)).length, 1)
      }
    })
  )

  it.effect("of an adapter that writes `null` for absent members is understood", () =>
    Effect.gen(function* () {
      const { create, payments, receive, store } = yield* environment({
        webhook: () =>
          Effect.succeed([
            // The cast is the point: this is what a JavaScript adapter can do.
            {
              about: named,
              outcome: { _tag: "Succeeded", amount: null, reference: null, vendorCode: null }
            } as unknown as Evidence
          ])
      })
      const record = yield* create()
      assert.strictEqual(yield* receive([]), "applied")
      assert.strictEqual(summary(yield* read(store, record)).state, "succeeded")
      const [row] = yield* store.evidenceOf(record.payment.id)
      assert.deepInclude(row, { vendorCode: null, eventId: null, occurredAt: null })
      assert.isDefined(payments)
    })
  )

  it.effect("with a next action that no page may show is applied without it", () =>
    Effect.gen(function* () {
      const { create, receive, store } = yield* environment({
        create: () => Effect.succeed(Outcome.unknown({ reason: "timeout", reference: "pi_1" }))
      })
      const record = yield* create()
      const nextAction = { type: "upi_intent", uri: "javascript:alert(1)", expiresAt: null }
      // The cast is the point: this is what a JavaScript adapter can do.
      const outcome = { _tag: "Pending", nextAction } as unknown as Outcome.Outcome
      assert.strictEqual(yield* receive([reported(named, outcome, "e1")]), "applied")
      const { attempts, payment } = yield* read(store, record)
      assert.deepInclude(payment.state, { status: "pending", nextAction: null })
      assert.deepStrictEqual(
        attempts.map(({ status }) => status),
        ["pending"]
      )
    })
  )

  it.effect("before our own commit is kept, and applied when there is something to apply it to", () =>
    Effect.gen(function* () {
      const { create, receive, store } = yield* environment()
      assert.strictEqual(yield* receive([reported(named, taken, "e1")]), "kept")
      const record = yield* create()
      assert.strictEqual(summary(yield* read(store, record)).state, "pending")
      yield* TestClock.adjust("10 seconds")
      assert.strictEqual(summary(yield* read(store, record)).state, "succeeded")
    })
  )

  it.effect("while our own send is under way decides, and the reply that follows changes nothing", () =>
    Effect.gen(function* () {
      const sent = yield* Deferred.make<OperationId>()
      const { create, receive, store } = yield* environment({
        create: ({ id }) =>
          Effect.andThen(
            Deferred.succeed(sent, id),
            Effect.as(Effect.sleep("3 seconds"), Outcome.declined({ code: "do_not_honor", retry: "never" }))
          )
      })
      const caller = yield* Effect.forkChild(create())
      const operation = yield* Deferred.await(sent)
      assert.strictEqual(yield* receive([reported(operation, taken, "e1")]), "applied")
      yield* TestClock.adjust("5 seconds")
      const record = yield* Fiber.join(caller)
      assert.strictEqual(record.payment.state.status, "succeeded")
      assert.deepStrictEqual(yield* eventsOf(store, record.payment.id), ["payment.succeeded"])
    })
  )

  it.effect("of one provider says nothing of another's operation, by whatever name", () =>
    Effect.gen(function* () {
      const { create, receive, store } = yield* environment()
      const record = yield* create()
      for (const about of [{ operation: createOf(record) }, named]) {
        assert.strictEqual(yield* receive([reported(about, taken)], "b"), "kept")
      }
      yield* TestClock.adjust("10 minutes")
      assert.strictEqual(summary(yield* read(store, record)).state, "pending")
    })
  )

  it.effect("that is refused leaves nothing behind", () =>
    Effect.gen(function* () {
      let kept = 0
      const inner = MemoryStore.make()
      const store: Store = {
        ...inner,
        inbox: { ...inner.inbox, keep: (entries) => ((kept += entries.length), inner.inbox.keep(entries)) }
      }
      const { create, inbox } = yield* environment({}, store)
      const record = yield* create()
      const refused = yield* Effect.flip(inbox.receive("a", bytes([reported(named, taken)]), { signature: "wrong" }))
      assert.strictEqual(refused._tag, "WebhookRefused")
      const unknown = yield* Effect.flip(inbox.receive("unknown", bytes([]), signed))
      assert.strictEqual(unknown._tag, "WebhookNotTaken")
      assert.strictEqual(kept, 0)
      assert.strictEqual(summary(yield* read(store, record)).state, "pending")
    })
  )
})

describe("the store is away", () => {
  const fails = () => Effect.fail(new StoreUnavailable({ cause: "away" }))

  it.effect("while it is kept: the vendor gets an error, and nothing is acknowledged", () =>
    Effect.gen(function* () {
      const inner = MemoryStore.make()
      const state = { away: true }
      const store: Store = {
        ...inner,
        inbox: { ...inner.inbox, keep: (entries) => (state.away ? fails() : inner.inbox.keep(entries)) }
      }
      const { create, receive } = yield* environment({}, store)
      const record = yield* create()
      assert.strictEqual((yield* Effect.flip(receive([reported(named, taken, "e1")])))._tag, "StoreUnavailable")
      assert.strictEqual(summary(yield* read(store, record)).state, "pending")
      state.away = false
      assert.strictEqual(yield* receive([reported(named, taken, "e1")]), "applied")
      assert.strictEqual(summary(yield* read(store, record)).state, "succeeded")
    })
  )

  it.effect("while it is applied: it is kept, and applied when the store is back", () =>
    Effect.gen(function* () {
      const inner = MemoryStore.make()
      const state = { away: false }
      const store: Store = {
        ...inner,
        findByReference: (provider, reference) => (state.away ? fails() : inner.findByReference(provider, reference))
      }
      const { create, receive } = yield* environment({}, store)
      const record = yield* create()
      state.away = true
      assert.strictEqual(yield* receive([reported(named, taken, "e1")]), "kept")
      yield* TestClock.adjust("30 seconds")
      state.away = false
      yield* TestClock.adjust("30 seconds")
      assert.strictEqual(summary(yield* read(store, record)).state, "succeeded")
    })
  )
})

describe("an adapter that does not keep the contract over a webhook", () => {
  const broken: ReadonlyArray<readonly [string, () => unknown]> = [
    [
      "throws",
      () => {
        throw new Error("a bug")
      }
    ],
    ["dies", () => Effect.die(new Error("a bug"))],
    ["never returns", () => Effect.never],
    ["answers undefined", () => Effect.succeed(undefined)],
    ["answers what is no evidence", () => Effect.succeed([{ claim: "paid" }])],
    ["answers one piece of evidence and one that is none", () => Effect.succeed([reported(named, taken), null])],
    [
      "answers an amount that is none of a claim that moves no money",
      () => Effect.succeed([reported(named, { _tag: "Detected", amount: "12", asset: null } as never)])
    ],
    ["gives an invalid time", () => Effect.succeed([{ ...reported(named, taken), occurredAt: Number.NaN }])],
    ["returns no effect", () => undefined]
  ]
  for (const [how, webhook] of broken) {
    it.effect(`${how}: the vendor gets an error, nothing is applied, and the engine goes on`, () =>
      Effect.gen(function* () {
        // The cast is the point: this is what a JavaScript adapter can do.
        const { create, inbox, receive, store } = yield* environment({
          webhook: webhook as NonNullable<Script["webhook"]>
        })
        const record = yield* create()
        const caller = yield* Effect.forkChild(Effect.exit(receive([])))
        yield* TestClock.adjust("11 seconds")
        assert.isTrue(Exit.isFailure(yield* Fiber.join(caller)))
        assert.strictEqual(summary(yield* read(store, record)).state, "pending")
        assert.strictEqual(yield* inbox.receive("b", bytes([]), signed), "applied")
      })
    )
  }
})

describe("a report of money that cannot be read", () => {
  const money = (minorUnits: unknown, currency: unknown = "EUR") => ({ minorUnits, currency })
  const unreadable: ReadonlyArray<readonly [string, Record<string, unknown>]> = [
    ["no amount but a text", { outcome: { _tag: "Succeeded", amount: "12" } }],
    ["a negative amount", { outcome: { _tag: "Succeeded", amount: money(-1200) } }],
    ["an amount beyond 2^53", { outcome: { _tag: "Succeeded", amount: money(2 ** 53) } }],
    ["half a unit", { outcome: { _tag: "Captured", amount: money(1200.5) } }],
    ["an amount that is not a number", { outcome: { _tag: "RefundSucceeded", amount: money(Number.NaN) } }],
    ["an infinite amount", { outcome: { _tag: "Authorized", amount: money(Number.POSITIVE_INFINITY) } }],
    ["a currency that is none", { outcome: { _tag: "Succeeded", amount: money(1200, "EURO") } }],
    ["a reference of 10 kB", { outcome: { ...taken, reference: "x".repeat(10_000) } }]
  ]
  for (const [what, over] of unreadable) {
    it.effect(`(${what}) is kept, and a review names its operation: nothing is assigned`, () =>
      Effect.gen(function* () {
        // The cast is the point: this is what a JavaScript adapter can do.
        const webhook = () => Effect.succeed([{ ...reported(named, taken, "e1"), ...over } as unknown as Evidence])
        const { create, receive, store } = yield* environment({ webhook })
        const record = yield* create()
        for (const time of ["first", "again", "once more"]) {
          assert.strictEqual(yield* receive([]), "applied", time)
        }
        const now = yield* read(store, record)
        assert.deepInclude(summary(now), { state: "pending", reviews: ["unreadable_report"], attempts: ["a pending"] })
        assert.deepInclude(now.payment.reviews[0], {
          operationId: createOf(record),
          provider: "a",
          minorUnits: 1200,
          currency: "EUR"
        })
        assert.deepStrictEqual([now.entries, now.operations[0]?.reference], [[], "pi_1"])
        const kept = yield* store.evidenceOf(record.payment.id)
        assert.deepStrictEqual(
          kept.map(({ eventId, kind }) => [kind, eventId]),
          [["unreadable", "e1"]]
        )
        assert.deepStrictEqual(yield* eventsOf(store, record.payment.id), ["payment.pending", "payment.review_opened"])
      })
    )
  }

  it.effect("is of no payment where no payment has its reference: nothing is written", () =>
    Effect.gen(function* () {
      const about = { provider: "a", providerReference: "pi_none" } as const
      const webhook = () => Effect.succeed([reported(about, { _tag: "Succeeded", amount: "12" } as never)])
      const { create, receive, store } = yield* environment({ webhook })
      const record = yield* create()
      assert.strictEqual(yield* receive([]), "kept")
      assert.deepStrictEqual(yield* read(store, record), record)
    })
  )
})

describe("one report of money, a thousand times", () => {
  it.effect("under ever new event ids is one entry and one version", () =>
    Effect.gen(function* () {
      const { create, receive, store } = yield* environment()
      const record = yield* create()
      for (let time = 0; time < 1000; time++) yield* receive([reported(named, taken, `e${time}`)])
      const now = yield* read(store, record)
      assert.deepStrictEqual([summary(now).state, now.entries.length], ["succeeded", 1])
      assert.strictEqual(now.payment.version, record.payment.version + 1)
      assert.deepStrictEqual(yield* eventsOf(store, record.payment.id), ["payment.pending", "payment.succeeded"])
    })
  )
})
