/**
 * The engine with two instances of Stripe, each at a fake of its own, and cards that have a token at both: see `testEngine`.
 */
import { type PaymentRecord } from "@paymux/core"
import { testEngine, stateOf as stateWithout } from "@paymux/test-suites"
import { type LedgerEvent } from "@paymux/testkit"
import { Clock, Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { stripe } from "../src/index.ts"
import { fake, posted } from "../src/testing/fake.ts"
import { optionsOf } from "../src/testing/options.ts"

export const minutes = 60_000

/** `patience`: see `virtualTime`. */
export const environmentOf = Effect.fnUntraced(function* (options: { readonly patience?: number } = {}) {
  // The fake's own times are real ones.
  yield* TestClock.setTime(yield* TestClock.withLive(Clock.currentTimeMillis))
  const [first, second] = [yield* fake.start({ mode: "test" }), yield* fake.start({ mode: "test" })]
  const { network, webhooks } = first
  if (network === null || webhooks === null || second.network === null) {
    return yield* Effect.die(new Error("the fake has both"))
  }
  const engine = testEngine(
    [stripe({ ...optionsOf(first), id: "stripe" }), stripe({ ...optionsOf(second), id: "stripe_b" })],
    options
  )
  const { current, nextLook, pass, settle } = engine
  const running = yield* engine.start
  const { inbox, payments } = running

  /** Created, and given the time that its sends take. */
  const create = Effect.fnUntraced(function* (
    card: { readonly tokens?: { readonly [instance: string]: string } },
    time = 0,
    change: {
      readonly amount?: number
      readonly currency?: string
      readonly capture_method?: "manual"
      readonly customer?: object
      readonly description?: string
    } = {}
  ) {
    const creating = yield* Effect.forkChild(
      engine.create(running, {
        amount: 17_050,
        currency: "EUR",
        payment_method: "card",
        payment_method_details: { card },
        customer: { email: "asha@example.com", phone: "+919812345678" },
        return_url: "https://shop.example/thanks",
        ...change
      }),
      { startImmediately: true }
    )
    yield* settle
    yield* pass(time)
    return time === 0 ? yield* Fiber.join(creating) : yield* engine.only(running)
  })

  /** The first one's fake posts this event, signed now. */
  const post = Effect.fnUntraced(function* (event: LedgerEvent | undefined) {
    if (event === undefined) return yield* Effect.die(new Error("no event was recorded"))
    const { body, headers } = yield* webhooks.deliver([event])
    return yield* inbox.receive("stripe", body, headers)
  })

  /** The first one's Stripe posts an event of this type, signed now. */
  const postOf = Effect.fnUntraced(function* (type: string, object: object) {
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
  return { first, second, network, payments, create, current, nextLook, pass, settle, post, postOf, sent, keys }
})

export const environment = environmentOf()

/** With the instance that took the money. */
export const stateOf = (record: PaymentRecord) => ({
  ...stateWithout(record),
  ...(record.payment.state.status === "succeeded" && { by: record.payment.provider })
})
