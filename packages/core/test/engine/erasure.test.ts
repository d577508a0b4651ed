/** Erasing beside a running engine, over the store in memory: the checks of other stores are the same. */
import { assert, describe, it } from "@effect/vitest"
import { Context, Deferred, Effect, Fiber, Layer } from "effect"
import { TestClock } from "effect/testing"
import { erasedCustomer } from "../../src/domain/erasure.ts"
import type { PaymentId } from "../../src/domain/Ids.ts"
import type { NewPayment } from "../../src/domain/Payment.ts"
import { Erasure } from "../../src/execution/records/Erasure.ts"
import type { ErasureSubject, ForgetPayment } from "../../src/execution/records/Erasure.ts"
import type { Evidence } from "../../src/domain/Evidence.ts"
import * as Outcome from "../../src/domain/Outcome.ts"
import { MemoryStore } from "@paymux/testkit/memory-store"
import { PaymentStore, StoreUnavailable } from "../../src/store/PaymentStore.ts"
import { card, cardOnHold, createOf, eventsOf, keyed, plain, scripted, start, tenant, reported } from "./fixtures.ts"
import type { Script, Store } from "./fixtures.ts"

const paid: Script["create"] = ({ id }) => Effect.succeed(Outcome.succeeded({ reference: `pi_${id}` }))

const erasureOn = (store: Store, forget: ReadonlyArray<ForgetPayment> = []) =>
  Effect.map(Layer.build(Layer.provide(Erasure.layer(forget), Layer.succeed(PaymentStore, store))), (context) =>
    Context.get(context, Erasure)
  )

const environment = Effect.fnUntraced(function* (script: Partial<Script> = {}, store: Store = MemoryStore.make()) {
  const engine = yield* start(store, [scripted("a", { create: paid, ...script })])
  const erasure = yield* erasureOn(store)
  return {
    ...engine,
    store,
    erasure,
    eraseAll: (subject: ErasureSubject) =>
      Effect.flatMap(erasure.find(tenant, subject), (found) => erasure.erase(tenant, found))
  }
})

const of = (change: Partial<NewPayment["customer"]>) =>
  Effect.map(card, (payment): NewPayment => ({ ...payment, customer: { ...payment.customer, ...change } }))

describe("erasing a customer", () => {
  it.effect("reaches all payments of an email, and none of another; again, it changes nothing", () =>
    Effect.gen(function* () {
      const { create, eraseAll, store } = yield* environment()
      const theirs = yield* create(of({ email: "ravi@example.com" }))
      const mine = yield* Effect.forEach(Array.from({ length: 230 }), () => create())
      assert.deepStrictEqual(yield* eraseAll({ email: "Asha@Example.com" }), { erased: 230, already: 0, left: [] })
      for (const { payment } of mine) {
        assert.deepStrictEqual((yield* store.get(payment.id))?.payment.customer, erasedCustomer)
      }
      assert.deepStrictEqual(yield* store.get(theirs.payment.id), theirs)
      assert.deepStrictEqual(yield* eraseAll({ email: "asha@example.com" }), { erased: 0, already: 0, left: [] })
      const first = mine[0]?.payment.id ?? theirs.payment.id
      const before = yield* store.get(first)
      assert.deepStrictEqual(yield* eraseAll({ payment: first }), { erased: 0, already: 1, left: [] })
      assert.deepStrictEqual(yield* store.get(first), before)
    })
  )

  it.effect("reaches every spelling of an email, and no letters that another person may have", () =>
    Effect.gen(function* () {
      const { create, eraseAll, store } = yield* environment()
      const spellings = [
        "Ida@Example.com",
        "İDA@example.com",
        "ｉｄａ＠example.com",
        "i\u0307da@example.com",
        "ida@example.com"
      ]
      const mine = yield* Effect.forEach(spellings, (email) => create(of({ email })))
      const theirs = yield* create(of({ email: "\u0131da@example.com" }))
      assert.deepStrictEqual(yield* eraseAll({ email: "IDA＠example.com" }), { erased: 5, already: 0, left: [] })
      for (const { payment } of mine) {
        assert.deepStrictEqual((yield* store.get(payment.id))?.payment.customer, erasedCustomer)
      }
      assert.deepStrictEqual(yield* store.get(theirs.payment.id), theirs)
      const placeholder = yield* Effect.flip(eraseAll({ email: "ERASED@Example.invalid" }))
      assert.deepInclude(placeholder, { _tag: "ErasureRefused", reason: "placeholder" })
    })
  )

  it.effect("by phone searches every payment, and reports its progress", () =>
    Effect.gen(function* () {
      const { create, erasure } = yield* environment()
      const shown: Array<number> = []
      const mine: Array<PaymentId> = []
      for (let n = 0; n < 1_100; n++) {
        yield* TestClock.adjust(10)
        const isMine = n % 400 === 7
        const phone = isMine ? "+919812345678" : n % 2 === 0 ? null : "+919812345679"
        const { payment } = yield* create(of({ phone }))
        if (isMine) mine.push(payment.id)
      }
      const found = yield* erasure.find(tenant, { phone: "+919812345678" }, (done) =>
        Effect.sync(() => void shown.push(done))
      )
      assert.deepStrictEqual(found, mine)
      assert.isAtLeast(shown.length, 3)
      assert.deepStrictEqual(
        shown,
        shown.toSorted((a, b) => a - b)
      )
      assert.isTrue(shown.every((done) => done >= 0 && done <= 1))
    })
  )

  it.effect("leaves what is under way as it is, and names it; when that is over it is erased", () =>
    Effect.gen(function* () {
      const { create, eraseAll, payments, store } = yield* environment({
        create: ({ captureMethod }) =>
          Effect.succeed(
            captureMethod === "manual"
              ? Outcome.authorized({ reference: "pi_1" })
              : Outcome.pending({ reference: "pi_2" })
          ),
        cancel: () => Effect.succeed(Outcome.succeeded())
      })
      const open = yield* create()
      // Ids sort by their millisecond.
      yield* TestClock.adjust(1)
      const hold = yield* create(cardOnHold)
      const report = yield* eraseAll({ email: "asha@example.com" })
      assert.deepStrictEqual(report, {
        erased: 0,
        already: 0,
        left: [
          { payment: open.payment.id, reason: "pending" },
          { payment: hold.payment.id, reason: "authorized" }
        ]
      })
      assert.deepStrictEqual((yield* store.get(open.payment.id))?.payment.customer, open.payment.customer)
      yield* payments.cancel(hold.payment.id, plain)
      assert.deepStrictEqual((yield* eraseAll({ email: "asha@example.com" })).erased, 1)
    })
  )

  it.effect("of another account or mode finds nothing", () =>
    Effect.gen(function* () {
      const { create, erasure, store } = yield* environment()
      const { payment } = yield* create()
      for (const other of [
        { ...tenant, account: "other" },
        { ...tenant, livemode: true }
      ]) {
        assert.deepStrictEqual(yield* erasure.find(other, { email: "asha@example.com" }), [])
        assert.deepStrictEqual(yield* erasure.find(other, { phone: "+919999999999" }), [])
        assert.strictEqual(
          (yield* Effect.flip(erasure.find(other, { payment: payment.id }))).message,
          "There is no such payment in this account and mode."
        )
        assert.deepStrictEqual(yield* erasure.erase(other, [payment.id]), { erased: 0, already: 0, left: [] })
      }
      assert.strictEqual((yield* store.get(payment.id))?.payment.customer.email, "asha@example.com")
    })
  )

  it.effect("refuses what is no email or phone, and what stands in the place of erased ones", () =>
    Effect.gen(function* () {
      const { erasure } = yield* environment()
      const refusals = [
        [{ email: "asha" }, "email"],
        [{ email: "" }, "email"],
        [{ email: "asha@example.com ravi@example.com" }, "email"],
        [{ phone: "9812345678" }, "phone"],
        [{ phone: "+91 98123" }, "phone"],
        [{ phone: '+919812345678","name":"' }, "phone"],
        [{ email: "Erased@example.invalid" }, "placeholder"],
        [{ phone: "+10000000000" }, "placeholder"]
      ] as const
      for (const [subject, reason] of refusals) {
        const refused = yield* Effect.flip(erasure.find(tenant, subject))
        assert.deepInclude(refused, { _tag: "ErasureRefused", reason }, JSON.stringify(subject))
      }
    })
  )

  it.effect(
    "changes nothing of what follows: the refund of an erased payment is done, and its event has no personal data",
    () =>
      Effect.gen(function* () {
        const asked: Array<string> = []
        const { create, eraseAll, payments, store } = yield* environment({
          refund: (operation) => {
            asked.push(JSON.stringify(operation))
            return Effect.succeed(Outcome.succeeded())
          }
        })
        const { operations, payment } = yield* create()
        yield* eraseAll({ payment: payment.id })
        yield* payments.refund(payment.id, { minorUnits: null, reason: null }, plain)
        assert.strictEqual((yield* store.get(payment.id))?.payment.amountRefunded, 1200)
        assert.deepStrictEqual(yield* eventsOf(store, payment.id), ["payment.succeeded", "refund.succeeded"])
        assert.notInclude(JSON.stringify([asked, yield* store.erasure.eventsOf(payment.id)]), "asha")
        assert.include(asked[0] ?? "", `"reference":"pi_${operations[0]?.id}"`)
      })
  )

  it.effect("takes away what was said after it: the reason of a later refund", () =>
    Effect.gen(function* () {
      const { create, eraseAll, payments, store } = yield* environment({
        refund: () => Effect.succeed(Outcome.succeeded())
      })
      const { payment } = yield* create()
      yield* eraseAll({ payment: payment.id })
      yield* payments.refund(payment.id, { minorUnits: 100, reason: "Asha called" }, keyed("refunds", "one"))
      assert.include(JSON.stringify(yield* store.erasure.eventsOf(payment.id)), "Asha called")
      assert.deepStrictEqual(yield* eraseAll({ payment: payment.id }), { erased: 1, already: 0, left: [] })
      const kept = [
        yield* store.get(payment.id),
        yield* store.erasure.eventsOf(payment.id),
        yield* store.findKey(tenant, "refunds", "one")
      ]
      assert.notInclude(JSON.stringify(kept), "Asha called")
      assert.deepStrictEqual(yield* eraseAll({ payment: payment.id }), { erased: 0, already: 1, left: [] })
    })
  )

  it.effect("of 8 processes at once is done once: one version more, one report that says so", () =>
    Effect.gen(function* () {
      const { create, store } = yield* environment()
      const { payment } = yield* create()
      const desks = yield* Effect.forEach(Array.from({ length: 8 }), () => erasureOn(store))
      const reports = yield* Effect.forEach(desks, (desk) => desk.erase(tenant, [payment.id]), {
        concurrency: "unbounded"
      })
      assert.strictEqual(
        reports.reduce((sum, { erased }) => sum + erased, 0),
        1
      )
      assert.strictEqual(
        reports.reduce((sum, { already }) => sum + already, 0),
        7
      )
      assert.strictEqual((yield* store.get(payment.id))?.payment.version, payment.version + 1)
    })
  )

  it.effect("that loses to a refund which begins at the same moment leaves the payment, and names it", () =>
    Effect.gen(function* () {
      const memory = MemoryStore.make()
      const reached = yield* Deferred.make<void>()
      const mayGoOn = yield* Deferred.make<void>()
      const { create, payments, store } = yield* environment({ refund: () => Effect.never }, memory)
      const { payment } = yield* create()
      const held = yield* erasureOn({
        ...store,
        erasure: {
          ...store.erasure,
          erase: (commit) =>
            Deferred.succeed(reached, undefined).pipe(
              Effect.andThen(Deferred.await(mayGoOn)),
              Effect.andThen(store.erasure.erase(commit))
            )
        }
      })
      const erasing = yield* Effect.forkChild(held.erase(tenant, [payment.id]))
      yield* Deferred.await(reached)
      yield* Effect.forkChild(payments.refund(payment.id, { minorUnits: 100, reason: "asked" }, plain))
      yield* Effect.yieldNow
      yield* TestClock.adjust("1 second")
      yield* Deferred.succeed(mayGoOn, undefined)
      const report = yield* Fiber.join(erasing)
      assert.deepStrictEqual(report.left, [{ payment: payment.id, reason: "operation_open" }])
      assert.strictEqual((yield* store.get(payment.id))?.payment.customer.email, "asha@example.com")
    })
  )

  it.effect("leaves no former contents beside the tables, also where it ended in an error and is done again", () =>
    Effect.gen(function* () {
      const { create, store } = yield* environment()
      const [one, other] = [yield* create(), yield* create()]
      const ids = [one.payment.id, other.payment.id]
      let cuts = 0
      const cutBack = () => Effect.sync(() => void cuts++)
      const away = Effect.fail(new StoreUnavailable({ cause: "away" }))
      const erase: Store["erasure"]["erase"] = (commit) =>
        commit.before.payment.id === other.payment.id ? away : store.erasure.erase(commit)
      const failing = yield* erasureOn({ ...store, erasure: { ...store.erasure, cutBack, erase } })
      assert.strictEqual((yield* Effect.flip(failing.erase(tenant, ids)))._tag, "StoreUnavailable")
      assert.strictEqual(cuts, 1)
      const again = yield* erasureOn({ ...store, erasure: { ...store.erasure, cutBack } })
      assert.deepStrictEqual(yield* again.erase(tenant, [one.payment.id]), { erased: 0, already: 1, left: [] })
      assert.strictEqual(cuts, 2)
    })
  )

  it.effect("notifies its listeners before the payment is no longer found by its customer, and once more after", () =>
    Effect.gen(function* () {
      const { create, store } = yield* environment()
      const { payment } = yield* create()
      const seen: Array<string> = []
      const desk = yield* erasureOn(store, [
        (id) => Effect.map(store.get(id), (found) => void seen.push(found?.payment.customer.email ?? "gone"))
      ])
      yield* desk.erase(tenant, [payment.id])
      yield* desk.erase(tenant, [payment.id])
      assert.deepStrictEqual(seen, ["asha@example.com", erasedCustomer.email, erasedCustomer.email])
    })
  )
})

describe("a replay after its payment was erased", () => {
  it.effect("answers the payment as it stands to the same request; to another it is refused; nothing is made", () =>
    Effect.gen(function* () {
      const calls = { made: 0 }
      const { eraseAll, payments, store } = yield* environment({
        create: () =>
          Effect.map(
            Effect.sync(() => void calls.made++),
            () => Outcome.succeeded({ reference: "pi_1" })
          )
      })
      const options = keyed("POST /v1/payments", "order-1")
      const first = yield* payments.create(yield* card, options)
      yield* eraseAll({ email: "asha@example.com" })
      const again = yield* payments.create(yield* card, options)
      assert.isTrue(again.replayed)
      assert.deepStrictEqual(JSON.parse(again.body), {
        ...JSON.parse(first.body),
        customer: erasedCustomer,
        version: first.record.payment.version + 1,
        updated_at: JSON.parse(again.body).updated_at
      })
      assert.strictEqual((yield* payments.create(yield* card, options)).body, again.body)
      const other = yield* Effect.flip(payments.create(yield* of({ name: "Ravi" }), options))
      const { id } = first.record.payment
      assert.deepInclude(other.reason, { _tag: "IdempotencyKeyReused", paymentId: id, pointer: null })
      const asked = yield* card
      const dearer = { ...asked, amount: { ...asked.amount, minorUnits: 1 } }
      const { reason } = yield* Effect.flip(payments.create(dearer, options))
      assert.deepInclude(reason, { paymentId: id, pointer: "/amount" })
      assert.strictEqual(calls.made, 1)
      assert.strictEqual((yield* store.undispatchedEvents(9)).length, 1)
    })
  )

  it.effect("that was under way while it was erased keeps no bytes of before", () =>
    Effect.gen(function* () {
      const store = MemoryStore.make()
      const options = keyed("POST /v1/payments", "order-1")
      const { create, erasure, payments } = yield* environment({}, store)
      yield* create()
      const first = yield* payments.create(yield* card, options)
      const id = first.record.payment.id
      yield* store.erasure.forgetAnswers(id)
      // A client that replays has read the payment, and keeps the bytes after the erasure.
      const slow: Store = {
        ...store,
        keepAnswer: (answer) => Effect.andThen(Effect.orDie(erasure.erase(tenant, [id])), store.keepAnswer(answer))
      }
      const another = yield* start(slow, [scripted("a", { create: paid })])
      const again = yield* another.payments.create(yield* card, options)
      assert.notInclude(again.body, "asha@example.com")
      const kept = yield* store.findKey(tenant, "POST /v1/payments", "order-1")
      assert.strictEqual(kept?.answer, again.body)
    })
  )
})

describe("a first answer that is kept after its payment was erased", () => {
  /** A provider that loses its answers, but to a create `first`; a store that erases everything just before it keeps one. */
  const slow = Effect.fnUntraced(function* (first?: Script["create"]) {
    const store = MemoryStore.make()
    const asked = yield* Deferred.make<void>()
    const lost = () => Effect.andThen(Deferred.succeed(asked, undefined), Effect.never)
    const erasure = yield* erasureOn(store)
    const find = Effect.orDie(erasure.find(tenant, { email: "asha@example.com" }))
    const eraseAll = Effect.flatMap(find, (found) => erasure.erase(tenant, found))
    const engine = yield* start(
      { ...store, keepAnswer: (answer) => Effect.andThen(eraseAll, store.keepAnswer(answer)) },
      [scripted("a", { create: first ?? lost, refund: lost })]
    )
    /** A webhook settles what is asked for while its caller waits; what was kept under its key. */
    const settled = Effect.fnUntraced(function* <A, E>(
      asking: Effect.Effect<A, E>,
      { endpoint, key }: ReturnType<typeof keyed>["idempotency"],
      outcome: Evidence["outcome"]
    ) {
      const waiting = yield* Effect.forkChild(asking)
      yield* Deferred.await(asked)
      const begun = yield* store.findKey(tenant, endpoint, key)
      const record = begun === null ? null : yield* store.get(begun.paymentId)
      if (begun === null || record === null) return yield* Effect.die(new Error("nothing was begun"))
      yield* engine.inbox.observe("a", reported(begun.operationId ?? createOf(record), outcome))
      yield* TestClock.adjust("1 minute")
      yield* Fiber.join(waiting)
      return (yield* store.findKey(tenant, endpoint, key))?.answer ?? null
    })
    return { ...engine, settled, store }
  })

  it.effect("is of the payment as it stands", () =>
    Effect.gen(function* () {
      const { payments, settled } = yield* slow()
      const options = keyed("POST /v1/payments", "order-1")
      const claim = { _tag: "Succeeded" } as const
      const kept = yield* settled(payments.create(yield* card, options), options.idempotency, claim)
      assert.include(kept ?? "", erasedCustomer.email)
      assert.notInclude(kept ?? "", "asha@example.com")
    })
  )

  it.effect("is of the refund as it stands", () =>
    Effect.gen(function* () {
      const { create, payments, settled } = yield* slow(paid)
      const { payment } = yield* create()
      const options = keyed("refunds", "one")
      const asked = payments.refund(payment.id, { minorUnits: 100, reason: "Asha called" }, options)
      const kept = yield* settled(asked, options.idempotency, { _tag: "RefundSucceeded" })
      assert.include(kept ?? "", '"reason":null')
      assert.notInclude(kept ?? "", "Asha called")
    })
  )
})
