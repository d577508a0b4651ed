/**
 * A database that has lost its last commits, after the provider has acted on them. Its client repeats the request under its key,
 * and the provider must get the names that it has seen before.
 */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Layer } from "effect"
import { TestClock } from "effect/testing"
import { createHmac } from "node:crypto"
import { NameDigest } from "../../src/domain/NameDigest.ts"
import type { PaymentRecord } from "../../src/domain/Payment.ts"
import * as Outcome from "../../src/domain/Outcome.ts"
import type { ProviderOperation, ProviderOperations } from "../../src/provider/Provider.ts"
import { MemoryStore } from "@paymux/testkit/memory-store"
import { StoreUnavailable } from "../../src/store/PaymentStore.ts"
import {
  card,
  cardOnHold,
  idempotent,
  keyed,
  laterIdempotent,
  read,
  scripted,
  start,
  summary,
  tenant
} from "./fixtures.ts"

const installation = (secret: string) =>
  Layer.succeed(NameDigest, (text) => createHmac("sha256", secret).update(text).digest())

/** What a provider sees of an operation. */
const namesOf = ({ id, key, returnUrl }: ProviderOperation) => ({ id, key, returnUrl })

/** An engine on a database that has only these payments, and what its providers were sent. */
const engineWith = Effect.fnUntraced(function* (
  records: ReadonlyArray<PaymentRecord>,
  first: Outcome.SendOutcome = Outcome.succeeded(),
  secret = "one",
  order: ReadonlyArray<"a" | "b"> = ["a", "b"]
) {
  const store = MemoryStore.make()
  for (const record of records) yield* store.begin({ record, binding: null })
  const sends: Array<ProviderOperation> = []
  const sending = (outcome: Outcome.SendOutcome) => (operation: ProviderOperation) =>
    Effect.sync(() => (sends.push(operation), outcome))
  const done = sending(Outcome.succeeded())
  const providers = {
    a: scripted("a", { create: sending(first), capture: done, cancel: done, refund: done, later: laterIdempotent }),
    b: scripted("b", { create: done, refund: done })
  }
  const engine = yield* start(
    store,
    order.map((id) => providers[id]),
    { returnAddress: (operation) => `https://pay.test/return/${operation}` },
    installation(secret)
  )
  return { ...engine, sends, store }
})

/** The same, an hour after each other: the second one has lost what the first one wrote. */
const twice = Effect.fnUntraced(function* <A>(first: Effect.Effect<A, unknown>, second: Effect.Effect<A, unknown>) {
  const one = yield* Effect.orDie(first)
  yield* TestClock.adjust("1 hour")
  return [one, yield* Effect.orDie(second)] as const
})

const held = Outcome.authorized()
const declined = Outcome.declined({ code: "issuer_unavailable", retry: "other_provider" })

describe("a request that is repeated under its key after its commit was lost", () => {
  it.effect("is sent under the same names, as a payment with another id", () =>
    Effect.gen(function* () {
      const [before, after] = [yield* engineWith([]), yield* engineWith([])]
      const asked = yield* card
      const create = ({ payments }: typeof before) => payments.create(asked, keyed("payments", "order 1"))
      const [one, other] = yield* twice(create(before), create(after))
      assert.notStrictEqual(one.record.payment.id, other.record.payment.id)
      assert.strictEqual(before.sends.length, 1)
      assert.deepStrictEqual(after.sends.map(namesOf), before.sends.map(namesOf))
    })
  )

  it.effect("a failover that was lost as well reaches the same provider under the same names", () =>
    Effect.gen(function* () {
      const [before, after] = [yield* engineWith([], declined), yield* engineWith([], declined)]
      const asked = yield* card
      const create = ({ payments }: typeof before) => payments.create(asked, keyed("payments", "order 1"))
      yield* twice(create(before), create(after))
      assert.strictEqual(before.sends.length, 2)
      assert.deepStrictEqual(after.sends.map(namesOf), before.sends.map(namesOf))
      assert.strictEqual(new Set(before.sends.map(({ key }) => key)).size, 2)
    })
  )

  it.effect("reaches a provider under the same names, also if it was tried second before and is tried first now", () =>
    Effect.gen(function* () {
      const [before, after] = [yield* engineWith([], declined), yield* engineWith([], declined, "one", ["b", "a"])]
      const asked = yield* card
      const create = ({ payments }: typeof before) => payments.create(asked, keyed("payments", "order 1"))
      const [, other] = yield* twice(create(before), create(after))
      assert.strictEqual(before.sends.length, 2)
      assert.deepStrictEqual(after.sends.map(namesOf), before.sends.slice(1).map(namesOf))
      assert.strictEqual(other.record.payment.provider, "b")
    })
  )

  it.effect("a capture and a refund are sent under the same names, also where their payment was lost as well", () =>
    Effect.gen(function* () {
      const [before, after] = [yield* engineWith([], held), yield* engineWith([], held)]
      const asked = yield* cardOnHold
      const all = ({ payments }: typeof before) =>
        Effect.gen(function* () {
          const { record } = yield* payments.create(asked, keyed("payments", "order 1"))
          const { id } = record.payment
          yield* payments.capture(id, { minorUnits: 700 }, keyed("captures", "capture 1"))
          yield* payments.refund(id, { minorUnits: 200, reason: null }, keyed("refunds", "1"))
          yield* payments.refund(id, { minorUnits: 200, reason: null }, keyed("refunds", "2"))
          // Of two persons at a dashboard, each has keys of their own.
          yield* payments.refund(id, { minorUnits: 200, reason: null }, keyed("refunds of a person", "2"))
        })
      yield* twice(all(before), all(after))
      assert.strictEqual(before.sends.length, 5)
      assert.deepStrictEqual(after.sends.map(namesOf), before.sends.map(namesOf))
      assert.strictEqual(new Set(before.sends.map(({ key }) => key)).size, 5)
    })
  )

  it.effect("another key, account, mode or endpoint is another payment, and so is none", () =>
    Effect.gen(function* () {
      const { payments, sends } = yield* engineWith([])
      const asked = yield* card
      const requests = [
        keyed("payments", "order 1"),
        keyed("payments", "order 2"),
        keyed("orders", "order 1"),
        { tenant: { ...tenant, account: "other" }, idempotency: { endpoint: "payments", key: "order 1" } },
        { tenant, idempotency: null },
        { tenant, idempotency: null }
      ]
      for (const request of requests) yield* Effect.orDie(payments.create(asked, request))
      assert.strictEqual(new Set(sends.map(({ key }) => key)).size, requests.length)
      assert.strictEqual(new Set(sends.map(({ id }) => id)).size, requests.length)
    })
  )

  it.effect("two installations never have the same names", () =>
    Effect.gen(function* () {
      const [one, other] = [yield* engineWith([]), yield* engineWith([], Outcome.succeeded(), "other")]
      const asked = yield* card
      yield* Effect.orDie(one.payments.create(asked, keyed("payments", "order 1")))
      yield* Effect.orDie(other.payments.create(asked, keyed("payments", "order 1")))
      assert.notStrictEqual(one.sends[0]?.key, other.sends[0]?.key)
      assert.notStrictEqual(one.sends[0]?.id, other.sends[0]?.id)
    })
  )

  it.effect("what exists keeps its names under another secret", () =>
    Effect.gen(function* () {
      const before = yield* engineWith([])
      const asked = yield* card
      const { record } = yield* Effect.orDie(before.payments.create(asked, keyed("payments", "order 1")))
      const after = yield* engineWith([record], Outcome.succeeded(), "other")
      yield* Effect.orDie(
        after.payments.refund(record.payment.id, { minorUnits: 1, reason: null }, keyed("refunds", "1"))
      )
      assert.strictEqual(after.sends[0]?.original?.key, before.sends[0]?.key)
    })
  )
})

describe("a request that is repeated under its key after its commit was lost, and is not the same", () => {
  /** A vendor that has executed a request for 12.00 under this key, and refuses the other body. */
  const refusing = Effect.fnUntraced(function* (inquire?: ProviderOperations["inquire"]) {
    const store = MemoryStore.make()
    const create = () => Effect.succeed(Outcome.unknown({ reason: "duplicate" }))
    const { inquiry: _, ...withoutInquiry } = idempotent
    const provider =
      inquire === undefined ? scripted("a", { create }, withoutInquiry) : scripted("a", { create, inquire })
    const { payments } = yield* start(store, [provider], {}, installation("one"))
    const asked = yield* card
    const other = { ...asked, amount: { ...asked.amount, minorUnits: 1500 } }
    const { record } = yield* Effect.orDie(payments.create(other, keyed("payments", "order 1")))
    yield* TestClock.adjust("1 hour")
    return summary(yield* Effect.orDie(read(store, record)))
  })

  it.effect("is in review if an inquiry finds another amount, and is never adopted", () =>
    Effect.gen(function* () {
      const { amount } = yield* card
      const found = yield* refusing(() => Effect.succeed(Outcome.succeeded({ reference: "ch_1", amount })))
      assert.deepInclude(found, { state: "pending", reviews: ["amount_mismatch"] })
    })
  )

  it.effect("is in review if the provider cannot be asked", () =>
    Effect.gen(function* () {
      assert.deepInclude(yield* refusing(), { state: "pending", reviews: ["inquiries_exhausted"] })
    })
  )
})

describe("a request that is repeated under its key after a definite decline", () => {
  const hard = Outcome.declined({ code: "do_not_honor", retry: "never" })

  it.effect("answers the kept payment, and sends nothing", () =>
    Effect.gen(function* () {
      const { payments, sends } = yield* engineWith([], hard)
      const asked = yield* card
      const create = Effect.orDie(payments.create(asked, keyed("payments", "order 1")))
      const [first, second] = [yield* create, yield* create]
      assert.strictEqual(first.record.payment.state.status, "failed")
      assert.deepInclude(second, { replayed: true, body: first.body })
      assert.strictEqual(second.record.payment.id, first.record.payment.id)
      assert.strictEqual(sends.length, 1)
    })
  )

  it.effect("is declined again after the payment was lost, under the same names", () =>
    Effect.gen(function* () {
      const [before, after] = [yield* engineWith([], hard), yield* engineWith([], hard)]
      const asked = yield* card
      const create = ({ payments }: typeof before) => payments.create(asked, keyed("payments", "order 1"))
      const [, other] = yield* twice(create(before), create(after))
      assert.strictEqual(other.record.payment.state.status, "failed")
      assert.deepStrictEqual(after.sends.map(namesOf), before.sends.map(namesOf))
    })
  )
})

describe("two installations at one account of a provider", () => {
  it.effect("never adopt each other's charges, although their clients use the same keys", () =>
    Effect.gen(function* () {
      const charges = new Map<string, string>()
      const shop = Effect.fnUntraced(function* (secret: string) {
        const create = ({ id }: ProviderOperation) =>
          Effect.sync(() => {
            if (charges.has(id)) return Outcome.unknown({ reason: "duplicate" })
            charges.set(id, `ch_${charges.size}`)
            return Outcome.succeeded({ reference: charges.get(id) ?? "" })
          })
        const { payments } = yield* start(MemoryStore.make(), [scripted("a", { create })], {}, installation(secret))
        return yield* Effect.orDie(payments.create(yield* card, keyed("payments", "order 1")))
      })
      const [one, other] = [yield* shop("one"), yield* shop("other")]
      assert.deepStrictEqual(
        [one, other].map(({ record }) => record.operations.map(({ reference }) => reference)),
        [["ch_0"], ["ch_1"]]
      )
    })
  )

  it.effect("a request that is repeated after a loss under another secret is another charge", () =>
    Effect.gen(function* () {
      const [before, after] = [yield* engineWith([]), yield* engineWith([], Outcome.succeeded(), "rotated")]
      const asked = yield* card
      const create = ({ payments }: typeof before) => payments.create(asked, keyed("payments", "order 1"))
      yield* twice(create(before), create(after))
      assert.notStrictEqual(after.sends[0]?.key, before.sends[0]?.key)
      assert.notStrictEqual(after.sends[0]?.id, before.sends[0]?.id)
    })
  )
})

describe("a payment that was written again without its key", () => {
  /** The payment of the request, on a database that does not know the key. */
  const withoutKey = Effect.gen(function* () {
    const asked = yield* card
    const before = yield* engineWith([])
    const { record } = yield* Effect.orDie(before.payments.create(asked, keyed("payments", "order 1")))
    return { ...(yield* engineWith([record])), asked, record }
  })

  it.effect("answers the repeated request, is not sent again, and has its key from then on", () =>
    Effect.gen(function* () {
      const { asked, payments, record, sends, store } = yield* withoutKey
      const repeat = Effect.orDie(payments.create(asked, keyed("payments", "order 1")))
      const first = yield* repeat
      assert.deepStrictEqual([first.replayed, first.record.payment.id], [true, record.payment.id])
      const key = yield* store.findKey(tenant, "payments", "order 1")
      assert.strictEqual(key?.paymentId, record.payment.id)
      const second = yield* repeat
      assert.deepStrictEqual([second.body, sends], [first.body, []])
    })
  )

  it.effect("refuses the key for another amount", () =>
    Effect.gen(function* () {
      const { asked, payments, sends } = yield* withoutKey
      const other = { ...asked, amount: { ...asked.amount, minorUnits: asked.amount.minorUnits + 1 } }
      const refused = yield* Effect.flip(payments.create(other, keyed("payments", "order 1")))
      assert.deepStrictEqual([refused.reason._tag, sends], ["IdempotencyKeyReused", []])
    })
  )

  it.effect("refuses the key for another customer, and answers the first request after that", () =>
    Effect.gen(function* () {
      const { asked, payments, sends } = yield* withoutKey
      const other = { ...asked, metadata: { ...asked.metadata, order: "another" } }
      const refused = yield* Effect.flip(payments.create(other, keyed("payments", "order 1")))
      assert.strictEqual(refused.reason._tag, "IdempotencyKeyReused")
      const { replayed } = yield* payments.create(asked, keyed("payments", "order 1"))
      assert.deepStrictEqual([replayed, sends], [true, []])
    })
  )

  it.effect("answers its repeated refund and capture, sends neither again, and refuses other amounts", () =>
    Effect.gen(function* () {
      const asked = yield* cardOnHold
      const before = yield* engineWith([], held)
      const begun = yield* Effect.orDie(before.payments.create(asked, keyed("payments", "order 1")))
      const { id } = begun.record.payment
      yield* Effect.orDie(before.payments.capture(id, { minorUnits: 700 }, keyed("captures", "1")))
      const refunded = yield* Effect.orDie(
        before.payments.refund(id, { minorUnits: 500, reason: null }, keyed("refunds", "1"))
      )
      const { payments, sends, store } = yield* engineWith([refunded.record], held)
      const refund = (minorUnits: number) => payments.refund(id, { minorUnits, reason: null }, keyed("refunds", "1"))
      assert.strictEqual((yield* Effect.flip(refund(300))).reason._tag, "IdempotencyKeyReused")
      const again = yield* Effect.orDie(refund(500))
      const captured = yield* Effect.orDie(payments.capture(id, { minorUnits: 700 }, keyed("captures", "1")))
      assert.deepStrictEqual([again.replayed, again.operation.id], [true, refunded.operation.id])
      assert.deepStrictEqual([captured.replayed, sends], [true, []])
      const now = yield* store.get(id)
      assert.deepStrictEqual([now?.payment.amountRefunded, now?.operations.length], [500, 3])
      assert.strictEqual((yield* Effect.orDie(refund(500))).body, again.body)
    })
  )

  it.effect("is not shown to another account that has an operation of the same id", () =>
    Effect.gen(function* () {
      const { asked, record, store } = yield* withoutKey
      const foreign = { ...record, payment: { ...record.payment, account: "other" } }
      const elsewhere = yield* start(
        { ...store, findByOperation: () => Effect.succeed(foreign) },
        [scripted("a", { create: () => Effect.succeed(Outcome.succeeded()) })],
        {},
        installation("one")
      )
      const refused = yield* Effect.flip(elsewhere.payments.create(asked, keyed("payments", "order 1")))
      assert.strictEqual(refused.reason._tag, "Unavailable")
    })
  )
})

describe("a process whose commit failed, and that finds an operation under the id that it made", () => {
  it.effect("does not send it, if another process that serves the same request has made it", () =>
    Effect.gen(function* () {
      const inner = MemoryStore.make()
      const sends: Array<string> = []
      const engineOf = (name: string, changes: Partial<typeof inner> = {}) =>
        start(
          { ...inner, ...changes },
          [
            scripted("a", {
              create: () => Effect.succeed(Outcome.succeeded()),
              refund: () => Effect.sync(() => (sends.push(name), Outcome.succeeded()))
            })
          ],
          {},
          installation("one")
        )
      const first = yield* engineOf("first")
      const paid = yield* first.create()
      // It reads before the first one writes, and its own commit fails.
      const second = yield* engineOf("second", {
        find: () => Effect.succeed(paid),
        findKey: () => Effect.succeed(null),
        advance: () => new StoreUnavailable({ cause: "no reply" })
      })
      const refund = ({ payments }: typeof first) =>
        Effect.exit(payments.refund(paid.payment.id, { minorUnits: 100, reason: null }, keyed("refunds", "1")))
      assert.isTrue(Exit.isSuccess(yield* refund(first)))
      yield* TestClock.adjust("1 second")
      assert.isTrue(Exit.isFailure(yield* refund(second)))
      assert.deepStrictEqual(sends, ["first"])
    })
  )
})
