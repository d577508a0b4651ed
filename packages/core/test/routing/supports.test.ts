import { assert, describe, it } from "@effect/vitest"
import { type Capabilities, decodeCreatePayment } from "@paymux/core"
import { Effect } from "effect"
import { supports } from "../../src/routing/servedFlow.ts"

const capabilities: Capabilities = {
  methods: {
    upi: {
      currencies: ["INR"],
      flows: { hosted: {}, intent: { requires: ["client.ip"], cancelable: false }, qr: { cancelable: true } }
    }
  },
  operations: { create: {}, cancel: {}, refund: {} }
}

const payment = (more: object) =>
  Effect.runSync(
    decodeCreatePayment({
      amount: 100,
      currency: "INR",
      payment_method: "upi",
      customer: { email: "asha@example.com", phone: "+919812345678" },
      ...more
    })
  )
const intent = payment({ client: { ip: "203.0.113.7" } })

describe("supports", () => {
  it("a cancel by the flow that serves the payment, and not by the one that was asked for", () => {
    assert.isFalse(supports(capabilities, "cancel", intent))
    assert.isTrue(supports(capabilities, "cancel", payment({})), "its page")
    assert.isTrue(supports(capabilities, "cancel", payment({ payment_method_details: { upi: { flow: "qr" } } })))
  })

  it("what is declared, for every flow, and nothing else", () => {
    assert.isTrue(supports(capabilities, "refund", intent))
    assert.isFalse(supports(capabilities, "capture", intent))
    assert.isFalse(supports({ ...capabilities, operations: { create: {} } }, "cancel", payment({})))
  })
})
