/**
 * Adyen's Checkout API v72 as its specification and documentation describe it, with a ledger: what the adapter is tested
 * against. Captures, cancels, refunds and reversals are taken on, whatever becomes of them; webhooks tell.
 */
import {
  type FakeAnswer,
  fakeProvider,
  type FakeRequest,
  type Ledger,
  type LedgerEvent,
  type LedgerPayment
} from "@paymux/testkit/fake"
import { Effect } from "effect"
import { codes, codeOf } from "./codes.ts"
import { batchSize, reportOf } from "./report.ts"
import * as Requests from "./requests.ts"
import { pspOf } from "./pspOf.ts"
import { signedBody } from "./signed.ts"
import { encrypted } from "./tokens.ts"

const made = fakeProvider({
  credentials: {
    test: {
      environment: "test",
      apiKey: "AQE_test_8b1f0c2d77",
      reportKey: "AQE_test_report_41c7",
      merchantAccount: "ShopTest",
      hmacKey: "A1".repeat(31) + "7F"
    },
    live: {
      environment: "live",
      apiKey: "AQE_live_55d9e3a410",
      reportKey: "AQE_live_report_9d02",
      merchantAccount: "ShopLive",
      hmacKey: "4C".repeat(31) + "D2"
    }
  },
  publicCredentials: ["environment", "merchantAccount"],
  authenticates: ({ headers, path }, { apiKey, reportKey }) =>
    headers["x-api-key"] === (path.startsWith("/reports/") ? reportKey : apiKey),
  unauthorized: error(401, "000", "security"),
  idempotency: { key: ({ headers }) => headers["idempotency-key"], reused: error(422, "704", "validation") },
  rateLimited: (seconds) => ({
    ...error(429, "029", "security"),
    ...(seconds !== null && { headers: { "retry-after": String(seconds) } })
  }),
  // The header says it, whatever the code.
  proof: (code) => ({
    ...error(503, code === "transient-error" ? "703" : code, "internal"),
    headers: { "transient-error": String(code === "transient-error") }
  }),
  declineCodes: codes.map(({ code }) => code),
  // A token that is text cannot be sent.
  prepare: (operation) =>
    operation.method.rail === "card" && operation.method.token !== null
      ? { ...operation, method: { ...operation.method, token: null, tokens: { adyen: encrypted } } }
      : operation,
  routes: {
    "POST /payments": (request, { ledger }) => {
      const { additionalData, amount, captureDelayHours, reference } = Requests.decode(Requests.Payment, request.text)
      saysWhen(additionalData?.manualCapture === "true", captureDelayHours)
      const payment = ledger.open({
        amount: { minorUnits: amount.value, currency: amount.currency },
        capture: additionalData?.manualCapture === "true" ? "manual" : "automatic",
        reference
      })
      return { status: 200, json: paymentToWire(payment) }
    },
    "POST /payments/details": ({ text }, { ledger }) => {
      const { details } = Requests.decode(Requests.Details, text)
      const asked = (payment: LedgerPayment) => resultOf(payment) === details.redirectResult
      const payment = ledger.payments().find(asked)
      if (payment === undefined) return error(422, "14_004", "validation")
      if (payment.status === "pending") ledger.payersAct()
      return { status: 200, json: paymentToWire(ledger.find(payment.id) ?? payment) }
    },
    "POST /paymentLinks": ({ text }, { ledger }) => {
      const asked = Requests.decode(Requests.Link, text)
      saysWhen(asked.manualCapture === true, asked.captureDelayHours)
      const payment = ledger.open({
        amount: { minorUnits: asked.amount.value, currency: asked.amount.currency },
        capture: asked.manualCapture === true ? "manual" : "automatic",
        reference: asked.reference,
        awaitsPayer: true
      })
      expiries.set(payment.id, asked.expiresAt)
      return { status: 201, json: linkToWire(payment, asked) }
    },
    "GET /paymentLinks/:id": ({ param }, { ledger }) => {
      const payment = linkAt(param("id"), ledger)
      return payment === undefined ? noLink : { status: 200, json: linkToWire(payment) }
    },
    "PATCH /paymentLinks/:id": ({ param, text }, { ledger }) => {
      Requests.decode(Requests.LinkUpdate, text)
      const payment = linkAt(param("id"), ledger)
      if (payment === undefined) return noLink
      if (linkStatus(payment) === "active" && payment.status !== "declined") ledger.cancel(payment.id)
      const now = ledger.find(payment.id) ?? payment
      return linkStatus(now) === "expired" ? { status: 200, json: linkToWire(now) } : error(422, "29_003", "validation")
    },
    "POST /payments/:psp/captures": (request, { ledger }) => {
      const { amount, reference } = Requests.decode(Requests.WithAmount, request.text)
      // As for an account of which several captures are enabled.
      const how = { keepsRest: true, reference }
      return modified(request, ledger, reference, ({ id }) => void ledger.capture(id, amount.value, how))
    },
    "POST /payments/:psp/cancels": (request, { ledger }) => {
      Requests.decode(Requests.Modification, request.text)
      return modified(request, ledger, "cancel", ({ id }) => void ledger.cancel(id))
    },
    "POST /payments/:psp/refunds": (request, { ledger }) => {
      const { amount, reference } = Requests.decode(Requests.WithAmount, request.text)
      return modified(request, ledger, reference, ({ id }) => void ledger.refund(id, amount.value, reference))
    },
    "POST /payments/:psp/reversals": (request, { ledger }) => {
      const { reference } = Requests.decode(Requests.Modification, request.text)
      return modified(request, ledger, reference, ({ amount, id, status }) => {
        if (status === "authorized") ledger.cancel(id)
        else ledger.refund(id, amount.minorUnits, reference)
      })
    },
    "GET /reports/download/MerchantAccount/:account/:file": ({ param }, { ledger }) => {
      const batch = /^settlement_detail_report_batch_([1-9]\d*)\.csv$/.exec(param("file"))?.[1]
      const text = batch === undefined ? null : reportOf(ledger, param("account"), Number(batch))
      return text === null ? { status: 404 } : { status: 200, headers: { "content-type": "text/csv" }, text }
    },
    "POST /cancels": ({ text }, { ledger }) => {
      const { paymentReference, ...asked } = Requests.decode(Requests.CancelByReference, text)
      const payment = ledger.findByReference(paymentReference)
      if (payment !== undefined) ledger.cancel(payment.id)
      const pspReference = pspOf(paymentReference, "cancel")
      return { status: 201, json: { ...asked, paymentReference, pspReference, status: "received" } }
    }
  },
  statement: {
    types: ["charge", "refund", "refund_failed", "dispute", "dispute_reversed", "fee", "payout"],
    hasFees: true,
    echoes: ["charge", "refund"],
    pageSize: batchSize
  },
  webhooks: {
    signsTime: false,
    signsFields: true,
    batches: true,
    sign: (events, { credentials }) => signedBody(events.map(itemOf), credentials),
    signNewType: ({ credentials }) =>
      signedBody(
        [{ eventCode: "SOMETHING_NEW", pspReference: "NEWNEWNEWNEW0001", amount: { value: 1, currency: "EUR" } }],
        credentials
      )
  }
})

/** An expired link is not reported. */
export const fake: typeof made = {
  ...made,
  start: (options) =>
    Effect.map(made.start(options), (vendor) => ({
      ...vendor,
      webhooks: vendor.webhooks && { ...vendor.webhooks, events: Effect.map(vendor.webhooks.events, reportedOf) }
    }))
}

const reportedOf = (events: ReadonlyArray<LedgerEvent>): ReadonlyArray<LedgerEvent> =>
  events.filter(({ payment, type }) => type !== "expired" || payment.reference?.includes("-link") !== true)

/** What the shopper brings back from 3-D Secure. */
export const resultOf = ({ id }: LedgerPayment): string => `X6XtfGC3!${pspOf(id, "result")}`

/** Adyen's item for an event. */
export const itemOf = ({ capture, payment, refund, type }: LedgerEvent) => {
  const { amount, captured, id, reference } = payment
  const of = { merchantReference: reference ?? "", amount: { value: amount.minorUnits, currency: amount.currency } }
  const original = { ...of, originalReference: pspOf(id) }
  switch (type) {
    case "authorized":
      return { ...of, eventCode: "AUTHORISATION", pspReference: pspOf(id) }
    case "captured": {
      const value = { value: capture?.minorUnits ?? captured, currency: amount.currency }
      return payment.capture === "automatic"
        ? { ...of, eventCode: "AUTHORISATION", pspReference: pspOf(id) }
        : { ...original, eventCode: "CAPTURE", pspReference: pspOf(id, capture?.reference ?? ""), amount: value }
    }
    case "declined":
      return { ...of, eventCode: "AUTHORISATION", pspReference: pspOf(id), success: "false", reason: "REFUSED" }
    case "canceled":
      return { ...original, eventCode: "CANCELLATION", pspReference: pspOf(id, "cancel") }
    case "expired":
      return { ...of, eventCode: "OFFER_CLOSED", pspReference: pspOf(id) }
    case "refunded":
    case "refund_failed": {
      const isWhole = payment.capture === "automatic" && refund?.minorUnits === amount.minorUnits
      return {
        ...original,
        merchantReference: refund?.reference ?? "",
        eventCode: isWhole ? "CANCEL_OR_REFUND" : "REFUND",
        pspReference: pspOf(id, refund?.reference ?? ""),
        amount: { value: refund?.minorUnits ?? 0, currency: amount.currency },
        success: String(type === "refunded")
      }
    }
  }
}

const modified = (
  { param, text }: FakeRequest,
  ledger: Ledger,
  what: string,
  modify: (payment: LedgerPayment) => void
): FakeAnswer => {
  const payment = ledger.payments().find(({ id }) => pspOf(id) === param("psp"))
  if (payment === undefined) return error(422, "167", "validation")
  modify(payment)
  const asked = { paymentPspReference: param("psp"), pspReference: pspOf(payment.id, what), status: "received" }
  return { status: 201, json: { ...JSON.parse(text), ...asked } }
}

const paymentToWire = (payment: LedgerPayment) => {
  const { amount, code, id, newStatus, reference, status } = payment
  const reported = {
    pspReference: pspOf(id),
    merchantReference: reference,
    amount: { value: amount.minorUnits, currency: amount.currency }
  }
  if (newStatus !== undefined) return { ...reported, resultCode: newStatus }
  switch (status) {
    case "draft":
    case "pending":
      // Adyen's own reference is not shown before the payment is decided.
      return {
        resultCode: "RedirectShopper",
        action: {
          type: "redirect",
          method: "GET",
          paymentMethodType: "scheme",
          url: `https://checkoutshopper-test.adyen.com/checkoutshopper/threeDS/redirect?id=${pspOf(id, "3ds")}`
        }
      }
    case "declined":
      return { ...reported, ...codeOf(code ?? "2") }
    case "expired":
      return { ...reported, resultCode: "Cancelled" }
    case "authorized":
    case "captured":
    case "canceled":
      return { ...reported, resultCode: "Authorised", refusalReasonCode: "0" }
  }
}

/** Else the account's own setting would decide. */
const saysWhen = (isManual: boolean, captureDelayHours: number | undefined) => {
  if (isManual === (captureDelayHours === 0)) throw new Error("captured at once, or when it is asked for")
}

const linkId = (id: string): string => `PL${pspOf(id, "link")}`
const linkAt = (id: string, ledger: Ledger) => ledger.payments().find((payment) => linkId(payment.id) === id)
const expiries = new Map<string, string>()

/** A try that was refused leaves the link open. */
const linkStatus = ({ newStatus, status }: LedgerPayment): string => {
  if (newStatus !== undefined) return newStatus
  switch (status) {
    case "draft":
    case "pending":
    case "declined":
      return "active"
    case "authorized":
    case "captured":
      return "completed"
    case "canceled":
    case "expired":
      return "expired"
  }
}

const linkToWire = (payment: LedgerPayment, asked: object = {}) => ({
  merchantAccount: "ShopTest",
  expiresAt: expiries.get(payment.id),
  ...asked,
  id: linkId(payment.id),
  reference: payment.reference,
  amount: { value: payment.amount.minorUnits, currency: payment.amount.currency },
  status: linkStatus(payment),
  url: `https://test.adyen.link/${linkId(payment.id)}`
})

function error(status: number, errorCode: string, errorType: string): FakeAnswer {
  return {
    status,
    json: { status, errorCode, errorType, message: "As Adyen says it.", pspReference: "ERRORERRORERROR1" }
  }
}

const noLink = error(422, "29_001", "validation")
