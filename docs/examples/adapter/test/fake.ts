/** Northbank as its documentation describes it, with a ledger: what the adapter is tested against. */
import { Currency } from "@paymux/core"
import { Amount } from "@paymux/provider-kit"
import {
  type FakeAnswer,
  fakeProvider,
  type Ledger,
  type LedgerEvent,
  type LedgerPayment,
  type LedgerRefund
} from "@paymux/testkit"
import { Result } from "effect"
import { createHmac } from "node:crypto"

export const fake = fakeProvider({
  credentials: {
    test: { keyId: "nb_test_7c20", secret: "sk_91b4e6", webhookSecret: "wh_test_5d08a1" },
    live: { keyId: "nb_live_0f3a", secret: "sk_c27d50", webhookSecret: "wh_live_b6e943" }
  },
  publicCredentials: ["keyId"],
  authenticates: ({ headers }, { keyId, secret }) =>
    headers["authorization"] === `Basic ${Buffer.from(`${keyId}:${secret}`).toString("base64")}`,
  unauthorized: error(401, "bad_credentials"),
  rateLimited: (seconds) => ({
    status: 429,
    json: { error: { code: "slow_down", ...(seconds !== null && { retry_after: seconds }) } }
  }),
  // From Northbank's documentation, and not from the adapter: a code that one of them forgot shows.
  declineCodes: [
    "authentication_abandoned",
    "bank_offline",
    "card_expired",
    "insufficient_balance",
    "payer_canceled",
    "refused_by_bank",
    "risk_blocked"
  ],
  faultOverrides: ["refund_pending", "refund_failed", "other_amount", "new_status"],
  routes: {
    "POST /orders": ({ form }, { ledger }) => {
      const { amount, currency, reference } = fields(form, ["reference", "amount", "currency"], ["description"])
      if (ledger.findByReference(reference) !== undefined) return error(409, "duplicate_reference")
      return orderAnswer(ledger.open({ amount: minorUnits(amount, currency), reference, isDraft: true }))
    },
    "GET /orders": ({ query }, { ledger }) => {
      const order = ledger.findByReference(query.get("reference") ?? "")
      return { status: 200, json: { orders: order === undefined ? [] : [orderToWire(order)] } }
    },
    "GET /orders/:id": ({ param }, { ledger }) => orderAnswer(ledger.find(param("id")) ?? "not_found"),
    "POST /orders/:id/sessions": ({ form, param }, { ledger }) => {
      const { method } = fields(form, ["method"], ["return_url", "token"])
      if (method === "page" && !form.has("return_url")) return error(400, "return_url_missing")
      if (ledger.find(param("id"))?.status === "pending") return error(409, "session_exists")
      const order = ledger.ask(param("id"), { awaitsPayer: method !== "token" })
      if (typeof order !== "string" && order.status === "declined") return error(402, order.code ?? "none")
      return orderAnswer(order)
    },
    "POST /orders/:id/cancel": ({ param }, { ledger }) => orderAnswer(ledger.cancel(param("id"))),
    "POST /orders/:id/refunds": ({ form, param }, { ledger }) => {
      const { amount, reference } = fields(form, ["reference", "amount"], ["reason"])
      if (refundsNamed(ledger, reference).length > 0) return error(409, "duplicate_reference")
      const order = ledger.find(param("id"))
      if (order === undefined) return error(404, "not_found")
      const refund = ledger.refund(order.id, minorUnits(amount, order.amount.currency).minorUnits, reference)
      if (refund === "exceeds") return error(402, "refund_exceeds_order")
      if (typeof refund === "string") return error(402, "order_closed")
      const reported = refundToWire(refund, order)
      // It is settled later; a second inquiry shows it.
      return { status: 200, json: { ...reported, status: reported.status === "failed" ? "failed" : "pending" } }
    },
    "GET /refunds": ({ query }, { ledger }) => ({
      status: 200,
      json: { refunds: refundsNamed(ledger, query.get("reference") ?? "") }
    })
  },
  webhooks: {
    signsTime: false,
    batches: true,
    sign: (events, { credentials }) => ({
      body: bodyOf(events.map((event) => itemOf(event, credentials.webhookSecret))),
      headers: { "content-type": "application/json" }
    }),
    signNewType: ({ credentials }) => ({
      body: bodyOf([signedItem(newItem, credentials.webhookSecret)]),
      headers: { "content-type": "application/json" }
    })
  }
})

/** Strict: a field that is not documented, or one that is missing, is an error of the adapter. */
function fields<Name extends string>(
  form: URLSearchParams,
  required: ReadonlyArray<Name>,
  optional: ReadonlyArray<string>
): { readonly [name in Name]: string } {
  const strange = [...form.keys()].filter((name) => ![...required, ...optional].includes(name))
  const missing = required.filter((name) => !form.has(name))
  if (strange.length > 0 || missing.length > 0)
    throw new Error(`strange: ${strange.join()}, missing: ${missing.join()}`)
  // Boundary: each of the names was found.
  return Object.fromEntries(form) as { readonly [name in Name]: string }
}

function error(status: number, code: string): FakeAnswer {
  return { status, json: { error: { code } } }
}

const orderAnswer = (order: LedgerPayment | "not_found" | "wrong_status" | "exceeds"): FakeAnswer => {
  if (order === "not_found") return error(404, "not_found")
  if (typeof order === "string") return error(402, "order_closed")
  return { status: 200, json: orderToWire(order) }
}

const orderToWire = (order: LedgerPayment) => ({
  ...majorUnits(order.amount.minorUnits, order.amount.currency),
  id: order.id,
  reference: order.reference,
  status: order.newStatus ?? statuses[order.status],
  code: order.code,
  session:
    order.status === "draft"
      ? null
      : { page_url: `https://pay.northbank.example/${order.id}`, upi_uri: `upi://pay?tr=${order.id}`, expires_at: null }
})

const statuses = {
  draft: "open",
  pending: "open",
  authorized: "paid",
  captured: "paid",
  declined: "failed",
  canceled: "canceled",
  expired: "expired"
} as const

const refundToWire = ({ id, minorUnits, reference, status }: LedgerRefund, { amount }: LedgerPayment) => ({
  ...majorUnits(minorUnits, amount.currency),
  id,
  reference,
  status: status === "succeeded" ? "settled" : status
})

const refundsNamed = (ledger: Ledger, reference: string) =>
  ledger
    .payments()
    .flatMap((order) =>
      order.refunds.filter((refund) => refund.reference === reference).map((refund) => refundToWire(refund, order))
    )

const bodyOf = (items: ReadonlyArray<object>) => new TextEncoder().encode(JSON.stringify({ items }))

const itemOf = ({ id, occurredAt, payment, refund, type }: LedgerEvent, secret: string) => {
  const about = refund ?? payment
  return signedItem(
    {
      ...majorUnits(refund?.minorUnits ?? payment.amount.minorUnits, payment.amount.currency),
      event: id,
      type: typeOf(type),
      time: occurredAt,
      id: about.id,
      reference: about.reference,
      code: payment.code
    },
    secret
  )
}

const typeOf = (type: LedgerEvent["type"]): string => {
  if (type === "refunded") return "refund.settled"
  return type === "refund_failed" ? "refund.failed" : `order.${statuses[type]}`
}

/** Northbank signs each item by its fields in this order, as a JSON array: no two items have one text. */
const signedItem = (item: Item, secret: string) => {
  const { amount, code, currency, event, id, reference, time, type } = item
  const text = JSON.stringify([event, type, time, id, reference, amount, currency, code])
  return { ...item, signature: createHmac("sha256", secret).update(text).digest("base64") }
}

interface Item {
  readonly event: string
  readonly type: string
  readonly time: number
  readonly id: string
  readonly reference: string | null
  readonly amount: string
  readonly currency: string
  readonly code: string | null
}

const newItem: Item = {
  event: "evt_new",
  type: "payout.scheduled",
  time: 1_795_000_000_000,
  id: "po_1",
  reference: "payout 1",
  amount: "1.00",
  currency: "EUR",
  code: null
}

const minorUnits = (text: string, code: string) => {
  const minor = Amount.minorFromMajor(text, Currency.exponent(known(code)))
  return { minorUnits: Number(Result.getOrThrow(minor)), currency: code }
}

const majorUnits = (minor: number, code: string) => ({
  amount: Result.getOrThrow(Amount.majorFromMinor(BigInt(minor), Currency.exponent(known(code)))),
  currency: code
})

const known = (code: string): Currency.Currency => {
  if (!Currency.isCurrency(code)) throw new Error(`${code} is no currency`)
  return code
}
