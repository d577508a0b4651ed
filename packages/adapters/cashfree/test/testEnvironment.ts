/** The engine with Cashfree's adapter at its fake: see `testEngine`. */
import { type PaymentRecord } from "@paymux/core"
import { type RunningEngine, stateOf as stateWithout, testEngine } from "@paymux/test-suites"
import { type LedgerEvent } from "@paymux/testkit"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { cashfree } from "../src/index.ts"
import { booksOf } from "../src/testing/books.ts"
import { fake, s2sFake } from "../src/testing/fake.ts"
import { optionsOf } from "../src/testing/options.ts"

export const minutes = 60_000
export const days = 24 * 60 * minutes

/** With Order Pay (S2S); without it if `s2s` is false. */
export const environment = Effect.fnUntraced(function* ({
  s2s = true,
  ...change
}: { readonly preauthorization?: boolean; readonly s2s?: boolean } = {}) {
  yield* TestClock.setTime(Date.parse("2026-11-21T10:00:00Z"))
  const vendor = yield* (s2s ? s2sFake : fake).start({ mode: "test" })
  const { network, webhooks } = vendor
  if (network === null || webhooks === null) return yield* Effect.die(new Error("the fake has both"))
  const { create, current, only, pass, reported, start } = testEngine([
    cashfree({ ...optionsOf(vendor), s2s, ...change })
  ])

  const createUpi = (running: RunningEngine, capture_method: "automatic" | "manual" = "automatic") =>
    create(running, {
      amount: 17_050,
      currency: "INR",
      payment_method: "upi",
      payment_method_details: { upi: { flow: "intent" } },
      customer: { email: "asha@example.com", phone: "+919812345678" },
      capture_method
    })

  /** The vendor posts this event, signed now. */
  const post = Effect.fnUntraced(function* (inbox: RunningEngine["inbox"], event: LedgerEvent | undefined) {
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
  return { vendor, network, webhooks, start, pass, create: createUpi, current, only, reported, post, sent, orders }
})

/** With whether the money came after the end. */
export const stateOf = (record: PaymentRecord) => ({
  ...stateWithout(record),
  ...(record.payment.state.status === "succeeded" && { late: record.payment.state.late })
})
