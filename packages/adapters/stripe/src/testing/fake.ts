/** Stripe as its documentation and SDK describe it, with a ledger: what the adapter is tested against. */
import { fakeProvider, type FakeAnswer, type Ledger, type LedgerEvent, type LedgerPayment } from "@paymux/testkit/fake"
import { createHmac } from "node:crypto"
import { transactionOf } from "./balance.ts"
import { codes } from "./codes.ts"
import { behind, type Book, bookOf, intentOf, keep, keepRefund, refundOf, sessionOf } from "./objects.ts"
import { CancelIntent, CaptureIntent, CreateIntent, CreateRefund, CreateSession, decode, Nothing } from "./requests.ts"

/** Cards that ask for something; any other is decided at once. `foreign`: the account is in India, and its card is not. */
export const cards = {
  redirect: "pm_card_authenticationRequired",
  script: "pm_card_onlyByScript",
  foreign: "pm_card_exportOfIndia"
}

export const fake = fakeProvider({
  credentials: {
    test: { secretKey: "sk_test_51Qx7Ff2e9bT", webhookSecret: "whsec_test_b81f04c2" },
    live: { secretKey: "sk_live_51Qx7Za8c3dR", webhookSecret: "whsec_live_29ad77e0" }
  },
  authenticates: ({ headers }, { secretKey }) => headers["authorization"] === `Bearer ${secretKey}`,
  unauthorized: {
    status: 401,
    json: { error: { type: "invalid_request_error", message: "Invalid API Key provided" } }
  },
  idempotency: {
    key: ({ headers }) => headers["idempotency-key"],
    reused: {
      status: 400,
      json: { error: { type: "idempotency_error", message: "Keys for idempotent requests can only be used with…" } }
    }
  },
  declineCodes: codes,
  routes: {
    "POST /v1/payment_intents": ({ headers, text }, { ledger }) => {
      const form = decode(CreateIntent, text)
      if ((form.payment_method === undefined) === (form.confirmation_token === undefined))
        return missing("payment_method")
      if (form.payment_method === cards.foreign && form.shipping === undefined)
        return exportRefused("customer name and address")
      if (form.payment_method === cards.foreign && form.description === undefined) return exportRefused("description")
      const asks = asksOf(form.payment_method)
      const isRefused = asks !== "nothing" && form.error_on_requires_action === "true"
      const payment = ledger.open({
        amount: { minorUnits: Number(form.amount), currency: form.currency.toUpperCase() },
        capture: form.capture_method === "manual" ? "manual" : "automatic",
        awaitsPayer: asks !== "nothing",
        isDraft: isRefused
      })
      keep(ledger, payment, {
        ...begun(ledger, headers),
        flow: "token",
        metadata: form.metadata,
        returnUrl: form.return_url ?? null,
        asks,
        refusedBy: isRefused ? "authentication_required" : null
      })
      const intent = intentOf(ledger, payment)
      return intent.last_payment_error === null
        ? ok(intent)
        : { status: 402, json: { error: { ...intent.last_payment_error, payment_intent: intent } } }
    },
    "GET /v1/payment_intents": ({ query }, { ledger }) => {
      // A page has none until a shopper has tried to pay on it.
      const made = ledger
        .payments()
        .filter((payment) => bookOf(ledger, payment).flow === "token" || payment.status !== "pending")
      return list(
        made.map((payment) => intentOf(ledger, payment)),
        query,
        "/v1/payment_intents"
      )
    },
    "GET /v1/checkout/sessions": ({ query }, { ledger }) => {
      const made = ledger.payments().filter((payment) => bookOf(ledger, payment).flow === "page")
      const sessions = made.map((payment) => sessionOf(ledger, payment, { isExpanded: false }))
      return list(sessions, query, "/v1/checkout/sessions")
    },
    "GET /v1/payment_intents/:id": ({ param }, { ledger }) => {
      const payment = behind(ledger, "pi_", param("id"))
      return payment === undefined ? noSuch : ok(intentOf(ledger, payment))
    },
    "POST /v1/payment_intents/:id/capture": ({ param, text }, { ledger }) => {
      const { amount_to_capture } = decode(CaptureIntent, text)
      const payment = behind(ledger, "pi_", param("id"))
      if (payment === undefined) return noSuch
      return intentOr(ledger, ledger.capture(payment.id, Number(amount_to_capture)))
    },
    "POST /v1/payment_intents/:id/cancel": ({ param, text }, { ledger }) => {
      const { cancellation_reason } = decode(CancelIntent, text)
      const payment = behind(ledger, "pi_", param("id"))
      if (payment === undefined) return noSuch
      const book = bookOf(ledger, payment)
      // Of a page it is closed with the page.
      const isOfOpenPage = book.flow === "page" && payment.status === "pending"
      const isLeft = payment.status === "declined" && book.flow === "token" && book.isClosed !== true
      const canceled = isLeft ? ledger.close(payment.id) : isOfOpenPage ? "wrong_status" : ledger.cancel(payment.id)
      if (typeof canceled !== "string") {
        const reason = cancellation_reason === undefined ? {} : { cancellationReason: cancellation_reason }
        keep(ledger, payment, { ...book, ...reason, isClosed: isLeft })
      }
      return intentOr(ledger, canceled)
    },
    "POST /v1/checkout/sessions": ({ headers, text }, { ledger }) => {
      const form = decode(CreateSession, text)
      const { price_data } = form.line_items["0"]
      const payment = ledger.open({
        amount: { minorUnits: Number(price_data.unit_amount), currency: price_data.currency.toUpperCase() },
        capture: form.payment_intent_data.capture_method === "manual" ? "manual" : "automatic",
        reference: form.client_reference_id,
        awaitsPayer: true
      })
      keep(ledger, payment, {
        ...begun(ledger, headers),
        flow: "page",
        metadata: form.payment_intent_data.metadata,
        returnUrl: form.success_url,
        expiresAt: Number(form.expires_at),
        asks: "nothing",
        refusedBy: null
      })
      return ok(sessionOf(ledger, payment, { isExpanded: false }))
    },
    "GET /v1/checkout/sessions/:id": ({ param, query }, { ledger }) => {
      const payment = behind(ledger, "cs_test_", param("id"))
      const isExpanded = query.get("expand[0]") === "payment_intent"
      return payment === undefined ? noSuch : ok(sessionOf(ledger, payment, { isExpanded }))
    },
    "POST /v1/checkout/sessions/:id/expire": ({ param, text }, { ledger }) => {
      decode(Nothing, text)
      const payment = behind(ledger, "cs_test_", param("id"))
      if (payment === undefined) return noSuch
      const closed = payment.status === "pending" ? ledger.cancel(payment.id) : "wrong_status"
      return typeof closed === "string"
        ? badRequest(undefined, 'Only Checkout Sessions with a status in ["open"] can be expired.')
        : ok(sessionOf(ledger, closed, { isExpanded: false }))
    },
    "POST /v1/refunds": ({ text }, { ledger }) => {
      const { amount, metadata, payment_intent } = decode(CreateRefund, text)
      const payment = behind(ledger, "pi_", payment_intent)
      if (payment === undefined) return noSuch
      const refund = ledger.refund(payment.id, Number(amount))
      if (typeof refund === "string") {
        const given = payment.refunds.filter(({ status }) => status !== "failed")
        const isOver = given.reduce((sum, { minorUnits }) => sum + minorUnits, 0) === payment.captured
        return badRequest(isOver ? "charge_already_refunded" : undefined, "greater than the not refunded amount")
      }
      keepRefund(ledger, refund, metadata)
      return ok(refundOf(ledger, refund, payment))
    },
    "GET /v1/refunds/:id": ({ param }, { ledger }) => {
      const refund = refundsOf(ledger).find(({ id }) => id === param("id"))
      return refund === undefined ? noSuch : ok(refund)
    },
    "GET /v1/refunds": ({ query }, { ledger }) => {
      const all = refundsOf(ledger).filter((refund) => refund.payment_intent === query.get("payment_intent"))
      return list(all, query, "/v1/refunds")
    },
    "GET /v1/balance_transactions": ({ query }, { ledger }) => {
      const isExpanded = query.get("expand[0]") === "data.source"
      const all = ledger.bookings().map((booking) => transactionOf(ledger, booking, { isExpanded }))
      return list(all, query, "/v1/balance_transactions")
    }
  },
  statement: {
    types: ["charge", "refund", "refund_failed", "dispute", "dispute_reversed", "fee", "payout"],
    hasFees: true,
    echoes: ["charge", "refund"],
    pageSize: 100
  },
  webhooks: {
    signsTime: true,
    sign: ([event], { at, credentials, ledger }) => {
      if (event === undefined) throw new Error("Stripe posts one event at a time")
      return posted({ id: event.id, created: event.occurredAt, ...eventBody(ledger, event) }, at, credentials)
    },
    signNewType: ({ at, credentials }) =>
      posted({ id: "evt_new", created: at, type: "payment_intent.admired", object: { id: "pi_1" } }, at, credentials)
  }
})

/** Signed as Stripe signs. */
export const posted = (
  event: {
    readonly id: string
    readonly created: number
    readonly type: string
    readonly object: object
    /** Of a connected account. */
    readonly account?: string
  },
  at: number,
  { secretKey, webhookSecret }: { readonly secretKey: string; readonly webhookSecret: string }
) => {
  const body = JSON.stringify({
    id: event.id,
    object: "event",
    api_version: "2026-10-28.endive",
    created: Math.floor(event.created / 1000),
    type: event.type,
    livemode: secretKey.startsWith("sk_live_"),
    pending_webhooks: 1,
    request: { id: null, idempotency_key: null },
    data: { object: event.object },
    account: event.account
  })
  const time = Math.floor(at / 1000)
  const signature = createHmac("sha256", webhookSecret).update(`${time}.${body}`).digest("hex")
  return {
    body: new TextEncoder().encode(body),
    headers: {
      "content-type": "application/json; charset=utf-8",
      "stripe-signature": `t=${time},v1=${signature}`
    }
  }
}

const eventBody = (ledger: Ledger, { payment, refund, type }: LedgerEvent) => {
  const isPage = bookOf(ledger, payment).flow === "page"
  if (refund !== null) return { type: names[type], object: refundOf(ledger, refund, payment) }
  const session = sessionOf(ledger, payment, { isExpanded: false })
  if (isPage && session.status === "expired" && type !== "declined") {
    return { type: "checkout.session.expired", object: session }
  }
  return { type: names[type], object: intentOf(ledger, payment) }
}

const names = {
  authorized: "payment_intent.amount_capturable_updated",
  captured: "payment_intent.succeeded",
  declined: "payment_intent.payment_failed",
  canceled: "payment_intent.canceled",
  expired: "payment_intent.canceled",
  refunded: "refund.updated",
  refund_failed: "refund.failed"
} as const satisfies { readonly [type in LedgerEvent["type"]]: string }

const asksOf = (token: string | undefined): Book["asks"] => {
  if (token === cards.redirect) return "redirect"
  return token === cards.script ? "script" : "nothing"
}

const begun = (ledger: Ledger, headers: { readonly [name: string]: string }) => {
  const created = Math.floor(ledger.now() / 1000)
  const livemode = headers["authorization"]?.startsWith("Bearer sk_live_") ?? false
  return { created, livemode, expiresAt: created + 86_400 }
}

const ok = (json: unknown): FakeAnswer => ({ status: 200, json })

/** Newest first, of the time that is asked for. */
const list = (
  all: ReadonlyArray<{ readonly id: string; readonly created: number }>,
  query: URLSearchParams,
  url: string
): FakeAnswer => {
  const from = Number(query.get("created[gte]") ?? 0)
  const to = Number(query.get("created[lte]") ?? Number.MAX_SAFE_INTEGER)
  const until = Number(query.get("created[lt]") ?? Number.MAX_SAFE_INTEGER)
  const newest = all.filter(({ created }) => created >= from && created <= to && created < until).toReversed()
  const cursor = query.get("starting_after")
  const after = newest.findIndex(({ id }) => id === cursor)
  if (cursor !== null && !all.some(({ id }) => id === cursor))
    return badRequest("resource_missing", `No such object: ${cursor}`)
  const page = newest.slice(after + 1, after + 1 + Number(query.get("limit") ?? 10))
  return ok({ object: "list", data: page, has_more: page.at(-1)?.id !== newest.at(-1)?.id, url })
}

const badRequest = (code: string | undefined, message: string): FakeAnswer => ({
  status: 400,
  json: { error: { type: "invalid_request_error", ...(code !== undefined && { code }), message } }
})

const missing = (param: string) => badRequest("parameter_missing", `Missing required param: ${param}.`)

const exportRefused = (what: string) =>
  badRequest(undefined, `As per Indian regulations, export transactions require a ${what}. More info here: https://…`)

const noSuch: FakeAnswer = {
  status: 404,
  json: { error: { type: "invalid_request_error", code: "resource_missing", message: "No such object" } }
}

const intentOr = (ledger: Ledger, payment: LedgerPayment | "not_found" | "wrong_status" | "exceeds"): FakeAnswer => {
  if (typeof payment !== "string") return ok(intentOf(ledger, payment))
  return payment === "exceeds"
    ? badRequest("amount_too_large", "The amount_to_capture is more than what can be captured.")
    : badRequest("payment_intent_unexpected_state", "This PaymentIntent's state does not allow it.")
}

const refundsOf = (ledger: Ledger) =>
  ledger.payments().flatMap((payment) => payment.refunds.map((refund) => refundOf(ledger, refund, payment)))
