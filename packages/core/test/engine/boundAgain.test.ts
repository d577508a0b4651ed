/** A key that is bound again to a payment that was written without it, while another process changes the payment or binds the key. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { createHmac } from "node:crypto"
import { NameDigest } from "../../src/domain/NameDigest.ts"
import type { NewPayment, PaymentRecord } from "../../src/domain/Payment.ts"
import { changed } from "../../src/domain/transition/change.ts"
import * as Outcome from "../../src/domain/Outcome.ts"
import { MemoryStore } from "@paymux/testkit/memory-store"
import type { AdvanceCommit } from "../../src/store/PaymentStore.ts"
import { card, keyed, scripted, start, tenant } from "./fixtures.ts"
import type { Store } from "./fixtures.ts"

const digest = Layer.succeed(NameDigest, (text) => createHmac("sha256", "one").update(text).digest())

const engineOn = (store: Store, sends: Array<string> = []) => {
  const perform = ({ id }: { readonly id: string }) => Effect.sync(() => (sends.push(id), Outcome.succeeded()))
  const provider = scripted("a", { create: perform, refund: perform })
  const methods = { ...provider.capabilities.methods, upi: { currencies: "any", flows: { intent: {} } } } as const
  return start(store, [{ ...provider, capabilities: { ...provider.capabilities, methods } }], {}, digest)
}

const paymentKey = keyed("payments", "order 1")
const refundKey = keyed("refunds", "1")
const part = { minorUnits: 500, reason: null }

/** A payment and its refund, on a database that does not know their keys. */
const withoutKeys = Effect.gen(function* () {
  const before = yield* engineOn(MemoryStore.make())
  const { record } = yield* Effect.orDie(before.payments.create(yield* card, paymentKey))
  const refunded = yield* Effect.orDie(before.payments.refund(record.payment.id, part, refundKey))
  const store = MemoryStore.make()
  yield* store.begin({ record: refunded.record, binding: null })
  return { record: refunded.record, refund: refunded.operation, store }
})

type Overtake = (inner: Store, commit: AdvanceCommit) => Effect.Effect<unknown, unknown>

/** `overtake` is committed just before the first commit that binds a key. Fails a caller that repeats its commit on and on. */
const overtaken = (inner: Store, overtake: Overtake): Store => {
  let commits = 0
  return {
    ...inner,
    advance: (commit) =>
      Effect.gen(function* () {
        commits++
        if (commits > 5) return yield* Effect.die(new Error("The commit is repeated without an end"))
        if (commits === 1 && commit.binding !== null) yield* Effect.orDie(overtake(inner, commit))
        return yield* inner.advance(commit)
      })
  }
}

const plainCommit = (before: PaymentRecord, change: { readonly disputedAt?: number } = {}): AdvanceCommit => {
  const { record: after } = changed(before, 0, change, null)
  return { before, after, events: [], evidence: null, binding: null, answer: null }
}

const isDisputed: Overtake = (inner, { before }) => inner.advance(plainCommit(before, { disputedAt: 0 }))

const isBound =
  (fingerprint?: string): Overtake =>
  (inner, { before, binding }) =>
    Effect.gen(function* () {
      if (binding === null) return assert.fail("The commit binds no key")
      const first = { ...binding, ...(fingerprint !== undefined && { fingerprint }) }
      yield* inner.advance({ ...plainCommit(before), binding: first })
      yield* inner.keepAnswer({ ...first, body: "the first answer" })
    })

/** What repeats the request for the payment, and what repeats the request for its refund. */
const requests = {
  payment: Effect.fnUntraced(function* (store: Store, sends: Array<string>) {
    const { payments } = yield* engineOn(store, sends)
    const { body, record, replayed } = yield* payments.create(yield* card, paymentKey)
    const id: string = record.payment.id
    return { body, id, replayed }
  }),
  refund: Effect.fnUntraced(function* (store: Store, sends: Array<string>, { payment }: PaymentRecord) {
    const { payments } = yield* engineOn(store, sends)
    const { body, operation, replayed } = yield* payments.refund(payment.id, part, refundKey)
    const id: string = operation.id
    return { body, id, replayed }
  })
}
const keys = { payment: paymentKey, refund: refundKey }

describe.each(["payment", "refund"] as const)("a key that is bound again to a %s", (kind) => {
  const repeated = Effect.fnUntraced(function* (overtake: Overtake) {
    const { record, refund, store } = yield* withoutKeys
    const sends: Array<string> = []
    const request = requests[kind](overtaken(store, overtake), sends, record)
    const made: string = kind === "payment" ? record.payment.id : refund.id
    const { endpoint, key } = keys[kind].idempotency
    const kept = store.findKey(tenant, endpoint, key)
    return { id: record.payment.id, kept, made, request, sends, store }
  })

  it.effect("is bound to the payment as it stands, if that was changed meanwhile", () =>
    Effect.gen(function* () {
      const { id, kept, made, request, sends, store } = yield* repeated(isDisputed)
      const answered = yield* request
      assert.deepStrictEqual([answered.id, answered.replayed, sends], [made, true, []])
      assert.strictEqual((yield* kept)?.paymentId, id)
      assert.strictEqual((yield* kept)?.answer, answered.body)
      assert.strictEqual((yield* store.get(id))?.payment.disputedAt, 0)
    })
  )

  it.effect("is answered as another process has answered it meanwhile", () =>
    Effect.gen(function* () {
      const { made, request, sends } = yield* repeated(isBound())
      assert.deepStrictEqual(yield* request, { body: "the first answer", id: made, replayed: true })
      assert.deepStrictEqual(sends, [])
    })
  )

  it.effect("is refused, if another process has bound it to another request meanwhile", () =>
    Effect.gen(function* () {
      const { kept, request, sends } = yield* repeated(isBound("another"))
      const refused = yield* Effect.flip(request)
      assert.strictEqual(refused._tag === "PaymentError" && refused.reason._tag, "IdempotencyKeyReused")
      assert.deepStrictEqual([(yield* kept)?.fingerprint, sends], ["another", []])
    })
  )
})

describe("a request under the key of a payment that was written without it", () => {
  it.effect("is refused if it differs in anything that the payment has of it", () =>
    Effect.gen(function* () {
      const { store } = yield* withoutKeys
      const sends: Array<string> = []
      const { payments } = yield* engineOn(store, sends)
      const asked = yield* card
      const others: ReadonlyArray<readonly [pointer: string, Partial<NewPayment>]> = [
        ["/amount", { amount: { ...asked.amount, minorUnits: asked.amount.minorUnits - 1 } }],
        ["/capture_method", { captureMethod: "manual" }],
        ["/customer/email", { customer: { ...asked.customer, email: "other@example.com" } }],
        ["/description", { description: "another order" }],
        ["/metadata/order", { metadata: { order: "another" } }],
        ["/payment_method", { method: { rail: "upi", flow: "intent", vpa: null } }]
      ]
      for (const [pointer, other] of others) {
        const { reason } = yield* Effect.flip(payments.create({ ...asked, ...other }, paymentKey))
        assert.deepInclude(reason, { _tag: "IdempotencyKeyReused", pointer })
      }
      const { endpoint, key } = paymentKey.idempotency
      assert.deepStrictEqual([yield* store.findKey(tenant, endpoint, key), sends], [null, []])
    })
  )

  it.effect("is refused for a refund with another reason", () =>
    Effect.gen(function* () {
      const { record, store } = yield* withoutKeys
      const sends: Array<string> = []
      const { payments } = yield* engineOn(store, sends)
      const refused = yield* Effect.flip(
        payments.refund(record.payment.id, { ...part, reason: "fraudulent" }, refundKey)
      )
      assert.deepStrictEqual([refused.reason._tag, sends], ["IdempotencyKeyReused", []])
    })
  )
})
