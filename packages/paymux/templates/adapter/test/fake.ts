/** Acme as its documentation describes it, with a ledger: what the adapter is tested against. */
import { fakeProvider, type Ledger, type LedgerEvent, type LedgerPayment, type LedgerRefund } from "@paymux/testkit"
import { Schema } from "effect"
import { createHmac } from "node:crypto"
import { actionOf, awaitsPayer } from "./payer.ts"

export const fake = fakeProvider({
  credentials: {
    test: { apiKey: "acme_test_2d9f41", webhookSecret: "whsec_test_8c1a02" },
    live: { apiKey: "acme_live_e77b03", webhookSecret: "whsec_live_95d4fe" }
  },
  authenticates: ({ headers }, { apiKey }) => headers["authorization"] === `Bearer ${apiKey}`,
  unauthorized: { status: 401, json: errorBody("unauthorized") },
  idempotency: {
    key: ({ headers }) => headers["idempotency-key"],
    reused: { status: 409, json: errorBody("key_reused") }
  },
  // From Acme's documentation, and not from the adapter: a code that one of them forgot shows.
  declineCodes: [
    "account_closed",
    "do_not_honor",
    "insufficient_funds",
    "issuer_down",
    "over_limit",
    "payer_rejected",
    "suspected_fraud"
  ],
  faultOverrides: ["refund_pending", "refund_failed", "other_amount", "new_status"],
  proof: (code) => ({ status: 503, json: errorBody(code) }),
  routes: {
    "POST /v1/payments": ({ json }, { ledger }) => {
      const { amount, capture, currency, method, reference } = decodeCreate(json)
      const payment = ledger.open({
        amount: { minorUnits: amount, currency },
        capture,
        reference,
        awaitsPayer: awaitsPayer(method)
      })
      return { status: 200, json: { ...toWire(payment), action: actionOf(method, payment) } }
    },
    "GET /v1/payments": ({ query }, { ledger }) => {
      const payment = ledger.findByReference(query.get("reference") ?? "")
      return { status: 200, json: { data: payment === undefined ? [] : [toWire(payment)] } }
    },
    "GET /v1/payments/:id": ({ param }, { ledger }) => {
      const payment = ledger.find(param("id"))
      return payment === undefined ? notFound : { status: 200, json: toWire(payment) }
    },
    "POST /v1/payments/:id/capture": ({ json, param }, { ledger }) =>
      paymentOr(ledger.capture(param("id"), decodeAmount(json).amount, { keepsRest: true })),
    "POST /v1/payments/:id/cancel": ({ param }, { ledger }) => {
      const canceled = ledger.cancel(param("id"))
      // One that is over is answered as it stands.
      return paymentOr(canceled === "wrong_status" ? (ledger.find(param("id")) ?? "not_found") : canceled)
    },
    "POST /v1/payments/:id/refunds": ({ json, param }, { ledger }) => {
      const { amount, reference } = decodeRefund(json)
      const refund = ledger.refund(param("id"), amount, reference)
      return typeof refund === "string"
        ? refused(refund)
        : { status: 200, json: refundToWire(refund, ledger.find(param("id"))) }
    },
    "GET /v1/refunds": ({ query }, { ledger }) => ({
      status: 200,
      json: { data: refundsNamed(ledger, query.get("reference") ?? "") }
    })
  },
  webhooks: {
    signsTime: true,
    sign: ([event], signing) =>
      signed(
        {
          id: event?.id,
          type: event && typeOf(event.type),
          created: Math.floor((event?.occurredAt ?? 0) / 1000),
          payment: event && toWire(event.payment),
          refund: event?.refund ? refundToWire(event.refund, event.payment) : null
        },
        signing
      ),
    // Without the fields that the adapter reads: their shape is not known.
    signNewType: (signing) => signed({ id: "evt_new", type: "terminal.enrolled", created: 1_795_000_000 }, signing)
  }
})

const typeOf = (type: LedgerEvent["type"]): string => {
  if (type === "refunded") return "refund.succeeded"
  return type === "refund_failed" ? "refund.failed" : `payment.${type}`
}

const signed = (
  event: object,
  { at, credentials }: { readonly at: number; readonly credentials: { readonly webhookSecret: string } }
) => {
  const body = JSON.stringify(event)
  const time = Math.floor(at / 1000)
  const signature = createHmac("sha256", credentials.webhookSecret).update(`${time}.${body}`).digest("hex")
  return {
    body: new TextEncoder().encode(body),
    headers: { "acme-signature": `t=${time},v1=${signature}` }
  }
}

const decodeCreate = Schema.decodeUnknownSync(
  Schema.Struct({
    amount: Schema.Int,
    currency: Schema.String,
    capture: Schema.Literals(["automatic", "manual"]),
    reference: Schema.String,
    description: Schema.NullOr(Schema.String),
    return_url: Schema.NullOr(Schema.String),
    method: Schema.Record(Schema.String, Schema.NullOr(Schema.String))
  }),
  { onExcessProperty: "error" }
)
const decodeAmount = Schema.decodeUnknownSync(Schema.Struct({ amount: Schema.Int }), { onExcessProperty: "error" })
const decodeRefund = Schema.decodeUnknownSync(Schema.Struct({ amount: Schema.Int, reference: Schema.String }), {
  onExcessProperty: "error"
})

/** How Acme reports an error. */
export function errorBody(code: string) {
  return { error: { code } }
}

const notFound = { status: 404, json: errorBody("not_found") }

const refused = (refusal: "not_found" | "wrong_status" | "exceeds") =>
  refusal === "not_found"
    ? notFound
    : { status: 422, json: errorBody(refusal === "exceeds" ? "amount_exceeds" : "wrong_status") }

const paymentOr = (payment: LedgerPayment | "not_found" | "wrong_status" | "exceeds") =>
  typeof payment === "string" ? refused(payment) : { status: 200, json: toWire(payment) }

const toWire = ({ amount, captured, code, id, newStatus, status }: LedgerPayment) => ({
  id,
  status: newStatus ?? status,
  amount: amount.minorUnits,
  amount_captured: captured,
  currency: amount.currency,
  decline_code: code
})

const refundToWire = ({ id, minorUnits, status }: LedgerRefund, payment: LedgerPayment | undefined) => ({
  id,
  status,
  amount: minorUnits,
  currency: payment?.amount.currency
})

const refundsNamed = (ledger: Ledger, reference: string) =>
  ledger
    .payments()
    .flatMap((payment) =>
      payment.refunds.filter((refund) => refund.reference === reference).map((refund) => refundToWire(refund, payment))
    )
