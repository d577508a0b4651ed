/**
 * The real engine with Cashfree's adapter at its fake: sockets are real, and only the clock is not. Time passes in small
 * steps, and after each of them every call that is on its way is waited for.
 */
import { decodeCreatePayment, Engine, Ids, Inbox, type PaymentRecord, Payments } from "@paymux/core"
import { everyPayment, MemoryStore, PaymentStore } from "@paymux/core/store"
import { virtualTime } from "@paymux/test-suites"
import { type LedgerEvent } from "@paymux/testkit"
import { Context, Effect, Exit, Layer, Scope } from "effect"
import { TestClock } from "effect/testing"
import { cashfree } from "../src/index.ts"
import { booksOf } from "../src/testing/books.ts"
import { fake } from "../src/testing/fake.ts"
import { optionsOf } from "../src/testing/options.ts"

export const minutes = 60_000
export const days = 24 * 60 * minutes

export const environment = Effect.fnUntraced(function* (change: { readonly preauthorization?: boolean } = {}) {
  yield* TestClock.setTime(Date.parse("2026-11-21T10:00:00Z"))
  const vendor = yield* fake.start({ mode: "test" })
  const { network, webhooks } = vendor
  if (network === null || webhooks === null) return yield* Effect.die(new Error("the fake has both"))
  const store = MemoryStore.make()
  const { pass, step, watched } = virtualTime()
  const provider = watched(cashfree({ ...optionsOf(vendor), ...change }))

  /** As one process: it is ended by closing its scope, and what it kept is in the store. */
  const start = Effect.gen(function* () {
    const scope = yield* Scope.make()
    const built = yield* Layer.buildWithScope(
      Engine.layer({
        providers: [provider],
        publicUrl: "https://pay.example",
        drain: 0,
        reconciler: { every: step }
      }).pipe(Layer.provide(Layer.mergeAll(Layer.succeed(PaymentStore, store), Ids.layer))),
      scope
    )
    yield* Effect.addFinalizer(() => Scope.close(scope, Exit.void))
    return {
      payments: Context.get(built, Payments),
      inbox: Context.get(built, Inbox),
      end: Scope.close(scope, Exit.void)
    }
  })

  const asked = Effect.orDie(
    decodeCreatePayment({
      amount: 17_050,
      currency: "INR",
      payment_method: "upi",
      payment_method_details: { upi: { flow: "intent" } },
      customer: { email: "asha@example.com", phone: "+919812345678" }
    })
  )
  const create = (
    { payments }: { readonly payments: Payments["Service"] },
    captureMethod: "automatic" | "manual" = "automatic"
  ) =>
    Effect.gen(function* () {
      const wanted = { ...(yield* asked), captureMethod }
      const { record } = yield* payments.create(wanted, plain)
      return record
    })

  const current = (record: PaymentRecord) =>
    Effect.flatMap(store.get(record.payment.id), (found) =>
      found === null ? Effect.die(new Error("the payment was lost")) : Effect.succeed(found)
    )

  /** The one payment there is. */
  const only = ({ payments }: { readonly payments: Payments["Service"] }) =>
    Effect.flatMap(payments.list(tenant, everyPayment), ({ records: [record] }) =>
      record === undefined ? Effect.die(new Error("the payment was lost")) : Effect.succeed(record)
    )

  const reported = (record: PaymentRecord) =>
    Effect.map(store.undispatchedEvents(1000), (events) =>
      events.filter(({ paymentId }) => paymentId === record.payment.id).map(({ type }) => type)
    )

  /** The vendor posts this event, signed now. */
  const post = Effect.fnUntraced(function* (inbox: Inbox["Service"], event: LedgerEvent | undefined) {
    if (event === undefined) return yield* Effect.die(new Error("no event was recorded"))
    const { body, headers } = yield* webhooks.deliver([event])
    return yield* inbox.receive("cashfree", body, headers)
  })

  const sent = (pattern: RegExp) =>
    Effect.map(
      network.requests,
      (requests) => requests.filter(({ method, path }) => pattern.test(`${method} ${path}`)).length
    )

  const orders = Effect.sync(() => booksOf(vendor.ledger).orders.size)
  return { vendor, network, webhooks, start, pass, create, current, only, reported, post, sent, orders }
})

/** What a test says of a payment. */
export const stateOf = ({ payment: { reviews, state } }: PaymentRecord) => ({
  status: state.status,
  ...(state.status === "failed" && { code: state.failure.code }),
  ...(state.status === "succeeded" && { late: state.late }),
  reviews: reviews.map(({ reason }) => reason)
})

/** How the engine is asked, without a key. */
export const plain = { tenant: { account: "default", livemode: false }, idempotency: null } as const
const { tenant } = plain
