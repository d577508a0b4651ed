import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import type { LateSuccess } from "../../src/domain/Step.ts"
import type { Currency } from "../../src/domain/Money.ts"
import type { OperationId } from "../../src/domain/Ids.ts"

import type { InquiryOutcome } from "../../src/domain/Outcome.ts"
import * as Outcome from "../../src/domain/Outcome.ts"
import type { ProviderOperation } from "../../src/provider/Provider.ts"
import { MemoryStore } from "@paymux/testkit/memory-store"
import { StoreUnavailable } from "../../src/store/PaymentStore.ts"
import { card, cardOnHold, createOf, eventsOf, plain, read, scripted, start, summary, reported } from "./fixtures.ts"
import type { Script, Store } from "./fixtures.ts"

const succeeds = () => Effect.succeed(Outcome.succeeded())
const notSent = () => Effect.succeed(Outcome.notExecuted({ reason: "not_sent" }))
const declines = () => Effect.succeed(Outcome.declined({ code: "do_not_honor", retry: "never" }))
const taken: Outcome.Outcome = { _tag: "Succeeded" }

/** What the provider gave back, each key once. */
const ledger = () => {
  const refunds = new Map<string, number>()
  const keep = ({ amount, key }: ProviderOperation) => void refunds.set(key, amount.minorUnits)
  return { refunds, keep, all: () => [...refunds.values()] }
}

/** What an inquiry finds where the report is true. */
const truthOf = (outcome: Outcome.Outcome): InquiryOutcome => {
  const amount = "amount" in outcome && outcome.amount !== undefined ? { amount: outcome.amount } : {}
  return outcome._tag === "Authorized" ? Outcome.authorized(amount) : Outcome.succeeded(amount)
}

interface Case {
  readonly a: Partial<Script>
  readonly b?: Partial<Script>
  readonly lateSuccess?: LateSuccess
  readonly store?: Store
  readonly hold?: boolean
  /** ms between two looks at due work; months pass faster with few. */
  readonly every?: number
}

const environment = Effect.fnUntraced(function* ({
  a,
  b,
  every = 1000,
  hold = false,
  lateSuccess = "succeed",
  store = MemoryStore.make()
}: Case) {
  /** The providers' own books, by the create operation. */
  const books = new Map<OperationId, InquiryOutcome>()
  const inquire = ({ id, kind }: ProviderOperation) =>
    Effect.sync(() => (kind === "create" ? (books.get(id) ?? Outcome.notFound()) : Outcome.notFound()))
  const providers = [
    scripted("a", { create: notSent, inquire, ...a }),
    ...(b === undefined ? [] : [scripted("b", { create: succeeds, inquire, ...b })])
  ]
  const engine = yield* start(store, providers, { lateSuccess, reconciler: { every } })
  const record = yield* engine.create(hold ? cardOnHold : card)
  return {
    ...engine,
    record,
    id: record.payment.id,
    now: Effect.map(read(store, record), summary),
    events: eventsOf(store, record.payment.id),
    /** A true report of the provider: its books have the money. */
    late: (outcome: Outcome.Outcome = taken, seq = 1) =>
      Effect.gen(function* () {
        const id = createOf(yield* read(store, record), seq)
        books.set(id, truthOf(outcome))
        return yield* engine.payments.advance(reported(id, outcome))
      }),
    /** A webhook that nothing in the provider's books explains. */
    untrue: (reference: string) => engine.payments.advance(reported(createOf(record), { ...taken, reference })),
    store
  }
})

describe("late success", () => {
  it.effect("(a) while the payment is open: it succeeds, and what a second attempt takes is given back", () =>
    Effect.gen(function* () {
      const { all, keep } = ledger()
      const { events, late, now } = yield* environment({
        a: {},
        b: {
          create: () => Effect.succeed(Outcome.pending()),
          refund: (operation) => Effect.sync(() => (keep(operation), Outcome.succeeded()))
        }
      })
      yield* late()
      assert.strictEqual((yield* now).state, "succeeded")
      yield* late(taken, 2)
      yield* TestClock.adjust("5 seconds")
      assert.deepStrictEqual(yield* now, {
        state: "succeeded",
        reviews: [],
        attempts: ["a succeeded", "b succeeded overpayment"],
        later: ["reversal refund 1200 succeeded"]
      })
      assert.deepStrictEqual(all(), [1200])
      assert.deepStrictEqual(yield* events, ["payment.pending", "payment.succeeded"])
    })
  )

  it.effect(
    "(b) after another attempt paid: the later one is given back at its own provider, the payment is unchanged",
    () =>
      Effect.gen(function* () {
        const { all, keep } = ledger()
        const strayed: Array<string> = []
        const { events, late, now } = yield* environment({
          a: { refund: (operation) => Effect.sync(() => (keep(operation), Outcome.succeeded())) },
          b: { refund: () => Effect.sync(() => (strayed.push("b"), Outcome.succeeded())) }
        })
        for (let i = 0; i < 3; i++) yield* late()
        yield* TestClock.adjust("5 seconds")
        yield* late()
        yield* TestClock.adjust("5 minutes")
        assert.deepStrictEqual(yield* now, {
          state: "succeeded",
          reviews: [],
          attempts: ["a succeeded overpayment", "b succeeded"],
          later: ["reversal refund 1200 succeeded"]
        })
        assert.deepStrictEqual([all(), strayed], [[1200], []])
        assert.deepStrictEqual(yield* events, ["payment.succeeded"])
      })
  )

  it.effect("(c) after the payment failed: it succeeds, late, and nothing is given back", () =>
    Effect.gen(function* () {
      const { events, late, now, record } = yield* environment({ a: { create: declines, refund: succeeds } })
      yield* late()
      yield* TestClock.adjust("5 minutes")
      const { later, state } = yield* now
      assert.deepStrictEqual({ later, state }, { later: [], state: "succeeded" })
      assert.strictEqual(record.payment.state.status, "failed")
      assert.deepStrictEqual(yield* events, ["payment.failed", "payment.succeeded"])
    })
  )

  it.effect("(c) with lateSuccess reverse it stays failed, the money is refunded, and an event reports it", () =>
    Effect.gen(function* () {
      const { all, keep } = ledger()
      const { events, late, now } = yield* environment({
        a: { create: declines, refund: (operation) => Effect.sync(() => (keep(operation), Outcome.succeeded())) },
        lateSuccess: "reverse"
      })
      yield* late()
      yield* TestClock.adjust("5 seconds")
      const { attempts, reviews, state } = yield* now
      assert.deepStrictEqual(
        { attempts, reviews, state },
        { attempts: ["a succeeded overpayment"], reviews: [], state: "failed" }
      )
      assert.deepStrictEqual(all(), [1200])
      assert.deepStrictEqual(yield* events, ["payment.failed", "payment.late_reversed"])
    })
  )

  it.effect("of a hold is released again; nothing is captured", () =>
    Effect.gen(function* () {
      const canceled: Array<string | null | undefined> = []
      const { late, now } = yield* environment({
        a: {
          create: () => Effect.succeed(Outcome.declined({ code: "do_not_honor", retry: "never", reference: "pi_9" })),
          cancel: ({ original }) => Effect.sync(() => (canceled.push(original?.reference), Outcome.succeeded()))
        },
        hold: true
      })
      yield* late({ _tag: "Authorized" })
      yield* TestClock.adjust("5 seconds")
      assert.deepStrictEqual(yield* now, {
        state: "failed",
        reviews: [],
        attempts: ["a canceled overpayment"],
        later: ["reversal cancel 1200 succeeded"]
      })
      assert.deepStrictEqual(canceled, ["pi_9"])
    })
  )

  it.effect("of a hold is confirmed again five minutes after the database failed, not a day", () =>
    Effect.gen(function* () {
      const inner = MemoryStore.make()
      const state = { away: true }
      let failures = 0
      const store: Store = {
        ...inner,
        advance: (commit) =>
          state.away && commit.evidence?.source === "inquiry"
            ? Effect.suspend(() => (failures++, new StoreUnavailable({ cause: "away" })))
            : inner.advance(commit)
      }
      const { late, now } = yield* environment({ a: { cancel: succeeds }, hold: true, store })
      yield* late({ _tag: "Authorized" })
      yield* TestClock.adjust("2 minutes")
      assert.isAtLeast(failures, 1)
      state.away = false
      yield* TestClock.adjust("5 minutes")
      assert.deepInclude(yield* now, { reviews: [], later: ["reversal cancel 1200 succeeded"] })
    })
  )

  it.effect("that cannot be given back from here is looked at by an operator, never silent", () =>
    Effect.gen(function* () {
      for (const [claim, reviews] of [
        [taken, ["duplicate_capture"]],
        [{ _tag: "Authorized" }, ["late_authorization"]]
      ] as const) {
        const { late, now } = yield* environment({ a: {}, b: {} })
        yield* late(claim)
        yield* TestClock.adjust("1 minute")
        const after = yield* now
        assert.deepStrictEqual([after.state, after.reviews, after.later], ["succeeded", reviews, []])
      }
    })
  )

  it.effect("of another amount is given back as it was confirmed; in another currency an operator looks", () =>
    Effect.gen(function* () {
      for (const [amount, later, reviews] of [
        [{ currency: "EUR" as Currency, minorUnits: 900 }, ["reversal refund 900 succeeded"], []],
        [{ currency: "EUR" as Currency, minorUnits: 1500 }, ["reversal refund 1500 succeeded"], []],
        [{ currency: "USD" as Currency, minorUnits: 1200 }, [], ["amount_mismatch"]]
      ] as const) {
        const { late, now } = yield* environment({ a: { refund: succeeds }, b: {} })
        yield* late({ _tag: "Succeeded", amount })
        yield* TestClock.adjust("1 minute")
        const after = yield* now
        assert.deepStrictEqual([after.state, after.reviews, after.later], ["succeeded", reviews, later])
      }
    })
  )

  it.effect("that the provider's books do not have is not given back: the review names charge and amount", () =>
    Effect.gen(function* () {
      const { all, keep } = ledger()
      const { now, record, store, untrue } = yield* environment({
        a: { refund: (operation) => Effect.sync(() => (keep(operation), Outcome.succeeded())) },
        b: {},
        every: 600_000
      })
      yield* untrue("ch_9")
      assert.deepStrictEqual((yield* now).reviews, [])
      yield* TestClock.adjust("10 days")
      assert.deepStrictEqual(yield* now, {
        state: "succeeded",
        reviews: ["duplicate_capture"],
        attempts: ["a succeeded overpayment", "b succeeded"],
        later: []
      })
      const [review] = (yield* read(store, record)).payment.reviews
      assert.deepInclude(review, { provider: "a", reference: "ch_9", minorUnits: 1200, currency: "EUR", attemptSeq: 1 })
      assert.deepStrictEqual(all(), [])
    })
  )

  it.effect("at a provider that cannot be inquired is not given back: the review stands at once", () =>
    Effect.gen(function* () {
      const store = MemoryStore.make()
      const engine = yield* start(
        store,
        [
          scripted("a", { create: notSent, refund: succeeds }, { declineIsFinal: true }),
          scripted("b", { create: succeeds })
        ],
        { reconciler: { every: 600_000 } }
      )
      const record = yield* engine.create()
      yield* engine.payments.advance(reported(createOf(record), taken))
      assert.deepInclude(summary(yield* read(store, record)), { reviews: ["duplicate_capture"], later: [] })
      yield* TestClock.adjust("10 days")
      assert.deepInclude(summary(yield* read(store, record)), { reviews: ["duplicate_capture"], later: [] })
      // The provider's own process saw it: that confirms it.
      yield* engine.payments.advance({ ...reported(createOf(record), taken), source: "observed" })
      yield* TestClock.adjust("10 minutes")
      assert.deepInclude(summary(yield* read(store, record)), {
        reviews: [],
        later: ["reversal refund 1200 succeeded"]
      })
    })
  )

  it.effect("is inquired again, five minutes and an hour later, where the inquiry gave no answer", () =>
    Effect.gen(function* () {
      const silent = Outcome.unknown({ reason: "timeout" })
      const answers: Array<InquiryOutcome> = [silent, silent, Outcome.succeeded()]
      const store = MemoryStore.make()
      const engine = yield* start(store, [
        scripted("a", {
          create: notSent,
          refund: succeeds,
          inquire: () => Effect.sync(() => answers.shift() ?? Outcome.notFound())
        }),
        scripted("b", { create: succeeds })
      ])
      const record = yield* engine.create()
      yield* engine.payments.advance(reported(createOf(record), taken))
      for (const [time, left] of [
        ["4 minutes", 2],
        ["2 minutes", 1],
        ["58 minutes", 1]
      ] as const) {
        yield* TestClock.adjust(time)
        assert.deepInclude(summary(yield* read(store, record)), { reviews: [], later: [] })
        assert.lengthOf(answers, left)
      }
      yield* TestClock.adjust("2 minutes")
      assert.deepInclude(summary(yield* read(store, record)), {
        reviews: [],
        later: ["reversal refund 1200 succeeded"]
      })
      assert.deepStrictEqual(answers, [])
    })
  )

  it.effect("is a case for an operator where the inquiry never answers", () =>
    Effect.gen(function* () {
      let inquiries = 0
      const inquire = () => Effect.sync(() => (inquiries++, Outcome.unknown({ reason: "timeout" })))
      const { late, now } = yield* environment({ a: { refund: succeeds, inquire }, b: {}, every: 60_000 })
      yield* late()
      yield* TestClock.adjust("1 hour")
      assert.deepInclude(yield* now, { reviews: [], later: [] })
      yield* TestClock.adjust("2 days")
      assert.deepInclude(yield* now, { reviews: ["duplicate_capture"], later: [] })
      assert.strictEqual(inquiries, 3)
    })
  )

  it.effect("of a hold that cannot be released is shown, and not looked at for ever", () =>
    Effect.gen(function* () {
      for (const cancel of [undefined, declines]) {
        const { late, now } = yield* environment({ a: { ...(cancel && { cancel }) }, b: {}, every: 60_000 })
        yield* late({ _tag: "Authorized" })
        yield* TestClock.adjust("10 minutes")
        assert.deepInclude(yield* now, { reviews: ["late_authorization"] })
        yield* TestClock.adjust("3 days")
        assert.deepInclude(yield* now, { reviews: ["late_authorization"] })
      }
    })
  )

  it.effect("of a hold is inquired until it is confirmed, and not as long as it stands", () =>
    Effect.gen(function* () {
      let inquiries = 0
      const inquire = () => Effect.sync(() => (inquiries++, Outcome.authorized()))
      const { late, now } = yield* environment({ a: { inquire }, b: {}, every: 3_600_000 })
      yield* late({ _tag: "Authorized" })
      yield* TestClock.adjust("30 days")
      assert.deepInclude(yield* now, { reviews: ["late_authorization"] })
      assert.strictEqual(inquiries, 1)
    })
  )

  it.effect("is inquired as often where the attempt was inquired often before", () =>
    Effect.gen(function* () {
      const state = { answer: Outcome.pending() as InquiryOutcome }
      const store = MemoryStore.make()
      const engine = yield* start(
        store,
        [
          scripted("a", {
            create: () => Effect.succeed(Outcome.pending()),
            refund: succeeds,
            cancel: succeeds,
            inquire: () => Effect.sync(() => state.answer)
          })
        ],
        { reconciler: { every: 60_000 } }
      )
      const record = yield* engine.create()
      yield* TestClock.adjust("5 days")
      yield* engine.payments.cancel(record.payment.id, plain)
      state.answer = Outcome.unknown({ reason: "timeout" })
      yield* engine.payments.advance(reported(createOf(record), taken))
      yield* TestClock.adjust("30 minutes")
      state.answer = Outcome.succeeded()
      yield* TestClock.adjust("1 hour")
      assert.deepInclude(summary(yield* read(store, record)), {
        state: "canceled",
        reviews: [],
        later: ["requested cancel 1200 succeeded", "reversal refund 1200 succeeded"]
      })
    })
  )

  it.effect("at a second provider does not keep the payment from being refunded", () =>
    Effect.gen(function* () {
      const { id, late, payments } = yield* environment({
        a: { cancel: () => Effect.succeed(Outcome.pending()) },
        b: { refund: succeeds }
      })
      yield* late({ _tag: "Authorized" })
      yield* TestClock.adjust("5 seconds")
      const { operation } = yield* payments.refund(id, { minorUnits: null, reason: null }, plain)
      assert.strictEqual(operation.status, "succeeded")
    })
  )
})

describe("a reversal", () => {
  it.effect("that is declined is looked at by an operator", () =>
    Effect.gen(function* () {
      const { late, now } = yield* environment({ a: { refund: declines }, b: {} })
      yield* late()
      yield* TestClock.adjust("5 seconds")
      const { later, reviews } = yield* now
      assert.deepStrictEqual(
        { later, reviews },
        { later: ["reversal refund 1200 declined"], reviews: ["duplicate_capture"] }
      )
    })
  )

  it.effect("that was proven not done is sent again under the same key, until it is done", () =>
    Effect.gen(function* () {
      const keys: Array<string> = []
      let reachable = false
      const { late, now } = yield* environment({
        a: {
          refund: ({ key }) =>
            Effect.sync(() => {
              keys.push(key)
              return reachable ? Outcome.succeeded() : Outcome.notExecuted({ reason: "not_sent" })
            })
        },
        b: {}
      })
      yield* late()
      yield* TestClock.adjust("3 minutes")
      assert.deepStrictEqual((yield* now).later, ["reversal refund 1200 planned"])
      reachable = true
      yield* TestClock.adjust("10 minutes")
      const { later, reviews } = yield* now
      assert.deepStrictEqual({ later, reviews }, { later: ["reversal refund 1200 succeeded"], reviews: [] })
      assert.isAbove(keys.length, 1)
      assert.strictEqual(new Set(keys).size, 1)
    })
  )

  it.effect("that the last inquiry proves not done is sent again", () =>
    Effect.gen(function* () {
      let inquiries = 0
      let refunds = 0
      const { late, now } = yield* environment({
        a: {
          refund: () =>
            Effect.sync(() => (++refunds === 1 ? Outcome.unknown({ reason: "timeout" }) : Outcome.succeeded())),
          later: { inquiry: { by: "reference", costly: true, notFoundIsFinalAfter: "15 minutes" }, partial: true },
          inquire: ({ kind }) =>
            Effect.sync(() => {
              if (kind === "create") return Outcome.succeeded()
              return ++inquiries < 3 ? Outcome.unknown({ reason: "server_error" }) : Outcome.notFound()
            })
        },
        b: {},
        every: 60_000
      })
      yield* late()
      yield* TestClock.adjust("1 day")
      assert.deepStrictEqual([inquiries, refunds], [3, 2])
      const { later, reviews } = yield* now
      assert.deepStrictEqual({ later, reviews }, { later: ["reversal refund 1200 succeeded"], reviews: [] })
    })
  )

  it.effect("that is never done is looked at by an operator in the end, not before", () =>
    Effect.gen(function* () {
      const store = MemoryStore.make()
      const engine = yield* start(
        store,
        [scripted("a", { create: notSent, refund: notSent, inquire: succeeds }), scripted("b", { create: succeeds })],
        { reconciler: { every: 60_000 }, breaker: { minimumCalls: 1000 } }
      )
      const record = yield* engine.create()
      yield* engine.payments.advance(reported(createOf(record), taken))
      yield* TestClock.adjust("2 hours")
      const early = summary(yield* read(store, record))
      assert.deepStrictEqual([early.reviews, early.later], [[], ["reversal refund 1200 planned"]])
      yield* TestClock.adjust("30 hours")
      const late = summary(yield* read(store, record))
      assert.deepStrictEqual([late.reviews, late.later], [["duplicate_capture"], ["reversal refund 1200 not_executed"]])
    })
  )

  it.effect("that comes back later is looked at by an operator", () =>
    Effect.gen(function* () {
      const store = MemoryStore.make()
      const { late, now, payments, record } = yield* environment({ a: { refund: succeeds }, b: {}, store })
      yield* late()
      yield* TestClock.adjust("5 seconds")
      const reversal = (yield* read(store, record)).operations.find(({ purpose }) => purpose === "reversal")
      if (reversal === undefined) throw new Error("no reversal")
      yield* payments.advance(reported(reversal.id, { _tag: "RefundFailed" }))
      const { later, reviews } = yield* now
      assert.deepStrictEqual(
        { later, reviews },
        { later: ["reversal refund 1200 declined"], reviews: ["duplicate_capture"] }
      )
    })
  )

  for (const [where, died] of [
    ["before it was sent", "planned"],
    ["after it was sent, before its answer", "sending"]
  ] as const) {
    it.effect(`survives a crash ${where}: the provider gives back once`, () =>
      Effect.gen(function* () {
        const store = MemoryStore.make()
        const { all, keep } = ledger()
        const b = scripted("b", { create: succeeds })
        const first = yield* start(
          store,
          [
            scripted("a", {
              create: notSent,
              refund: (operation) => Effect.suspend(() => (keep(operation), Effect.never))
            }),
            b
          ],
          died === "planned" ? { reconciler: { every: 3_600_000 } } : {}
        )
        const record = yield* first.create()
        yield* TestClock.adjust("2 seconds")
        yield* first.payments.advance({ ...reported(createOf(record), taken), source: "observed" })
        yield* TestClock.adjust("2 seconds")
        assert.deepStrictEqual(summary(yield* read(store, record)).later, [`reversal refund 1200 ${died}`])
        yield* first.end
        const refund = (operation: ProviderOperation) => Effect.sync(() => (keep(operation), Outcome.succeeded()))
        const found = () => Effect.sync(() => (all().length > 0 ? Outcome.succeeded() : Outcome.notFound()))
        yield* start(store, [scripted("a", { create: notSent, refund, inquire: found }), b])
        yield* TestClock.adjust("5 minutes")
        const { later, reviews } = summary(yield* read(store, record))
        assert.deepStrictEqual({ later, reviews }, { later: ["reversal refund 1200 succeeded"], reviews: [] })
        assert.deepStrictEqual(all(), [1200])
      })
    )
  }
})
