/** The real engine over the in-memory store and Razorpay's fake: time is virtual, and only the sockets are not. */
import { decodeCreatePayment, Engine, Ids, Inbox, MemoryStore, Payments, PaymentStore } from "@paymux/core"
import type { PaymentRecord } from "@paymux/core"
import type { HttpVendor, LedgerEvent } from "@paymux/testkit"
import { Clock, Context, Effect, Exit, Layer, Scope } from "effect"
import { TestClock } from "effect/testing"
import { setTimeout as sleep } from "node:timers/promises"
import { razorpay } from "../src/index.ts"
import { fake } from "./fake.ts"

type Vendor = Effect.Success<ReturnType<typeof fake.start>>
type Store = PaymentStore["Service"]

/** A vendor, a store that outlives engines, and the time of now. */
export const world = Effect.gen(function* () {
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
    create: (flow: "intent" | "qr" = "intent") =>
      Effect.flatMap(asked(flow), (payment) =>
        Effect.map(
          payments.create(payment, { tenant: { account: "default", livemode: false }, idempotency: null }),
          ({ record }) => record
        )
      ),
    hear: (event: LedgerEvent) =>
      Effect.flatMap(vendor.webhooks?.deliver([event]) ?? Effect.die("it posts webhooks"), ({ body, headers }) =>
        inbox.receive("razorpay", body, headers)
      ),
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

const asked = (flow: "intent" | "qr") =>
  Effect.orDie(
    decodeCreatePayment({
      amount: 10_000,
      currency: "INR",
      payment_method: "upi",
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

/** Sockets take real time: nothing is asserted of how long. */
export const eventually = Effect.fnUntraced(function* (condition: Effect.Effect<boolean>) {
  for (let tries = 0; tries < 2_500; tries++) {
    if (yield* condition) return
    yield* Effect.promise(() => sleep(2))
  }
  return yield* Effect.die(new Error("it did not come true in 5 s"))
})

export const stateOf = ({ payment: { review, state } }: PaymentRecord) => ({
  status: state.status,
  ...(state.status === "failed" && { code: state.failure.code }),
  ...(state.status === "succeeded" && { late: state.late }),
  review: review?.reason ?? null
})

export const eventsOf = (store: Store, { payment }: PaymentRecord) =>
  Effect.map(Effect.orDie(store.undispatchedEvents(1000)), (events) =>
    events.filter(({ paymentId }) => paymentId === payment.id).map(({ type }) => type)
  )
