/** An order is paid once: a second payment of it is refused, or replaces the first, whose late money is returned. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Result } from "effect"
import { TestClock } from "effect/testing"
import type { NewPayment, PaymentRecord } from "../../src/domain/Payment.ts"
import type { OrderTaken } from "../../src/domain/PaymentError.ts"
import { fingerprintContent } from "../../src/execution/begin/requests.ts"
import * as Outcome from "../../src/domain/Outcome.ts"
import type { InquiryOutcome, SendOutcome } from "../../src/domain/Outcome.ts"
import type { ProviderOperation } from "../../src/provider/Provider.ts"
import { MemoryStore } from "@paymux/testkit/memory-store"
import { card, createOf, eventsOf, keyed, plain, read, reported, scripted, start, summary, tenant } from "./fixtures.ts"
import type { Script, Store } from "./fixtures.ts"

const page = Outcome.pending({
  reference: "page",
  nextAction: { type: "redirect", url: "https://x.test", expiresAt: null }
})
const paid = Outcome.succeeded({ reference: "charge" })
const unknown = Outcome.unknown({ reason: "timeout" })
const declined = Outcome.declined({ code: "do_not_honor", retry: "never" })

const ordered = Effect.map(card, (payment): NewPayment => ({ ...payment, order: "1001" }))
const replacing = Effect.map(ordered, (payment): NewPayment => ({ ...payment, replacesOrder: true }))

interface Answers {
  /** Of each create, in order; the last one of all further creates. */
  readonly creates: ReadonlyArray<SendOutcome>
  readonly cancel?: SendOutcome | "not_supported" | "never"
  /** Of inquiries about a create. */
  readonly inquiry?: InquiryOutcome
}

const environment = Effect.fnUntraced(function* (
  { cancel = Outcome.succeeded(), creates, inquiry = Outcome.notFound() }: Answers,
  store: Store = MemoryStore.make()
) {
  const sent: Array<string> = []
  const named = (operation: ProviderOperation) => sent.push(`${operation.kind} ${operation.paymentId}`)
  const script: Script = {
    create: (operation) =>
      Effect.sync(() => {
        named(operation)
        return creates[Math.min(sent.filter((each) => each.startsWith("create")).length, creates.length) - 1] ?? page
      }),
    refund: (operation) => Effect.sync(() => (named(operation), Outcome.succeeded())),
    inquire: ({ kind }) => Effect.succeed(kind === "create" ? inquiry : Outcome.notFound()),
    ...(cancel !== "not_supported" && {
      cancel: (operation: ProviderOperation) =>
        Effect.suspend(() => (named(operation), cancel === "never" ? Effect.never : Effect.succeed(cancel)))
    })
  }
  const engine = yield* start(store, [scripted("a", script)], { reconciler: { every: 10_000 } })
  const created = (payment = ordered) => Effect.result(engine.create(payment))
  return {
    ...engine,
    store,
    sent,
    created,
    /** Lets an open outcome wait for as long as a request does. */
    answered: (payment = ordered) =>
      Effect.gen(function* () {
        const running = yield* Effect.forkChild(created(payment), { startImmediately: true })
        yield* TestClock.adjust("11 seconds")
        return yield* Fiber.join(running)
      }),
    report: (record: PaymentRecord, outcome: Outcome.Outcome) =>
      engine.payments.advance(reported(createOf(record), outcome)),
    holder: store.orders.holder(tenant, "1001")
  }
})

const begun = <E>(result: Result.Result<PaymentRecord, E>): PaymentRecord =>
  Result.isSuccess(result) ? result.success : assert.fail(`refused: ${String(result.failure)}`)

const taken = (result: Result.Result<PaymentRecord, { readonly reason: object }>): OrderTaken => {
  if (Result.isSuccess(result)) return assert.fail("it was not refused")
  const { reason } = result.failure
  return "unclosed" in reason ? (reason as OrderTaken) : assert.fail(JSON.stringify(reason))
}

const creates = (sent: ReadonlyArray<string>) => sent.filter((each) => each.startsWith("create")).length

describe("a second payment of an order", () => {
  it.effect("is refused while the first is open, with its id; nothing is sent, and its key stays free", () =>
    Effect.gen(function* () {
      const { created, payments, report, sent, store } = yield* environment({ creates: [page, paid] })
      const first = begun(yield* created())
      const asked = yield* ordered
      const again = payments.create(asked, keyed("payments", "second"))
      const refusal = yield* Effect.flip(again)
      assert.deepInclude(refusal.reason, { _tag: "OrderTaken", paymentId: first.payment.id, status: "pending" })
      assert.include(refusal.message, "is open; nothing was done")
      assert.strictEqual(creates(sent), 1)
      assert.isNull(yield* store.findKey(tenant, "payments", "second"))
      yield* report(first, declined)
      assert.strictEqual((yield* again).record.payment.state.status, "succeeded")
      assert.strictEqual(creates(sent), 2)
    })
  )

  it.effect("is refused once the first is paid, though all of it was refunded, and replaces nothing", () =>
    Effect.gen(function* () {
      const { created, payments, sent } = yield* environment({ creates: [paid] })
      const { payment } = begun(yield* created())
      assert.include(taken(yield* created()), { paymentId: payment.id, status: "succeeded", unclosed: null })
      yield* payments.refund(payment.id, { minorUnits: null, reason: null }, plain)
      assert.include(taken(yield* created(replacing)), { status: "succeeded", unclosed: null })
      assert.strictEqual(creates(sent), 1)
    })
  )

  it.effect("begins once the first has failed, expired or is canceled", () =>
    Effect.gen(function* () {
      const expired: Outcome.Outcome = { _tag: "Expired" }
      for (const end of [declined, expired, "cancel"] as const) {
        const { created, payments, report, sent } = yield* environment({ creates: [page] })
        const first = begun(yield* created())
        if (end === "cancel") yield* payments.cancel(first.payment.id, plain)
        else yield* report(first, end)
        begun(yield* created())
        assert.strictEqual(creates(sent), 2)
      }
    })
  )

  it.effect("is the first again where the request is repeated under its key", () =>
    Effect.gen(function* () {
      const { payments, sent } = yield* environment({ creates: [page] })
      const create = Effect.flatMap(ordered, (asked) => payments.create(asked, keyed("payments", "once")))
      const [first, second] = [yield* create, yield* create]
      assert.deepStrictEqual([second.replayed, second.body, creates(sent)], [true, first.body, 1])
    })
  )

  it.effect("is the first again where the request is sent twice at once, and replaces nothing", () =>
    Effect.gen(function* () {
      const memory = MemoryStore.make()
      const looked: Array<string> = []
      // The second look-up of the key comes before the commit of the first request, and all else after it.
      const store: Store = {
        ...memory,
        findKey: (of, endpoint, key) =>
          Effect.suspend(() => (looked.push(key) <= 2 ? Effect.succeed(null) : memory.findKey(of, endpoint, key)))
      }
      const { payments, sent } = yield* environment({ creates: [page] }, store)
      const create = Effect.flatMap(replacing, (asked) => payments.create(asked, keyed("payments", "once")))
      const [first, second] = [yield* create, yield* create]
      assert.deepStrictEqual([second.replayed, second.body], [true, first.body])
      assert.deepStrictEqual(sent, [`create ${first.record.payment.id}`])
    })
  )

  it.effect("of another account or mode, or without an order, is another one", () =>
    Effect.gen(function* () {
      const { created, payments, sent } = yield* environment({ creates: [page] })
      begun(yield* created())
      yield* payments.create(yield* ordered, { tenant: { ...tenant, account: "other" }, idempotency: null })
      begun(yield* created(card))
      begun(yield* created(card))
      assert.strictEqual(creates(sent), 4)
    })
  )

  it.effect("of two that begin at once, one is sent", () =>
    Effect.gen(function* () {
      const { created, sent } = yield* environment({ creates: [page] })
      const results = yield* Effect.all([created(), created(), created(replacing)], { concurrency: "unbounded" })
      const open = results.filter(Result.isSuccess)
      assert.isAtLeast(open.length, 1)
      assert.strictEqual(creates(sent) - sent.filter((each) => each.startsWith("cancel")).length, 1)
    })
  )
})

describe("a payment that replaces the open one of its order", () => {
  it.effect("begins after the provider has confirmed that the first is closed", () =>
    Effect.gen(function* () {
      const { created, holder, sent, store } = yield* environment({ creates: [page] })
      const first = begun(yield* created())
      const second = begun(yield* created(replacing))
      assert.deepStrictEqual(sent, [
        `create ${first.payment.id}`,
        `cancel ${first.payment.id}`,
        `create ${second.payment.id}`
      ])
      assert.strictEqual((yield* read(store, first)).payment.state.status, "canceled")
      assert.strictEqual(yield* holder, second.payment.id)
      assert.notProperty(second.payment, "replacesOrder")
      assert.deepStrictEqual(yield* eventsOf(store, first.payment.id), ["payment.pending", "payment.canceled"])
    })
  )

  it.effect("begins at once where the order is free", () =>
    Effect.gen(function* () {
      const { created, sent } = yield* environment({ creates: [page] })
      begun(yield* created(replacing))
      assert.strictEqual(sent.length, 1)
    })
  )

  it.effect("is refused where the first cannot be closed, or its provider does not confirm it", () =>
    Effect.gen(function* () {
      const unclosed = [
        ["not_supported", "a cannot cancel this payment."],
        [Outcome.declined({ code: "processing_error", retry: "never" }), "Its provider did not confirm it."],
        ["never", "Its provider has not answered yet."],
        [unknown, "Its provider did not confirm it."]
      ] as const
      for (const [cancel, sentence] of unclosed) {
        const { answered, created, holder, sent } = yield* environment({ creates: [page], cancel })
        const first = begun(yield* created())
        const refusal = taken(yield* answered(replacing))
        assert.include(refusal, { paymentId: first.payment.id, status: "pending", unclosed: sentence })
        assert.include(refusal.message, `It was not closed: ${sentence}`)
        assert.strictEqual(creates(sent), 1)
        assert.strictEqual(yield* holder, first.payment.id)
      }
    })
  )

  it.effect("is refused while it is unknown whether the first was sent", () =>
    Effect.gen(function* () {
      const { answered, sent } = yield* environment({ creates: [unknown], inquiry: unknown })
      begun(yield* answered())
      assert.strictEqual(taken(yield* answered(replacing)).status, "pending")
      assert.isFalse(sent.some((each) => each.startsWith("cancel")))
    })
  )

  it.effect("keeps its order if the first is paid late, and the first is refunded", () =>
    Effect.gen(function* () {
      const { created, holder, report, sent, store } = yield* environment({ creates: [page], inquiry: paid })
      const first = begun(yield* created())
      const second = begun(yield* created(replacing))
      yield* report(first, paid)
      yield* TestClock.adjust("5 minutes")
      assert.deepStrictEqual(summary(yield* read(store, first)), {
        state: "canceled",
        reviews: [],
        attempts: ["a succeeded overpayment"],
        later: ["requested cancel 1200 succeeded", "reversal refund 1200 succeeded"]
      })
      assert.strictEqual(yield* holder, second.payment.id)
      assert.strictEqual(sent.filter((each) => each === `refund ${first.payment.id}`).length, 1)
    })
  )
})

describe("money that arrives for a payment that had failed", () => {
  it.effect("is refunded if another payment has the order by now", () =>
    Effect.gen(function* () {
      const { created, report, store } = yield* environment({ creates: [declined, page], inquiry: paid })
      const first = begun(yield* created())
      const second = begun(yield* created())
      yield* report(first, paid)
      yield* TestClock.adjust("5 minutes")
      assert.deepInclude(summary(yield* read(store, first)), {
        state: "failed",
        later: ["reversal refund 1200 succeeded"]
      })
      yield* report(second, Outcome.succeeded({ reference: "other charge" }))
      assert.strictEqual((yield* read(store, second)).payment.state.status, "succeeded")
      assert.include(yield* eventsOf(store, first.payment.id), "payment.late_reversed")
    })
  )

  it.effect("is the payment's if the order is free, and takes the order", () =>
    Effect.gen(function* () {
      const { created, holder, report, store } = yield* environment({ creates: [declined], inquiry: paid })
      const first = begun(yield* created())
      yield* report(first, paid)
      const { payment } = yield* read(store, first)
      assert.deepStrictEqual(payment.state, { status: "succeeded", late: true })
      assert.strictEqual(yield* holder, payment.id)
      assert.strictEqual(taken(yield* created()).status, "succeeded")
    })
  )

  it.effect("is refunded if another payment takes the order at the same moment", () =>
    Effect.gen(function* () {
      const memory = MemoryStore.make()
      let isRaced = false
      // The other payment begins between the look-up and the commit.
      const store: Store = {
        ...memory,
        orders: {
          ...memory.orders,
          holder: (of, order) =>
            Effect.map(memory.orders.holder(of, order), (found) => {
              const before = isRaced ? found : null
              isRaced = true
              return before
            })
        }
      }
      const { created, report } = yield* environment({ creates: [declined, page], inquiry: paid }, store)
      isRaced = true
      const first = begun(yield* created())
      begun(yield* created())
      isRaced = false
      yield* report(first, paid)
      const now = yield* read(store, first)
      assert.deepInclude(summary(now), { state: "failed", attempts: ["a succeeded overpayment"] })
    })
  )

  it.effect("is in excess as well if an operator states it, as its consequences say", () =>
    Effect.gen(function* () {
      const { created, reviews, store } = yield* environment({ creates: [declined, page] })
      const first = begun(yield* created())
      begun(yield* created())
      const { id } = first.payment
      const intended = { subject: { operation: createOf(first) }, resolution: "succeeded" } as const
      const { consequences } = yield* reviews.consequences(tenant, id, intended)
      assert.deepStrictEqual(consequences.status, { before: "failed", after: "failed" })
      assert.deepStrictEqual(
        consequences.automatic.map(({ action }) => action),
        ["refund"]
      )
      yield* reviews.resolve(tenant, id, { ...intended, evidence: "statement" })
      assert.strictEqual((yield* read(store, first)).payment.state.status, "failed")
    })
  )
})

describe("an order in a request", () => {
  it.effect("is part of what its idempotency key stands for, and a request without it has the digest of before", () =>
    Effect.gen(function* () {
      const [without, with_, replaces] = [yield* card, yield* ordered, yield* replacing]
      assert.notProperty(fingerprintContent(without), "order")
      assert.propertyVal(fingerprintContent(with_), "order", "1001")
      assert.deepStrictEqual(fingerprintContent(replaces), fingerprintContent(with_))
      const { payments } = yield* environment({ creates: [page] })
      yield* payments.create(with_, keyed("payments", "k"))
      const other = yield* Effect.flip(payments.create({ ...with_, order: "1002" }, keyed("payments", "k")))
      assert.deepInclude(other.reason, { _tag: "IdempotencyKeyReused", pointer: "/order" })
    })
  )
})
