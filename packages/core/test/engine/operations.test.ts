import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { refundId } from "../../src/domain/Refund.ts"
import * as Outcome from "../../src/domain/Outcome.ts"
import { MemoryStore } from "@paymux/testkit/memory-store"
import { StoreUnavailable } from "../../src/store/PaymentStore.ts"
import {
  cardOnHold,
  createOf,
  eventsOf,
  keyed,
  laterIdempotent,
  plain,
  read,
  scripted,
  start,
  summary,
  tenant,
  reported
} from "./fixtures.ts"
import type { Script, Store } from "./fixtures.ts"
import { money } from "../domain/records.ts"

const succeeds = () => Effect.succeed(Outcome.succeeded())
const holds = () => Effect.succeed(Outcome.authorized({ reference: "pi_1" }))
const all = { minorUnits: null }
const whole = { minorUnits: null, reason: null }

/** A payment on hold at a provider of this script. */
const held = Effect.fnUntraced(function* (script: Partial<Script>, store: Store = MemoryStore.make()) {
  const engine = yield* start(store, [scripted("a", { create: holds, ...script })])
  const record = yield* engine.create(cardOnHold)
  const { id } = record.payment
  return { ...engine, store, record, id, now: Effect.map(read(store, record), summary), events: eventsOf(store, id) }
})

/** A payment of 1200 that was paid; `b` would take anything that is sent to it. */
const paid = Effect.fnUntraced(function* (script: Partial<Script>, store: Store = MemoryStore.make()) {
  const strayed: Array<string> = []
  const stray = (kind: string) => () => Effect.sync(() => (strayed.push(kind), Outcome.succeeded()))
  const engine = yield* start(store, [
    scripted("a", { create: succeeds, refund: succeeds, ...script }),
    scripted("b", { create: stray("create"), refund: stray("refund") })
  ])
  const record = yield* engine.create()
  const { id } = record.payment
  const now = read(store, record)
  return { ...engine, store, record, id, strayed, now, events: eventsOf(store, id) }
})

describe("capture", () => {
  it.effect("takes the whole hold, and writes payment.succeeded", () =>
    Effect.gen(function* () {
      const { events, id, payments } = yield* held({ capture: succeeds })
      const { record } = yield* payments.capture(id, all, plain)
      assert.deepStrictEqual(record.payment.state, { status: "succeeded", late: false })
      assert.strictEqual(record.payment.amountCaptured, 1200)
      assert.deepStrictEqual(yield* events, ["payment.authorized", "payment.succeeded"])
    })
  )

  it.effect("of a part captures that part, and the provider receives the part and the original", () =>
    Effect.gen(function* () {
      const asked: Array<unknown> = []
      const { id, payments } = yield* held({
        capture: ({ amount, original }) =>
          Effect.sync(() => (asked.push([amount.minorUnits, original?.reference]), Outcome.succeeded({ amount })))
      })
      const { record } = yield* payments.capture(id, { minorUnits: 500 }, plain)
      assert.strictEqual(record.payment.amountCaptured, 500)
      assert.deepStrictEqual(asked, [[500, "pi_1"]])
    })
  )

  it.effect("of a part is refused where the provider cannot; nothing is sent", () =>
    Effect.gen(function* () {
      const { id, now, payments } = yield* held({ capture: succeeds, later: {} })
      const error = yield* Effect.flip(payments.capture(id, { minorUnits: 500 }, plain))
      assert.deepInclude(error.reason, { _tag: "OperationRefused", reason: "not_supported" })
      assert.deepStrictEqual((yield* now).later, [])
    })
  )

  it.effect("declined leaves the hold, and a further capture may be asked for", () =>
    Effect.gen(function* () {
      let captures = 0
      const { events, id, now, payments } = yield* held({
        capture: () =>
          Effect.sync(() =>
            ++captures === 1 ? Outcome.declined({ code: "processing_error", retry: "same_later" }) : Outcome.succeeded()
          )
      })
      yield* payments.capture(id, all, plain)
      assert.deepStrictEqual(yield* now, {
        state: "authorized",
        reviews: [],
        attempts: ["a authorized"],
        later: ["requested capture 1200 declined"]
      })
      yield* payments.capture(id, all, plain)
      assert.strictEqual((yield* now).state, "succeeded")
      assert.deepStrictEqual(yield* events, ["payment.authorized", "payment.capture_failed", "payment.succeeded"])
    })
  )

  it.effect("whose outcome is unknown is held, asked about, and never sent under another key", () =>
    Effect.gen(function* () {
      const keys = new Set<string>()
      const { id, now, payments } = yield* held({
        capture: ({ key }) => Effect.sync(() => (keys.add(key), Outcome.unknown({ reason: "timeout" }))),
        inquire: ({ kind }) => Effect.succeed(kind === "capture" ? Outcome.succeeded() : Outcome.authorized())
      })
      const caller = yield* Effect.forkChild(payments.capture(id, all, plain))
      yield* TestClock.adjust("20 seconds")
      const answered = yield* Fiber.join(caller)
      assert.strictEqual(answered.operation.status, "unknown")
      assert.strictEqual((yield* now).state, "authorized")
      const again = yield* Effect.flip(payments.capture(id, all, plain))
      assert.deepInclude(again.reason, { _tag: "OperationRefused", reason: "in_flight" })
      const cancel = yield* Effect.flip(payments.cancel(id, plain))
      assert.strictEqual(cancel.reason._tag, "OperationRefused")
      yield* TestClock.adjust("2 minutes")
      assert.strictEqual((yield* now).state, "succeeded")
      assert.strictEqual(keys.size, 1)
    })
  )

  it.effect("that is pending is settled by the provider's webhook, whichever name it is called by", () =>
    Effect.gen(function* () {
      for (const about of ["capture", "create", "reference"] as const) {
        const { id, now, payments, record } = yield* held({
          capture: () => Effect.succeed(Outcome.pending({ reference: "pi_1" }))
        })
        const { operation } = yield* payments.capture(id, { minorUnits: 500 }, plain)
        const subject = {
          capture: operation.id,
          create: createOf(record),
          reference: { provider: "a", providerReference: "pi_1" }
        }[about]
        const amount = { ...record.payment.amount, minorUnits: 500 }
        yield* payments.advance(reported(subject, { _tag: "Captured", amount }))
        assert.deepStrictEqual(
          yield* now,
          {
            state: "succeeded",
            reviews: [],
            attempts: ["a succeeded"],
            later: ["requested capture 500 succeeded"]
          },
          about
        )
        const { record: captured } = yield* payments
          .capture(id, all, plain)
          .pipe(Effect.flip, Effect.andThen(Effect.map(payments.get(tenant, id), (got) => ({ record: got }))))
        assert.strictEqual(captured.payment.amountCaptured, 500)
      }
    })
  )

  it.effect("found out after its hold was said to be gone is money, and is not silent", () =>
    Effect.gen(function* () {
      const refunds: Array<number> = []
      const { id, now, payments, record } = yield* held({
        capture: () => Effect.succeed(Outcome.pending()),
        refund: ({ amount }) => Effect.sync(() => (refunds.push(amount.minorUnits), Outcome.succeeded())),
        inquire: ({ amount }) => Effect.succeed(Outcome.succeeded({ amount: { ...amount, minorUnits: 500 } }))
      })
      const { operation } = yield* payments.capture(id, { minorUnits: 500 }, plain)
      yield* payments.advance(reported(createOf(record), { _tag: "Canceled" }))
      assert.strictEqual((yield* now).state, "canceled")
      yield* payments.advance(reported(operation.id, { _tag: "Succeeded" }))
      yield* TestClock.adjust("5 seconds")
      assert.deepStrictEqual(yield* now, {
        state: "canceled",
        reviews: [],
        attempts: ["a succeeded overpayment"],
        later: ["requested capture 500 succeeded", "reversal refund 500 succeeded"]
      })
      assert.deepStrictEqual(refunds, [500])
    })
  )

  it.effect("that the provider takes back after success is reviewed and reported once, whatever the report names", () =>
    Effect.gen(function* () {
      for (const about of ["capture", "create"] as const) {
        const { events, id, now, payments, record } = yield* held({ capture: succeeds })
        const { operation } = yield* payments.capture(id, all, plain)
        const subject = about === "capture" ? operation.id : createOf(record)
        for (let i = 0; i < 2; i++) yield* payments.advance(reported(subject, { _tag: "CaptureFailed" }))
        const { reviews, state } = yield* now
        assert.deepStrictEqual({ reviews, state }, { reviews: ["capture_failed"], state: "succeeded" })
        assert.deepStrictEqual(yield* events, [
          "payment.authorized",
          "payment.succeeded",
          "payment.capture_failed",
          "payment.review_opened"
        ])
      }
    })
  )
})

describe("cancel", () => {
  it.effect("lets go of a hold", () =>
    Effect.gen(function* () {
      const { events, id, payments } = yield* held({ cancel: succeeds })
      const { record } = yield* payments.cancel(id, plain)
      assert.deepStrictEqual(summary(record), {
        state: "canceled",
        reviews: [],
        attempts: ["a canceled"],
        later: ["requested cancel 1200 succeeded"]
      })
      assert.deepStrictEqual(yield* events, ["payment.authorized", "payment.canceled"])
    })
  )

  const awaiting = (script: Partial<Script>) =>
    held({
      create: () =>
        Effect.succeed(
          Outcome.pending({
            reference: "pi_1",
            nextAction: { type: "redirect", url: "https://x.test", expiresAt: null }
          })
        ),
      ...script
    })

  it.effect("closes what the payer has not done yet; what is paid all the same is given back (d)", () =>
    Effect.gen(function* () {
      const { events, id, now, payments } = yield* awaiting({
        cancel: () => Effect.succeed(Outcome.succeeded({ reference: "pi_1" })),
        refund: succeeds,
        inquire: succeeds
      })
      yield* payments.cancel(id, plain)
      assert.strictEqual((yield* now).state, "canceled")
      // The cancel has the same name at the provider as what it canceled.
      yield* payments.advance(reported({ provider: "a", providerReference: "pi_1" }, { _tag: "Succeeded" }))
      yield* TestClock.adjust("5 seconds")
      assert.deepStrictEqual(yield* now, {
        state: "canceled",
        reviews: [],
        attempts: ["a succeeded overpayment"],
        later: ["requested cancel 1200 succeeded", "reversal refund 1200 succeeded"]
      })
      assert.deepStrictEqual(yield* events, ["payment.pending", "payment.canceled", "payment.late_reversed"])
    })
  )

  it.effect(
    "that loses against a success leaves the payment paid; one that was confirmed all the same is reviewed",
    () =>
      Effect.gen(function* () {
        for (const [confirmed, reviews] of [
          [false, []],
          [true, ["paid_after_close"]]
        ] as const) {
          const { id, now, payments, record } = yield* awaiting({
            cancel: () => Effect.succeed(Outcome.pending({ reference: "pi_1" }))
          })
          const { operation } = yield* payments.cancel(id, plain)
          yield* payments.advance(reported({ provider: "a", providerReference: "pi_1" }, { _tag: "Succeeded" }))
          assert.strictEqual((yield* now).state, "succeeded")
          yield* payments.advance(
            reported(
              operation.id,
              confirmed ? { _tag: "Canceled" } : { _tag: "Declined", code: "processing_error", retry: "never" }
            )
          )
          const after = yield* now
          assert.deepStrictEqual([after.state, after.reviews], ["succeeded", reviews])
          assert.strictEqual((yield* payments.get(tenant, id)).payment.amountCaptured, record.payment.amount.minorUnits)
        }
      })
  )

  it.effect("of what may be on its way is refused", () =>
    Effect.gen(function* () {
      const { id, payments } = yield* held({
        create: () => Effect.succeed(Outcome.unknown({ reason: "duplicate" })),
        cancel: succeeds
      })
      const error = yield* Effect.flip(payments.cancel(id, plain))
      assert.deepInclude(error.reason, { _tag: "OperationRefused", reason: "wrong_state" })
    })
  )
})

describe("refund", () => {
  it.effect("of parts: two equal ones are two, under two keys, and their sum is what was refunded (I5)", () =>
    Effect.gen(function* () {
      const keys: Array<string> = []
      const { events, id, now, payments } = yield* paid({
        refund: ({ key }) => Effect.sync(() => (keys.push(key), Outcome.succeeded()))
      })
      const part = { minorUnits: 500, reason: "returned" }
      const first = yield* payments.refund(id, part, plain)
      const second = yield* payments.refund(id, part, plain)
      assert.notStrictEqual(first.operation.id, second.operation.id)
      assert.strictEqual(new Set(keys).size, 2)
      assert.strictEqual((yield* now).payment.amountRefunded, 1000)
      const error = yield* Effect.flip(payments.refund(id, part, plain))
      assert.deepInclude(error.reason, { _tag: "InvalidPayment" })
      yield* payments.refund(id, whole, plain)
      assert.strictEqual((yield* now).payment.amountRefunded, 1200)
      assert.strictEqual(keys.length, 3)
      assert.deepStrictEqual(yield* events, [
        "payment.succeeded",
        "refund.succeeded",
        "refund.succeeded",
        "refund.succeeded"
      ])
    })
  )

  it.effect("answers the refund, with a key and without", () =>
    Effect.gen(function* () {
      const { id, payments } = yield* paid({})
      for (const options of [plain, keyed("refunds", "k")]) {
        const { body, operation } = yield* payments.refund(id, { minorUnits: 100, reason: null }, options)
        const json: unknown = JSON.parse(body)
        assert.deepInclude(json, {
          object: "refund",
          id: refundId(operation.id),
          status: "succeeded",
          amount: 100
        })
      }
    })
  )

  it.effect("what is on its way counts: no more is asked for than there is left", () =>
    Effect.gen(function* () {
      const { id, payments } = yield* paid({ refund: () => Effect.succeed(Outcome.pending()) })
      yield* payments.refund(id, { minorUnits: 1000, reason: null }, plain)
      const error = yield* Effect.flip(payments.refund(id, { minorUnits: 201, reason: null }, plain))
      assert.strictEqual(error.reason._tag, "InvalidPayment")
      yield* payments.refund(id, whole, plain)
      const none = yield* Effect.flip(payments.refund(id, whole, plain))
      assert.deepInclude(none.reason, { _tag: "OperationRefused", reason: "wrong_state" })
    })
  )

  it.effect("of what is no amount is refused, and nothing is sent", () =>
    Effect.gen(function* () {
      let sent = 0
      const { id, payments } = yield* paid({ refund: () => Effect.sync(() => (sent++, Outcome.succeeded())) })
      for (const minorUnits of [0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53]) {
        const error = yield* Effect.flip(payments.refund(id, { minorUnits, reason: null }, plain))
        assert.strictEqual(error.reason._tag, "InvalidPayment", String(minorUnits))
      }
      assert.strictEqual(sent, 0)
    })
  )

  it.effect("that is unknown is held, asked about and never sent to another provider", () =>
    Effect.gen(function* () {
      let found = false
      const { events, id, now, payments, strayed } = yield* paid({
        refund: () => Effect.succeed(Outcome.unknown({ reason: "duplicate" })),
        inquire: () => Effect.sync(() => (found ? Outcome.succeeded() : Outcome.unknown({ reason: "server_error" })))
      })
      yield* payments.refund(id, whole, plain)
      yield* TestClock.adjust("5 minutes")
      assert.deepStrictEqual(summary(yield* now).later, ["requested refund 1200 unknown"])
      found = true
      yield* TestClock.adjust("10 minutes")
      assert.deepStrictEqual(summary(yield* now).later, ["requested refund 1200 succeeded"])
      assert.deepStrictEqual(strayed, [])
      assert.deepStrictEqual(yield* events, ["payment.succeeded", "refund.pending", "refund.succeeded"])
    })
  )

  it.effect("whose outcome cannot be determined is flagged; it neither fails nor is sent again", () =>
    Effect.gen(function* () {
      let sends = 0
      const { id, now, payments } = yield* paid({
        refund: () => Effect.sync(() => (sends++, Outcome.unknown({ reason: "timeout" }))),
        later: {}
      })
      yield* payments.refund(id, whole, plain)
      yield* TestClock.adjust("1 hour")
      const { later, reviews } = summary(yield* now)
      assert.deepStrictEqual(
        { later, reviews },
        { later: ["requested refund 1200 unknown"], reviews: ["inquiries_exhausted"] }
      )
      assert.strictEqual(sends, 1)
    })
  )

  it.effect("that comes back after it was confirmed is taken out of the sum, once", () =>
    Effect.gen(function* () {
      const { events, id, now, payments } = yield* paid({})
      const { operation } = yield* payments.refund(id, { minorUnits: 700, reason: null }, plain)
      for (let i = 0; i < 2; i++) yield* payments.advance(reported(operation.id, { _tag: "RefundFailed" }))
      const record = yield* now
      assert.strictEqual(record.payment.amountRefunded, 0)
      assert.deepStrictEqual(summary(record).later, ["requested refund 700 declined"])
      assert.deepStrictEqual(yield* events, ["payment.succeeded", "refund.succeeded", "refund.failed"])
    })
  )

  it.effect("that was not found and was done is counted; on top of its repeat it is reviewed", () =>
    Effect.gen(function* () {
      for (const repeated of [false, true]) {
        let sends = 0
        const { id, now, payments } = yield* paid({
          refund: () =>
            Effect.sync(() => (++sends === 1 ? Outcome.unknown({ reason: "duplicate" }) : Outcome.succeeded())),
          inquire: () => Effect.succeed(Outcome.notFound())
        })
        const { operation } = yield* payments.refund(id, whole, plain)
        yield* TestClock.adjust("30 minutes")
        assert.deepStrictEqual(summary(yield* now).later, ["requested refund 1200 not_executed"])
        if (repeated) yield* payments.refund(id, whole, plain)
        yield* payments.advance(reported(operation.id, { _tag: "RefundSucceeded" }))
        const { payment } = yield* now
        assert.strictEqual(payment.amountRefunded, repeated ? 2400 : 1200)
        assert.deepStrictEqual(
          payment.reviews.map(({ minorUnits, provider, reason }) => [reason, provider, minorUnits]),
          repeated ? [["excess_refund", "a", 1200]] : []
        )
      }
    })
  )

  it.effect("is sent once though its caller hangs up, and is found by its own id, by its own account only", () =>
    Effect.gen(function* () {
      let sends = 0
      const { id, now, payments } = yield* paid({
        refund: () => Effect.suspend(() => (sends++, Effect.as(Effect.sleep("2 seconds"), Outcome.succeeded())))
      })
      const caller = yield* Effect.forkChild(payments.refund(id, whole, plain))
      yield* TestClock.adjust("1 second")
      yield* Fiber.interrupt(caller)
      yield* TestClock.adjust("5 seconds")
      const [refund] = (yield* now).operations.filter(({ kind }) => kind === "refund")
      if (refund === undefined) throw new Error("the refund was lost")
      assert.deepStrictEqual([refund.status, sends], ["succeeded", 1])
      const found = yield* payments.findRefund(tenant, refundId(refund.id))
      assert.strictEqual(found.operation.id, refund.id)
      for (const other of [
        { ...tenant, account: "other" },
        { ...tenant, livemode: true }
      ]) {
        const missing = yield* Effect.flip(payments.findRefund(other, refundId(refund.id)))
        assert.strictEqual(missing.reason._tag, "RefundNotFound")
        const notTheirs = yield* Effect.flip(payments.refund(id, whole, { tenant: other, idempotency: null }))
        assert.strictEqual(notTheirs.reason._tag, "PaymentNotFound")
      }
    })
  )
})

describe("an idempotency key of a later operation", () => {
  it.effect("answers the same bytes and sends once; another body, payment or kind is refused", () =>
    Effect.gen(function* () {
      let sends = 0
      const { create, id, payments } = yield* paid({
        refund: () => Effect.sync(() => (sends++, Outcome.succeeded()))
      })
      const part = { minorUnits: 100, reason: null }
      const first = yield* payments.refund(id, part, keyed("refunds", "k"))
      const again = yield* payments.refund(id, part, keyed("refunds", "k"))
      assert.deepStrictEqual([again.body, again.replayed, sends], [first.body, true, 1])
      const other = yield* create()
      for (const refused of [
        payments.refund(id, { ...part, minorUnits: 101 }, keyed("refunds", "k")),
        payments.refund(id, { ...part, reason: "x" }, keyed("refunds", "k")),
        payments.refund(other.payment.id, part, keyed("refunds", "k")),
        payments.cancel(id, keyed("refunds", "k"))
      ]) {
        assert.strictEqual((yield* Effect.flip(refused)).reason._tag, "IdempotencyKeyReused")
      }
      assert.strictEqual(sends, 1)
    })
  )

  it.effect("is in flight while its operation is sent; the bytes of an answer at ten seconds are kept", () =>
    Effect.gen(function* () {
      const sent = yield* Deferred.make<void>()
      const { id, now, payments } = yield* paid({
        refund: () =>
          Deferred.succeed(sent, undefined).pipe(
            Effect.andThen(Effect.sleep("14 seconds")),
            Effect.as(Outcome.succeeded())
          )
      })
      const ask = payments.refund(id, whole, keyed("refunds", "k"))
      const caller = yield* Effect.forkChild(ask)
      // The digest of the request takes real time on a thread of its own, which no test clock covers.
      yield* Deferred.await(sent)
      yield* TestClock.adjust("1 second")
      assert.strictEqual((yield* Effect.flip(ask)).reason._tag, "IdempotencyInFlight")
      yield* TestClock.adjust("10 seconds")
      const first = yield* Fiber.join(caller)
      assert.deepInclude(JSON.parse(first.body), { status: "pending" })
      yield* TestClock.adjust("10 seconds")
      assert.strictEqual((yield* now).payment.amountRefunded, 1200)
      assert.strictEqual((yield* ask).body, first.body)
    })
  )

  it.effect("fifty requests at once under one key are one refund; without a key no more than there is", () =>
    Effect.gen(function* () {
      for (const key of ["k", null]) {
        let refunded = 0
        const { id, now, payments } = yield* paid({
          refund: ({ amount }) => Effect.sync(() => ((refunded += amount.minorUnits), Outcome.succeeded()))
        })
        yield* Effect.forEach(
          Array.from({ length: 50 }),
          () =>
            Effect.ignore(
              payments.refund(id, { minorUnits: 500, reason: null }, key === null ? plain : keyed("refunds", key))
            ),
          { concurrency: "unbounded" }
        )
        assert.strictEqual(refunded, key === null ? 1000 : 500)
        assert.strictEqual((yield* now).payment.amountRefunded, refunded)
      }
    })
  )
})

describe("the version that a request names", () => {
  const part = { minorUnits: 500, reason: null }

  it.effect("is compared where it is written: of many refunds for one version, whatever their keys, one is made", () =>
    Effect.gen(function* () {
      let sends = 0
      const { id, now, payments, record } = yield* paid({
        refund: () => Effect.sync(() => (sends++, Outcome.succeeded()))
      })
      const { version } = yield* payments.get(tenant, record.payment.id).pipe(Effect.map(({ payment }) => payment))
      const ask = (n: number) => payments.refund(id, part, { ...keyed("refunds", `k${n}`), version })
      const results = yield* Effect.forEach(
        Array.from({ length: 20 }, (_, n) => n),
        (n) => Effect.result(ask(n)),
        { concurrency: "unbounded" }
      )
      const refused = results.flatMap((result) => (result._tag === "Failure" ? [result.failure.reason] : []))
      assert.lengthOf(refused, 19)
      for (const reason of refused) assert.strictEqual(reason._tag, "VersionConflict")
      assert.deepStrictEqual([sends, (yield* now).payment.amountRefunded], [1, 500])
      const made = results.findIndex((result) => result._tag === "Success")
      assert.isTrue((yield* ask(made)).replayed)
      const { reason } = yield* Effect.flip(payments.cancel(id, { ...plain, version: version + 100 }))
      assert.deepInclude(reason, { _tag: "VersionConflict", version: (yield* now).payment.version })
    })
  )

  it.effect("does not refuse a repeat whose first request was accepted between the two reads", () =>
    Effect.gen(function* () {
      const memory = MemoryStore.make()
      const { id, now, payments } = yield* paid({}, memory)
      const { version } = (yield* now).payment
      const first = payments.refund(id, part, { ...keyed("refunds", "k"), version })
      let reads = 0
      // The key is looked up, and then the other process accepts the same request.
      const store: Store = {
        ...memory,
        find: (tenant, payment) =>
          Effect.andThen(++reads === 1 ? Effect.orDie(first) : Effect.void, memory.find(tenant, payment))
      }
      const other = yield* start(store, [scripted("a", { create: succeeds, refund: succeeds })])
      const second = yield* other.payments.refund(id, part, { ...keyed("refunds", "k"), version })
      assert.isTrue(second.replayed)
      assert.strictEqual((yield* now).payment.amountRefunded, 500)
    })
  )
})

describe("nothing is written and no key is used", () => {
  it.effect("if no provider supports it", () =>
    Effect.gen(function* () {
      const store = MemoryStore.make()
      const engine = yield* start(
        store,
        [
          scripted("a", {
            create: succeeds,
            refund: () => Effect.succeed(Outcome.unknown({ reason: "server_error" })),
            later: { partial: true }
          })
        ],
        { breaker: { minimumCalls: 1 } }
      )
      const record = yield* engine.create()
      yield* engine.payments.refund(record.payment.id, { minorUnits: 100, reason: null }, plain)
      const before = yield* read(store, record)
      const error = yield* Effect.flip(
        engine.payments.refund(record.payment.id, { minorUnits: 100, reason: null }, keyed("refunds", "k"))
      )
      assert.strictEqual(error.reason._tag, "NoProviderAvailable")
      assert.include(error.message, "nothing was refunded")
      assert.isNull(yield* store.findKey(tenant, "refunds", "k"))
      assert.deepStrictEqual(yield* read(store, record), before)
    })
  )

  it.effect("where the provider cannot, the state does not fit, or there is no such payment", () =>
    Effect.gen(function* () {
      const { id, payments, store } = yield* paid({})
      for (const [call, tag] of [
        [payments.capture(id, all, keyed("e", "k")), "OperationRefused"],
        [payments.cancel(id, keyed("e", "k")), "OperationRefused"],
        [payments.refund(id, { minorUnits: 1201, reason: null }, keyed("e", "k")), "InvalidPayment"]
      ] as const) {
        assert.strictEqual((yield* Effect.flip(call)).reason._tag, tag)
        assert.isNull(yield* store.findKey(tenant, "e", "k"))
      }
    })
  )
})

describe("the store fails", () => {
  /** Commits, and then says that it could not; `at`: of the commits after the payment was made. */
  const losesReply = (at: number) => {
    const inner = MemoryStore.make()
    const state = { commits: 0, armed: false }
    const store: Store = {
      ...inner,
      advance: (commit) =>
        Effect.tap(inner.advance(commit), () =>
          state.armed && ++state.commits === at
            ? Effect.fail(new StoreUnavailable({ cause: "reply lost" }))
            : Effect.void
        )
    }
    return { store, arm: () => (state.armed = true) }
  }

  for (const at of [1, 2]) {
    it.effect(`the reply of commit ${at} of a refund is lost: nothing is lost, nothing is sent twice`, () =>
      Effect.gen(function* () {
        let sends = 0
        const { arm, store } = losesReply(at)
        const { events, id, now, payments } = yield* paid(
          { refund: () => Effect.sync(() => (sends++, Outcome.succeeded())) },
          store
        )
        arm()
        const { body, operation } = yield* payments.refund(id, whole, keyed("refunds", "k"))
        assert.strictEqual(operation.status, "succeeded")
        assert.strictEqual((yield* payments.refund(id, whole, keyed("refunds", "k"))).body, body)
        assert.deepStrictEqual([(yield* now).payment.amountRefunded, sends], [1200, 1])
        assert.deepStrictEqual(yield* events, ["payment.succeeded", "refund.succeeded"])
      })
    )
  }

  it.effect("a commit that is refused is not acknowledged, and its place at the provider is free again", () =>
    Effect.gen(function* () {
      const inner = MemoryStore.make()
      const state = { away: false }
      const store: Store = {
        ...inner,
        advance: (commit) => (state.away ? Effect.fail(new StoreUnavailable({ cause: "away" })) : inner.advance(commit))
      }
      const { id, now, payments } = yield* paid({}, store)
      state.away = true
      const error = yield* Effect.flip(payments.refund(id, whole, plain))
      assert.strictEqual(error.reason._tag, "Unavailable")
      state.away = false
      assert.deepStrictEqual(summary(yield* now).later, [])
      yield* payments.refund(id, whole, plain)
      assert.strictEqual((yield* now).payment.amountRefunded, 1200)
    })
  )

  it.effect("the reply of the commit that fails over is lost: the second attempt is driven, once", () =>
    Effect.gen(function* () {
      const { arm, store } = losesReply(1)
      const sent: Array<string> = []
      const engine = yield* start(store, [
        scripted("a", { create: () => Effect.succeed(Outcome.notExecuted({ reason: "not_sent" })) }),
        scripted("b", { create: ({ key }) => Effect.sync(() => (sent.push(key), Outcome.succeeded())) })
      ])
      arm()
      const record = yield* engine.create()
      assert.deepStrictEqual(summary(record).attempts, ["a not_executed", "b succeeded"])
      yield* TestClock.adjust("2 minutes")
      assert.strictEqual(sent.length, 1)
      assert.strictEqual(record.operations[1]?.key, sent[0])
      assert.deepStrictEqual(yield* eventsOf(store, record.payment.id), ["payment.succeeded"])
    })
  )
})

describe("disputes", () => {
  it.effect("refuse a refund of more than they leave, send nothing, and let an operator override with evidence", () =>
    Effect.gen(function* () {
      const made = yield* paid({ later: { ...laterIdempotent, partial: true } })
      const { events, id, now, payments, record, store } = made
      const amount = money(1000)
      yield* payments.advance(reported(createOf(record), { _tag: "Disputed", amount, reference: "dp_1" }))
      const before = yield* now
      const ask = (minorUnits: number | null, override?: string) =>
        payments.refund(id, { minorUnits, reason: null, ...(override !== undefined && { override }) }, plain)
      const { reason } = yield* Effect.flip(ask(201))
      assert.deepInclude(reason, { _tag: "RefundExceedsAvailable", captured: 1200, disputed: 1000, available: 200 })
      assert.deepStrictEqual(yield* now, before, "nothing was written")
      const [offer] = payments.offers(before).filter(({ kind }) => kind === "refund")
      assert.deepInclude(offer, { amount: 200, refusal: null })
      assert.deepInclude(offer?.override, { amount: 1200, partial: true })
      assert.deepInclude(offer?.override?.refundable, { captured: 1200, disputed: 1000, available: 200 })
      assert.strictEqual((yield* ask(null)).operation.minorUnits, 200)
      yield* ask(500, "Ticket 4711: the bank asked for it")
      assert.strictEqual((yield* now).payment.amountRefunded, 700)
      const evidence = (yield* store.evidenceOf(id)).filter(({ source }) => source === "operator")
      assert.deepStrictEqual(
        evidence.map(({ document, kind }) => [kind, document]),
        [["refund_override", "Ticket 4711: the bank asked for it"]]
      )
      assert.deepStrictEqual(
        (yield* now).payment.reviews.map(({ minorUnits, reason }) => [reason, minorUnits]),
        [["disputed_refund", 500]]
      )
      assert.include(yield* events, "payment.disputed")
    })
  )

  it.effect("are recorded and reported once, whatever the report names", () =>
    Effect.gen(function* () {
      const { events, id, now, payments, record } = yield* paid({ later: laterIdempotent })
      const { operation } = yield* payments.refund(id, { minorUnits: 100, reason: null }, plain)
      for (const about of [createOf(record), operation.id, createOf(record)]) {
        yield* payments.advance(reported(about, { _tag: "Disputed" }))
      }
      assert.isNotNull((yield* now).payment.disputedAt)
      assert.deepStrictEqual(yield* events, [
        "payment.succeeded",
        "refund.succeeded",
        "payment.disputed",
        // The whole charge is disputed, and a part of it was refunded.
        "payment.review_opened"
      ])
    })
  )
})
