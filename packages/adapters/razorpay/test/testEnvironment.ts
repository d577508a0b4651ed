/** The engine with Razorpay's adapter at its fake: see `testEngine`. */
import type { PaymentRecord } from "@paymux/core"
import { type RunningEngine, stateOf as stateWithout, testEngine } from "@paymux/test-suites"
import type { LedgerEvent } from "@paymux/testkit"
import { Clock, Effect } from "effect"
import { TestClock } from "effect/testing"
import { setImmediate as nextTurn } from "node:timers/promises"
import { razorpay } from "../src/index.ts"
import { fake } from "../src/testing/fake.ts"
import { signed } from "../src/testing/posted.ts"

export const environment = Effect.fnUntraced(function* (options: { readonly qr?: "link" | "qr_code" } = {}) {
  yield* TestClock.setTime(yield* TestClock.withLive(Clock.currentTimeMillis))
  const vendor = yield* fake.start({ mode: "test" })
  const { credentials, network, url, webhooks } = vendor
  if (network === null || webhooks === null) return yield* Effect.die(new Error("the fake has both"))
  const { keyId, keySecret, webhookSecret } = credentials
  const engine = testEngine([razorpay({ keyId, keySecret, webhookSecrets: [webhookSecret], baseUrl: url, ...options })])

  const create = (
    running: RunningEngine,
    flow: "intent" | "qr" = "intent",
    capture_method: "automatic" | "manual" = "automatic"
  ) =>
    engine.create(running, {
      amount: 10_000,
      currency: "INR",
      payment_method: "upi",
      capture_method,
      payment_method_details: { upi: { flow } },
      customer: { email: "asha@example.com", phone: "+919812345678" },
      client: { ip: "203.0.113.7", user_agent: "Mozilla/5.0", referer: "https://shop.example/cart" }
    })

  /** Razorpay posts this event, signed now. */
  const post = ({ inbox }: RunningEngine, event: LedgerEvent) =>
    Effect.flatMap(webhooks.deliver([event]), ({ body, headers }) => inbox.receive("razorpay", body, headers))

  /** Razorpay posts an event of this name with a payment, as it stands in the list of its order. */
  const postOf = ({ inbox }: RunningEngine, event: string, payment: object) => {
    const posted = { entity: "event", event, payload: { payment: { entity: payment } }, created_at: 1_795_000_000 }
    const { body, headers } = signed(posted, `evt_${event}`, vendor.credentials)
    return inbox.receive("razorpay", body, headers)
  }

  /** Until the payment has ended, by looks alone. */
  const untilEnded = Effect.fnUntraced(function* (record: PaymentRecord) {
    while (stateOf(yield* engine.current(record)).status === "pending") yield* engine.nextLook(record)
  })
  return { ...engine, vendor, network, create, createOf: engine.create, post, postOf, untilEnded }
})

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

/** With whether the money came after the end. */
export const stateOf = (record: PaymentRecord) => ({
  ...stateWithout(record),
  ...(record.payment.state.status === "succeeded" && { late: record.payment.state.late })
})
