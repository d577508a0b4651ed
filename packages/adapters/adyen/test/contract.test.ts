/** Every request of the adapter, every answer of its fake and every webhook, put to the vendor's own specifications. */
import { assert, describe, it } from "@effect/vitest"
import type { SeenRequest } from "@paymux/testkit"
import { Effect } from "effect"
import { resultOf } from "../src/testing/fake.ts"
import { begin, card, encrypted, euros, known, later, operation, stored } from "./operations.ts"
import { faultsOf, isThere, skipped, webhookFaults } from "./specification.ts"

/** All that the adapter can send, and most of what it can be answered. */
const everything = Effect.gen(function* () {
  const { cancel, capture, complete, create, network, refund, vendor, webhooks } = yield* begin
  const bare = {
    metadata: {},
    description: null,
    client: null,
    customer: { email: "", phone: "+49151", name: null, address: null }
  }
  const paid = operation({ method: card(encrypted) })
  const { reference = "" } = yield* create(paid)
  yield* create(operation({ ...known, method: card(stored) }))
  yield* create(operation({ ...known, method: card(null) }))
  yield* create({ ...paid, description: "in other words" })
  yield* create({ ...paid, amount: euros(1) })
  yield* refund(later("refund", paid, reference, { amount: euros(345) }))
  const whole = operation()
  yield* refund(later("refund", whole, (yield* create(whole)).reference ?? ""))

  const held = operation({ ...bare, method: card(stored), captureMethod: "manual", amount: euros(123_456_789, "JPY") })
  const authorized = (yield* create(held)).reference ?? ""
  yield* capture(later("capture", held, authorized, { amount: euros(100_000_000, "JPY") }))
  yield* cancel(later("cancel", held, authorized))
  yield* Effect.ignore(capture(later("capture", held, "UNKNOWN")))

  yield* vendor.decide({ decline: "12" })
  yield* create(operation({ method: card("8415718415172836") }))
  yield* vendor.decide("wait")
  const redirected = operation()
  yield* create(redirected)
  yield* cancel(later("cancel", operation(), operation().id))
  yield* vendor.decide("approve")
  const waiting = (yield* vendor.payments).find(({ status }) => status === "pending")
  yield* complete(redirected, { redirectResult: waiting === undefined ? "" : resultOf(waiting) })
  yield* Effect.ignore(complete(redirected, { redirectResult: "made up" }))

  const shown = operation({ method: card(null), captureMethod: "manual" })
  const link = (yield* create(shown)).reference ?? ""
  yield* complete({ ...shown, reference: link }, {})
  yield* cancel(later("cancel", shown, link))
  const used = operation({ ...bare, method: card(null), returnUrl: null })
  const usedLink = (yield* create(used)).reference ?? ""
  yield* vendor.payersAct
  yield* complete({ ...used, reference: usedLink }, {})
  yield* cancel(later("cancel", used, usedLink))

  yield* network.failNext({ executed: false, reply: { status: 401, json: { status: 401, errorCode: "000" } } })
  yield* Effect.ignore(create(operation()))
  return { exchanges: yield* network.requests, webhooks }
})

const endpoint = ({ method, path, status }: SeenRequest) =>
  `${method} ${path.replace(/\/[0-9A-Z]{16,18}|\/UNKNOWN/, "/:id")} ${status}`

describe.skipIf(!isThere)(`the specification of Adyen${skipped}`, () => {
  it.live("has every request of the adapter and every answer of the fake", () =>
    Effect.gen(function* () {
      const { exchanges } = yield* everything
      assert.deepStrictEqual(exchanges.flatMap(faultsOf), [])
      assert.deepStrictEqual([...new Set(exchanges.map(endpoint))].toSorted(), [
        "GET /paymentLinks/:id 200",
        "PATCH /paymentLinks/:id 200",
        "PATCH /paymentLinks/:id 422",
        "POST /cancels 201",
        "POST /paymentLinks 201",
        "POST /payments 200",
        "POST /payments 401",
        "POST /payments 422",
        "POST /payments/:id/cancels 201",
        "POST /payments/:id/captures 201",
        "POST /payments/:id/captures 422",
        "POST /payments/:id/refunds 201",
        "POST /payments/:id/reversals 201",
        "POST /payments/details 200",
        "POST /payments/details 422"
      ])
    }).pipe(Effect.scoped)
  )

  it.live("has every webhook that reports them", () =>
    Effect.gen(function* () {
      const { webhooks } = yield* everything
      const codes = new Set<string>()
      for (const event of yield* webhooks.events) {
        const body = Buffer.from((yield* webhooks.deliver([event])).body).toString()
        const code = JSON.parse(body).notificationItems[0].NotificationRequestItem.eventCode
        codes.add(code)
        assert.deepStrictEqual(webhookFaults(body, code), [])
      }
      assert.deepStrictEqual([...codes].toSorted(), [
        "AUTHORISATION",
        "CANCELLATION",
        "CANCEL_OR_REFUND",
        "CAPTURE",
        "REFUND"
      ])
      assert.isNull(webhookFaults("{}", "SOMETHING_NEW"))
    }).pipe(Effect.scoped)
  )

  it.live("refuses what is not in it: the check can fail", () =>
    Effect.gen(function* () {
      const { exchanges } = yield* everything
      const [first] = exchanges
      if (first === undefined) return assert.fail("no exchange")
      const wrong = (change: Partial<SeenRequest>) => faultsOf({ ...first, ...change }).length > 0
      const body = JSON.parse(first.body)
      const answer = JSON.parse(first.answer)
      assert.isFalse(wrong({}))
      assert.isTrue(wrong({ body: JSON.stringify({ ...body, amount: { value: "1", currency: "EUR" } }) }))
      assert.isTrue(wrong({ body: JSON.stringify({ ...body, ammount: 1 }) }))
      assert.isTrue(wrong({ body: JSON.stringify({ ...body, returnUrl: undefined }) }))
      assert.isTrue(wrong({ body: JSON.stringify({ ...body, paymentMethod: { type: "scheme", pan: "4111" } }) }))
      assert.isTrue(wrong({ answer: JSON.stringify({ ...answer, resultCode: "Done" }) }))
      assert.isTrue(wrong({ answer: JSON.stringify({ ...answer, news: 1 }) }))
      assert.isTrue(wrong({ path: "/payment" }))
      assert.isTrue(wrong({ status: 418 }))
      assert.isTrue(wrong({ headers: {} }))
    }).pipe(Effect.scoped)
  )
})
