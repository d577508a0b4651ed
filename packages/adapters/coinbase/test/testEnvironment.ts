/** The engine with Coinbase's adapter at its fake: see `testEngine`. */
import type { PaymentRecord, Provider } from "@paymux/core"
import { type RunningEngine, testEngine } from "@paymux/test-suites"
import { type LedgerEvent } from "@paymux/testkit"
import { Clock, Effect } from "effect"
import { TestClock } from "effect/testing"
import { coinbase } from "../src/index.ts"
import { fake } from "../src/testing/fake.ts"
import { bookOf, booksOf } from "../src/testing/objects.ts"
import { optionsOf } from "../src/testing/options.ts"
import { posted } from "../src/testing/posted.ts"

export const minutes = 60_000
export const days = 24 * 60 * minutes

/** `every`: ms, how often the engine looks for what is due; seldom, where days pass. `patience`: see `virtualTime`. `next`: after it. */
export const environmentOf = Effect.fnUntraced(function* (
  options: { readonly every?: number; readonly patience?: number; readonly next?: ReadonlyArray<Provider> } = {}
) {
  yield* TestClock.setTime(Date.parse("2026-11-21T10:00:00Z"))
  const vendor = yield* fake.start({ mode: "test" })
  const { network, webhooks } = vendor
  if (network === null || webhooks === null) return yield* Effect.die(new Error("the fake has both"))
  const books = booksOf(vendor.ledger)
  const engine = testEngine([coinbase(optionsOf(vendor)), ...(options.next ?? [])], options)

  const create = (running: RunningEngine, change: { readonly capture_method?: "manual" } = {}) =>
    engine.create(running, {
      amount: 17_050,
      currency: "USD",
      payment_method: "stablecoin",
      payment_method_details: { stablecoin: { asset: "USDC", network: "base" } },
      customer: { email: "asha@example.com", phone: "+919812345678" },
      return_url: "https://shop.example/thanks",
      ...change
    })

  /** The vendor posts this event, signed now. */
  const post = Effect.fnUntraced(function* ({ inbox }: RunningEngine, event: LedgerEvent | undefined) {
    if (event === undefined) return yield* Effect.die(new Error("no event was recorded"))
    const { body, headers } = yield* webhooks.deliver([event])
    return yield* inbox.receive("coinbase", body, headers)
  })

  /** The vendor posts this, signed now. */
  const postOf = Effect.fnUntraced(function* ({ inbox }: RunningEngine, name: string, data: object, id = name) {
    const now = yield* Clock.currentTimeMillis
    const event = { eventId: `evt_${id}`, eventType: `acceptance.payment_session.${name}`, occurredAt: now, data }
    const { body, headers } = posted(event, now, vendor.credentials.webhookSecret)
    return yield* inbox.receive("coinbase", body, headers)
  })

  const sent = Effect.map(network.requests, (requests) =>
    requests
      .filter(({ method }) => method === "POST")
      .map(({ path }) => path.replace("/platform/v2/payment-sessions", "").replace(/^\/[^/]+/, "") || "create")
  )
  const keysOf = (of: string) =>
    Effect.map(
      network.requests,
      (requests) =>
        new Set(
          requests
            .filter(({ method, path }) => method === "POST" && path.endsWith(of))
            .flatMap(({ headers }) => headers["x-idempotency-key"] ?? [])
        )
    )
  /** What Coinbase keeps of the newest session. */
  const book = Effect.sync(() => {
    const payment = vendor.ledger.payments().at(-1)
    if (payment === undefined) throw new Error("there is no session")
    return bookOf(vendor.ledger, payment)
  })
  return { ...engine, vendor, network, books, book, create, post, postOf, sent, keysOf }
})

export const environment = environmentOf()

export const operationOf = ({ operations }: PaymentRecord, kind: string) =>
  operations.findLast((operation) => operation.kind === kind)
