/** The real engine over the in-memory store and Razorpay's fake: time is virtual, and only the sockets are not. */
import { decodeCreatePayment, Engine, Ids, Inbox, Payments } from "@paymux/core"
import type { NewPayment, PaymentRecord } from "@paymux/core"
import { MemoryStore, PaymentStore } from "@paymux/core/store"
import type { HttpVendor, LedgerEvent } from "@paymux/testkit"
import { Clock, Context, Effect, Exit, Layer, Scope } from "effect"
import { TestClock } from "effect/testing"
import { setImmediate as nextTurn } from "node:timers/promises"
import { razorpay } from "../src/index.ts"
import { fake } from "../src/testing/fake.ts"
import { signed } from "../src/testing/posted.ts"

type Vendor = Effect.Success<ReturnType<typeof fake.start>>
type Store = PaymentStore["Service"]

/** A vendor, a store that outlives engines, and the time of now. */
export const environment = Effect.gen(function* () {
  yield* TestClock.setTime(yield* TestClock.withLive(Clock.currentTimeMillis))
  const vendor = yield* fake.start({ mode: "test" })
  const { network } = vendor
  if (network === null) return yield* Effect.die(new Error("Razorpay is reached over a network"))
  return { vendor, network, store: MemoryStore.make() }
})

export const running = Effect.fnUntraced(function* (
  { store, vendor }: { readonly store: Store; readonly vendor: Vendor },
  options: { readonly qr?: "link" | "qr_code" } = {}
) {
  const scope = yield* Scope.make()
  const built = yield* Layer.buildWithScope(
    Engine.layer({ providers: [instance(vendor, options)], publicUrl: "https://pay.example", drain: 0 }).pipe(
      Layer.provide(Layer.mergeAll(Layer.succeed(PaymentStore, store), Ids.layer))
    ),
    scope
  )
  const payments = Context.get(built, Payments)
  const inbox = Context.get(built, Inbox)
  return {
    create: (flow: "intent" | "qr" = "intent", captureMethod: "automatic" | "manual" = "automatic") =>
      Effect.flatMap(asked(flow, captureMethod), (payment) =>
        Effect.map(payments.create(payment, plain), ({ record }) => record)
      ),
    createOf: (request: Effect.Effect<NewPayment>) =>
      Effect.flatMap(request, (payment) => Effect.map(payments.create(payment, plain), ({ record }) => record)),
    refund: ({ payment }: PaymentRecord) => payments.refund(payment.id, { minorUnits: null, reason: null }, plain),
    receive: (event: LedgerEvent) =>
      Effect.flatMap(vendor.webhooks?.deliver([event]) ?? Effect.die("it posts webhooks"), ({ body, headers }) =>
        inbox.receive("razorpay", body, headers)
      ),
    /** A webhook of a payment, as it stands in the list of its order. */
    hearOf: (event: string, payment: object) => {
      const posted = { entity: "event", event, payload: { payment: { entity: payment } }, created_at: 1_795_000_000 }
      const { body, headers } = signed(posted, `evt_${event}`, vendor.credentials)
      return inbox.receive("razorpay", body, headers)
    },
    end: Scope.close(scope, Exit.void)
  }
})

const instance = (
  { credentials, url }: HttpVendor<Vendor["credentials"]>,
  options: { readonly qr?: "link" | "qr_code" }
) =>
  razorpay({
    keyId: credentials.keyId,
    keySecret: credentials.keySecret,
    webhookSecrets: [credentials.webhookSecret],
    baseUrl: url,
    ...options
  })

const plain = { tenant: { account: "default", livemode: false }, idempotency: null } as const

const asked = (flow: "intent" | "qr", capture_method: "automatic" | "manual") =>
  Effect.orDie(
    decodeCreatePayment({
      amount: 10_000,
      currency: "INR",
      payment_method: "upi",
      capture_method,
      payment_method_details: { upi: { flow } },
      customer: { email: "asha@example.com", phone: "+919812345678" },
      client: { ip: "203.0.113.7", user_agent: "Mozilla/5.0", referer: "https://shop.example/cart" }
    })
  )

export const read = (store: Store, { payment }: PaymentRecord): Effect.Effect<PaymentRecord> =>
  Effect.flatMap(Effect.orDie(store.get(payment.id)), (found) =>
    found === null ? Effect.die(new Error("the payment was lost")) : Effect.succeed(found)
  )

/** Time passes until the reconciler looks at what is open, and the vendor has answered it; `false`: nothing is open. */
export const nextLook = Effect.fnUntraced(function* (store: Store, record: PaymentRecord) {
  const before = yield* read(store, record)
  const due = before.operations.flatMap(({ nextCheckAt }) => nextCheckAt ?? [])
  if (due.length === 0) return false
  // The reconciler looks once a second.
  yield* TestClock.adjust(Math.max(0, Math.min(...due) - (yield* Clock.currentTimeMillis)) + 1_000)
  yield* eventually(Effect.map(read(store, record), (now) => lookedAt(now) !== lookedAt(before)))
  return true
})

const lookedAt = ({ operations }: PaymentRecord): string =>
  operations.map(({ checks, nextCheckAt, status }) => `${status} ${checks} ${nextCheckAt}`).join()

/** Sockets take real time: each turn of the event loop serves them, and the runner's own limit ends a test that waits. */
export const eventually = (condition: Effect.Effect<boolean>): Effect.Effect<void> =>
  Effect.flatMap(condition, (holds) =>
    holds
      ? Effect.void
      : Effect.andThen(
          Effect.promise(nextTurn),
          Effect.suspend(() => eventually(condition))
        )
  )

export const stateOf = ({ payment: { reviews, state } }: PaymentRecord) => ({
  status: state.status,
  ...(state.status === "failed" && { code: state.failure.code }),
  ...(state.status === "succeeded" && { late: state.late }),
  reviews: reviews.map(({ reason }) => reason)
})

export const eventsOf = (store: Store, { payment }: PaymentRecord) =>
  Effect.map(Effect.orDie(store.undispatchedEvents(1000)), (events) =>
    events.filter(({ paymentId }) => paymentId === payment.id).map(({ type }) => type)
  )
