/**
 * The real engine with two instances of Stripe, each at a fake of its own, and cards that have a token at both: sockets are
 * real, and only the clock is not. Time passes in small steps, and after each of them every call on its way is waited for.
 */
import { decodeCreatePayment, Engine, Ids, Inbox, type PaymentRecord, Payments } from "@paymux/core"
import { everyPayment, MemoryStore, PaymentStore } from "@paymux/core/store"
import { virtualTime } from "@paymux/test-suites"
import { type LedgerEvent } from "@paymux/testkit"
import { Clock, Context, Effect, Exit, Fiber, Layer, Scope } from "effect"
import { TestClock } from "effect/testing"
import { stripe } from "../src/index.ts"
import { fake, posted } from "../src/testing/fake.ts"
import { optionsOf } from "../src/testing/options.ts"

export const minutes = 60_000

export const environment = Effect.gen(function* () {
  // The fake's own times are real ones.
  yield* TestClock.setTime(yield* TestClock.withLive(Clock.currentTimeMillis))
  const [first, second] = [yield* fake.start({ mode: "test" }), yield* fake.start({ mode: "test" })]
  const { network, webhooks } = first
  if (network === null || webhooks === null || second.network === null) {
    return yield* Effect.die(new Error("the fake has both"))
  }
  const store = MemoryStore.make()
  const { pass, settle, step, watched } = virtualTime({ patience: 200 })
  const scope = yield* Scope.make()
  yield* Effect.addFinalizer(() => Scope.close(scope, Exit.void))
  const built = yield* Layer.buildWithScope(
    Engine.layer({
      providers: [
        watched(stripe({ ...optionsOf(first), id: "stripe" })),
        watched(stripe({ ...optionsOf(second), id: "stripe_b" }))
      ],
      publicUrl: "https://pay.example",
      drain: 0,
      reconciler: { every: step }
    }).pipe(Layer.provide(Layer.mergeAll(Layer.succeed(PaymentStore, store), Ids.layer))),
    scope
  )
  const payments = Context.get(built, Payments)
  const inbox = Context.get(built, Inbox)

  /** Created, and given the time that its sends take. */
  const create = Effect.fnUntraced(function* (
    card: { readonly tokens?: { readonly [instance: string]: string } },
    time = 0,
    change: { readonly amount?: number; readonly currency?: string; readonly capture_method?: "manual" } = {}
  ) {
    const asked = yield* Effect.orDie(
      decodeCreatePayment({
        amount: 17_050,
        currency: "EUR",
        payment_method: "card",
        payment_method_details: { card },
        customer: { email: "asha@example.com", phone: "+919812345678" },
        return_url: "https://shop.example/thanks",
        ...change
      })
    )
    const creating = yield* Effect.forkChild(payments.create(asked, plain), { startImmediately: true })
    yield* settle
    yield* pass(time)
    if (time === 0) return (yield* Fiber.join(creating)).record
    return yield* only
  })

  const current = ({ payment }: PaymentRecord) =>
    Effect.flatMap(store.get(payment.id), (found) =>
      found === null ? Effect.die(new Error("the payment was lost")) : Effect.succeed(found)
    )

  /** Until the engine has looked again at what is open; `false`: it will not. */
  const nextLook = Effect.fnUntraced(function* (record: PaymentRecord) {
    const { operations } = yield* current(record)
    const due = operations.flatMap(({ nextCheckAt }) => nextCheckAt ?? [])
    if (due.length === 0) return false
    yield* TestClock.adjust(Math.max(0, Math.min(...due) - (yield* Clock.currentTimeMillis) - step))
    yield* pass(3 * step)
    return true
  })

  /** The one payment there is. */
  const only = Effect.flatMap(payments.list(plain.tenant, everyPayment), ({ records: [record] }) =>
    record === undefined ? Effect.die(new Error("the payment was lost")) : Effect.succeed(record)
  )

  /** The first one's fake posts this event, signed now. */
  const post = Effect.fnUntraced(function* (event: LedgerEvent | undefined) {
    if (event === undefined) return yield* Effect.die(new Error("no event was recorded"))
    const { body, headers } = yield* webhooks.deliver([event])
    return yield* inbox.receive("stripe", body, headers)
  })

  /** The first one's Stripe posts this, signed now. */
  const tell = Effect.fnUntraced(function* (type: string, object: object) {
    const now = yield* Clock.currentTimeMillis
    const event = { id: `evt_${type}`, created: now, type, object }
    const { body, headers } = posted(event, now, first.credentials)
    return yield* inbox.receive("stripe", body, headers)
  })

  const creates = (requests: ReadonlyArray<{ readonly method: string; readonly path: string }>) =>
    requests.filter(({ method, path }) => method === "POST" && path === "/v1/payment_intents").length
  /** How many were asked to be made, at each. */
  const sent = Effect.all([Effect.map(network.requests, creates), Effect.map(second.network.requests, creates)])
  const keys = Effect.map(
    network.requests,
    (requests) => new Set(requests.flatMap(({ headers }) => headers["idempotency-key"] ?? []))
  )
  return { first, second, network, payments, create, current, nextLook, pass, settle, post, tell, sent, keys }
})

export const stateOf = ({ payment: { provider, reviews, state } }: PaymentRecord) => ({
  status: state.status,
  ...(state.status === "failed" && { code: state.failure.code }),
  ...(state.status === "succeeded" && { by: provider }),
  reviews: reviews.map(({ reason }) => reason)
})

/** How the engine is asked, without a key. */
const plain = { tenant: { account: "default", livemode: false }, idempotency: null } as const
