import { assert, describe, it } from "@effect/vitest"
import { PaymentRecords } from "@paymux/test-suites"
import {
  erased,
  erasedCustomer,
  erasedEvent,
  erasedWords,
  erasureHindrance,
  isErased,
  isFullyErased
} from "../../src/domain/erasure.ts"
import type { Operation } from "../../src/domain/Operation.ts"
import type { Payment, PaymentRecord } from "../../src/domain/Payment.ts"
import type { Review } from "../../src/domain/Review.ts"
import { flow } from "../../src/domain/PaymentMethod.ts"
import type { EvidenceSource } from "../../src/domain/Evidence.ts"
import { noHostedPage } from "../../src/wire/HostedPage.ts"
import { paymentBody, paymentJson } from "../../src/wire/PaymentJson.ts"

const { aCard, anEvent, anOperation, aRecord, succeeded } = PaymentRecords

const secret = "canary"

/** Personal in every place that can hold it. */
const personal: Partial<Payment> = {
  customer: {
    email: `${secret}@example.com`,
    phone: "+4915112345678",
    name: secret,
    address: { line1: secret, line2: secret, city: secret, state: secret, postalCode: secret, country: "DE" }
  },
  description: secret,
  metadata: { [secret]: secret },
  client: {
    ip: "192.0.2.1",
    userAgent: secret,
    referer: `https://${secret}.example`,
    acceptHeader: secret,
    language: secret,
    timeZone: secret,
    screen: { width: 1920, height: 1080, colorDepth: 24 }
  },
  returnUrl: `https://shop.example/${secret}`
}

const paid = (change: Partial<Payment> = {}): PaymentRecord => {
  const record = succeeded(aRecord(1, { ...personal, ...change }))
  const refund = anOperation(1, 2, {
    kind: "refund",
    attemptSeq: 1,
    status: "succeeded",
    reason: secret,
    nextCheckAt: null
  })
  return { ...record, operations: [...record.operations, refund] }
}

const withOperation = (record: PaymentRecord, change: Partial<Operation>): PaymentRecord => ({
  ...record,
  operations: record.operations.map((operation, index) => (index === 1 ? { ...operation, ...change } : operation))
})

describe("an erased payment", () => {
  it("holds nothing of its customer, and all of its books", () => {
    const before = paid({ method: { rail: "upi", flow: "collect", vpa: `${secret}@bank` } })
    const after = erased(before, 9_000)
    assert.notInclude(JSON.stringify(after), secret)
    assert.notInclude(JSON.stringify(after), "+4915112345678")
    assert.notInclude(JSON.stringify(after), "192.0.2.1")
    assert.deepStrictEqual(after, {
      payment: {
        ...before.payment,
        method: { rail: "upi", flow: "collect", vpa: "erased@invalid" },
        customer: erasedCustomer,
        description: null,
        metadata: {},
        client: null,
        returnUrl: null,
        version: before.payment.version + 1,
        updatedAt: 9_000
      },
      attempts: before.attempts,
      entries: before.entries,
      operations: before.operations.map((operation) => ({ ...operation, reason: null }))
    })
    assert.isFalse(isErased(before.payment))
    assert.isTrue(isErased(after.payment))
  })

  it("keeps its order, which no other payment may have", () => {
    const before = paid({ order: "1001" })
    assert.strictEqual(erased(before, 9_000).payment.order, "1001")
    const event = anEvent(before, "payment.succeeded", { payment: paymentBody(before, noHostedPage), refund: null })
    assert.deepInclude(JSON.parse(erasedEvent(event).payment), { order: "1001", description: null })
  })

  it("of a card keeps what routing was decided by: that there were tokens, network, country, funding, and the bin", () => {
    const known = { network: "visa", country: "IN", funding: "credit", bin: "411111" }
    const tokens = { acme: secret, other: { id: secret } }
    const method = aCard({ ...known, token: secret, tokens, fingerprint: secret })
    const after = erased(paid({ method }), 9_000).payment.method
    assert.deepStrictEqual(
      after,
      aCard({ ...known, token: "erased", tokens: { acme: "erased", other: "erased" }, fingerprint: null })
    )
    assert.strictEqual(flow(after), flow(method))
    assert.deepStrictEqual(erased(paid({ method: aCard() }), 9_000).payment.method, aCard())
  })

  it("keeps that an address for refunds was named, so that none goes to another; its events say the same", () => {
    const metadata = { refund_address: secret, [secret]: secret }
    const before = paid({ metadata })
    const after = erased(before, 9_000)
    assert.deepStrictEqual(after.payment.metadata, { refund_address: "erased" })
    const event = anEvent(before, "payment.succeeded", { payment: paymentBody(before, noHostedPage), refund: null })
    assert.deepStrictEqual(JSON.parse(erasedEvent(event).payment).metadata, { refund_address: "erased" })
    const later = { ...event, payment: paymentBody(after, noHostedPage) }
    assert.strictEqual(erasedEvent(later).payment, later.payment)
  })

  it("is shown in the same shape as any other", () => {
    const json = paymentJson(erased(paid(), 9_000), noHostedPage)
    assert.deepStrictEqual(Object.keys(json), Object.keys(paymentJson(paid(), noHostedPage)))
  })
})

describe("a payment is recognized as erased", () => {
  it("by the email and the phone number together: a customer may have one of them", () => {
    const { payment } = erased(paid(), 9_000)
    assert.isTrue(isErased(payment))
    for (const own of [{ email: "asha@example.com" }, { phone: "+919999999999" }]) {
      assert.isFalse(isErased({ ...payment, customer: { ...erasedCustomer, ...own } }), JSON.stringify(own))
    }
  })

  it("with its evidence, once the document of an operator is erased; others may keep theirs", () => {
    const record = erased(paid(), 9_000)
    const fully = (source: EvidenceSource, document: string | null) => isFullyErased(record, [], [{ source, document }])
    assert.isTrue(fully("operator", erasedWords))
    assert.isFalse(fully("operator", "Asha called"))
    assert.isTrue(fully("webhook", "sha256:0"))
  })
})

const lateSuccess: Review = {
  id: "rev_1",
  reason: "late_success",
  attemptSeq: 1,
  operationId: null,
  provider: "acme",
  reference: null,
  minorUnits: 100,
  currency: "INR",
  since: 1_000
}

describe("what is under way keeps its data", () => {
  const cases: ReadonlyArray<readonly [string, PaymentRecord, ReturnType<typeof erasureHindrance>]> = [
    ["a settled payment does not", paid(), null],
    ["a failed one does not", paid({ state: { status: "canceled" } }), null],
    ["a pending payment", aRecord(1), "pending"],
    ["a hold", { ...paid(), payment: { ...paid().payment, state: { status: "authorized" } } }, "authorized"],
    ["a review", { ...paid(), payment: { ...paid().payment, reviews: [lateSuccess] } }, "in_review"],
    ["a refund that is planned", withOperation(paid(), { status: "planned" }), "operation_open"],
    ["a refund that is pending", withOperation(paid(), { status: "pending" }), "operation_open"],
    ["a refund that is unknown", withOperation(paid(), { status: "unknown" }), "operation_open"],
    ["what is looked after", withOperation(paid(), { nextCheckAt: 1 }), "operation_open"]
  ]
  it.each(cases)("%s", (_, record, expected) => {
    assert.strictEqual(erasureHindrance(record), expected)
  })
})

describe("an erased event", () => {
  const reported = (record: PaymentRecord, change: object = {}) => anEvent(record, "payment.succeeded", change)

  it("keeps what happened and no personal data, in the same shape byte by byte", () => {
    const record = paid({ method: { rail: "upi", flow: "collect", vpa: `${secret}@bank` } })
    const open: PaymentRecord = {
      ...record,
      payment: {
        ...record.payment,
        state: {
          status: "pending",
          reason: "awaiting_customer",
          nextAction: { type: "upi_intent", uri: `upi://pay?tn=${secret}`, expiresAt: null }
        }
      }
    }
    const event = reported(open, {
      payment: paymentBody(open, noHostedPage),
      refund: `{"id":"re_1","reason":"${secret}"}`
    })
    const after = erasedEvent(event)
    assert.notInclude(JSON.stringify(after), secret)
    assert.deepStrictEqual(JSON.parse(after.payment), {
      ...JSON.parse(event.payment),
      description: null,
      customer: erasedCustomer,
      metadata: {},
      return_url: null,
      next_action: null,
      payment_method_details: { upi: { flow: "collect", vpa: "erased@invalid" } }
    })
    assert.deepStrictEqual(Object.keys(JSON.parse(after.payment)), Object.keys(JSON.parse(event.payment)))
    assert.strictEqual(after.refund, '{"id":"re_1","reason":null}')
    assert.deepStrictEqual({ ...after, payment: "", refund: "" }, { ...event, payment: "", refund: "" })
    assert.deepStrictEqual(erasedEvent(after), after)
  })

  it("of a version that wrote less gains nothing", () => {
    assert.strictEqual(
      erasedEvent(reported(paid(), { payment: '{"id":"pay_1","amount":5}' })).payment,
      '{"id":"pay_1","amount":5}'
    )
  })
})
