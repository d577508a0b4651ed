/**
 * Cashfree as its specification and documentation describe it, with a ledger: what the adapter is tested against. Orders
 * are kept here; a payment is in the ledger from the first session on, since it cannot be paid before, or from its link on.
 *
 * `fake` is an ordinary account, without Order Pay (S2S).
 */
import { fakeProvider, type FakeAnswer, type FakeRequest, type Ledger } from "@paymux/testkit/fake"
import { Effect } from "effect"
import { orderStatus, orderToWire, paymentOf, paymentsToWire, refundToWire, sessionOf } from "./answers.ts"
import { booksOf, type Order } from "./books.ts"
import { codes } from "./codes.ts"
import { cancelLink, createLink, linkOf, linkOrders, linkToWire } from "./links.ts"
import { paise, Rupees, rupees } from "./literals.ts"
import { eventToWire, signed } from "./posted.ts"
import { reconOf } from "./recon.ts"
import { bad, featureNotEnabled, notFound, ok } from "./replies.ts"
import {
  Authorize,
  CreateOrder,
  CreateRefund,
  decode,
  Recon,
  SessionRequest,
  Simulate,
  Termination
} from "./requests.ts"

export const fake = fakeProvider({
  credentials: {
    test: { environment: "sandbox", clientId: "TEST10a7", clientSecret: "cfsk_ma_test_5f1e8b_90d1" },
    live: { environment: "production", clientId: "77b0c3", clientSecret: "cfsk_ma_prod_c27d4a_11e8" }
  },
  publicCredentials: ["environment", "clientId"],
  authenticates: ({ headers, path }, { clientId, clientSecret }) =>
    headers["x-api-version"] === "2025-01-01" &&
    (path === "/orders/sessions" ||
      (headers["x-client-id"] === clientId && headers["x-client-secret"] === clientSecret)),
  unauthorized: {
    status: 401,
    json: { message: "authentication Failed", code: "request_failed", type: "authentication_error" }
  },
  rateLimited: (seconds) => ({
    status: 429,
    headers: { "x-ratelimit-retry": String(seconds ?? 0), "x-ratelimit-type": "app_id" },
    json: { message: "Too many requests", code: "request_failed", type: "rate_limit_error" }
  }),
  declineCodes: codes,
  faultOverrides: ["refund_pending", "refund_failed", "other_amount", "new_status"],
  routes: {
    "POST /orders": (request, { ledger }) => repeated(request, ledger, () => createOrder(request, ledger)),
    "POST /orders/sessions": ({ headers, text }, { ledger }) => {
      // It is no endpoint of the credentials: who sends them there shows them to more than needed.
      if (headers["x-client-secret"] !== undefined) throw new Error("a session takes no credentials")
      return openSession(decode(SessionRequest, text), ledger)
    },
    "GET /orders/:id": ({ param }, { ledger }) => {
      const order = booksOf(ledger).orders.get(param("id"))
      return order === undefined ? notFound("order") : ok(orderToWire(order, ledger))
    },
    "PATCH /orders/:id": ({ param, text }, { ledger }) => {
      decode(Termination, text)
      const order = booksOf(ledger).orders.get(param("id"))
      return order === undefined ? notFound("order") : terminate(order, ledger)
    },
    "GET /orders/:id/payments": ({ param }, { ledger }) => {
      const order = booksOf(ledger).orders.get(param("id"))
      return order === undefined ? notFound("order") : ok(paymentsToWire(order, ledger))
    },
    "POST /orders/:id/authorization": (request, { ledger }) =>
      repeated(request, ledger, () => authorize(request, ledger)),
    "POST /orders/:id/refunds": (request, { ledger }) => repeated(request, ledger, () => createRefund(request, ledger)),
    "GET /orders/:id/refunds/:refund": ({ param }, { ledger }) => {
      const payment = ledger.findByReference(param("id"))
      const refund = payment?.refunds.find(({ reference }) => reference === param("refund"))
      return payment === undefined || refund === undefined ? notFound("refund") : ok(refundToWire(refund, payment))
    },
    "POST /links": (request, { ledger }) => repeated(request, ledger, () => createLink(request, ledger)),
    "GET /links/:id": ({ param }, { ledger }) => linkOf(param("id"), ledger, (link) => ok(linkToWire(link, ledger))),
    "GET /links/:id/orders": ({ param, query }, { ledger }) => {
      if (query.get("status") !== "ALL") throw new Error("the default lists paid orders only")
      return linkOf(param("id"), ledger, (link) => linkOrders(link, ledger))
    },
    "POST /links/:id/cancel": ({ param }, { ledger }) =>
      linkOf(param("id"), ledger, (link) => cancelLink(link, ledger)),
    "POST /recon": ({ headers, text }, { ledger }) => {
      // A repeated key would be answered with the first page.
      if (headers["x-idempotency-key"] !== undefined) throw new Error("a list has no key")
      const { filters, pagination } = decode(Recon, text)
      const [from, to] = [Date.parse(filters.start_date), Date.parse(filters.end_date)]
      const limit = Number(pagination.limit.slice(1))
      return ok(reconOf(ledger, { from, to, limit, cursor: pagination.cursor }))
    },
    "POST /simulate": ({ text }, { ledger }) => {
      const { entity_id, entity_simulation } = decode(Simulate, text)
      const order = [...booksOf(ledger).orders.values()].find(({ sessions }) =>
        sessions.some(({ id }) => id === entity_id)
      )
      if (order === undefined) return notFound("payment")
      const { payment_error_code = "TRANSACTION_DECLINED", payment_status } = entity_simulation
      if (payment_status === "PENDING") order.isAtBank = true
      else {
        const code = payment_status === "FAILED" ? payment_error_code : payment_status
        ledger.decide(payment_status === "SUCCESS" ? "approve" : { decline: code })
        ledger.payersAct()
      }
      return ok({ simulation_id: `sim_${entity_id}`, entity: "PAYMENTS", entity_id, entity_simulation })
    }
  },
  statement: {
    types: ["charge", "refund", "refund_failed", "dispute", "dispute_reversed", "payout"],
    hasFees: true,
    echoes: ["charge", "refund"],
    pageSize: 100
  },
  webhooks: {
    signsTime: true,
    sign: ([event], { at, credentials, ledger }) => {
      const body = event === undefined ? "{}" : eventToWire(event, ledger)
      return signed(body, event?.id ?? "none", at, credentials.clientSecret)
    },
    signNewType: ({ at, credentials }) =>
      signed(
        '{"data":{"test":{}},"event_time":"2026-01-02T03:04:05+05:30","type":"SOMETHING_NEW_WEBHOOK"}',
        "new",
        at,
        credentials.clientSecret
      )
  }
})

/** The same for an account with Order Pay (S2S). */
export const s2sFake: typeof fake = {
  ...fake,
  start: (options) =>
    Effect.tap(fake.start(options), ({ ledger }) =>
      Effect.sync(() => {
        booksOf(ledger).hasS2s = true
      })
    )
}

/** A key that was seen before is answered as before, and says so; with another body it is refused. */
const repeated = ({ headers, path, text }: FakeRequest, ledger: Ledger, answer: () => FakeAnswer): FakeAnswer => {
  const key = headers["x-idempotency-key"]
  if (key === undefined) return answer()
  const { answered } = booksOf(ledger)
  const before = answered.get(key)
  if (before === undefined) {
    const now = answer()
    answered.set(key, { asked: path + text, answer: now })
    return now
  }
  return before.asked === path + text
    ? { ...before.answer, headers: { "x-idempotency-replayed": "true" } }
    : { status: 422, json: { message: "same key, other body", code: "request_invalid", type: "idempotency_error" } }
}

const createOrder = ({ headers, text }: FakeRequest, ledger: Ledger): FakeAnswer => {
  const order = decode(CreateOrder, text)
  const { orders } = booksOf(ledger)
  if (orders.has(order.order_id)) {
    const json = { message: "order is already present", code: "order_already_exists", type: "invalid_request_error" }
    return { status: 409, json }
  }
  const isSandbox = headers["x-client-id"]?.startsWith("TEST") === true
  const returnUrl = order.order_meta?.return_url
  if (!isSandbox && returnUrl !== undefined && !returnUrl.startsWith("https://")) {
    return bad("order_meta.return_url_invalid")
  }
  if (Date.parse(order.order_expiry_time) < ledger.now() + 15 * 60_000) return bad("order_expiry_time_invalid")
  const made: Order = {
    id: order.order_id,
    paise: paise(order.order_amount),
    expiresAt: order.order_expiry_time,
    createdAt: "2026-01-02T03:04:05+05:30",
    customer: order.customer_details,
    tags: order.order_tags ?? null,
    sessions: [],
    isSandbox,
    isTerminated: false,
    isAtBank: false
  }
  orders.set(made.id, made)
  return ok(orderToWire(made, ledger))
}

const openSession = (
  { payment_method: { upi }, payment_session_id }: typeof SessionRequest.Type,
  ledger: Ledger
): FakeAnswer => {
  const { hasS2s, orders, ways } = booksOf(ledger)
  if (!hasS2s) return featureNotEnabled("POST/orders/pay", "s2s_enabled_not_approved", ways.notEnabled)
  const order = [...orders.values()].find(({ id }) => sessionOf(id) === payment_session_id)
  if (order === undefined) return notFound("payment_session")
  const payment =
    paymentOf(order, ledger) ??
    (order.isTerminated
      ? undefined
      : ledger.open({
          amount: { minorUnits: order.paise, currency: "INR" },
          capture: upi.authorize_only === true ? "manual" : "automatic",
          reference: order.id,
          awaitsPayer: true
        }))
  if (payment?.status !== "pending") return bad("order_inactive")
  const id = String(5_114_900_000 + Number(payment.id.slice(3)) * 10 + order.sessions.length)
  order.sessions.push({ id, channel: upi.channel })
  const uri = `upi://${upi.authorize_only === true ? "mandate" : "pay"}?pa=shop@cashfree&tr=${id}&am=${rupees(order.paise)}&cu=INR`
  // Of the sandbox: the page of its simulator, as its public samples show.
  const simulator = `https://payments-test.cashfree.com/pgbillpayuiapi/simulator/${id}`
  const payload =
    upi.channel === "qrcode"
      ? { qrcode: `data:image/png;base64,${Buffer.from(uri).toString("base64")}` }
      : order.isSandbox
        ? { default: simulator, gpay: simulator, phonepe: simulator }
        : { default: uri, gpay: uri.replace("upi://", "tez://upi/"), phonepe: uri.replace("upi://", "phonepe://") }
  return ok({
    payment_method: "upi",
    channel: upi.channel,
    action: "custom",
    cf_payment_id: id,
    payment_amount: new Rupees(order.paise),
    data: { payload }
  })
}

/** What is over is not ended again. After a failed payment an order is open; what is at a bank goes on there. */
const terminate = (order: Order, ledger: Ledger): FakeAnswer => {
  const payment = paymentOf(order, ledger)
  if (orderStatus(order, payment) !== "ACTIVE" || payment?.status === "authorized") return bad("order_inactive")
  if (booksOf(ledger).refusesTermination) return bad("order_not_terminated")
  if (payment?.status === "pending" && !order.isAtBank) ledger.cancel(payment.id)
  order.isTerminated = true
  return ok(orderToWire(order, ledger))
}

const authorize = ({ param, text }: FakeRequest, ledger: Ledger): FakeAnswer => {
  const asked = decode(Authorize, text)
  const order = booksOf(ledger).orders.get(param("id"))
  const payment = order && paymentOf(order, ledger)
  if (order === undefined || payment === undefined) return notFound("order")
  if (payment.status !== "authorized") return bad("authorization_invalid")
  const done =
    asked.action === "VOID"
      ? ledger.cancel(payment.id)
      : ledger.capture(payment.id, asked.amount === undefined ? undefined : paise(asked.amount))
  return typeof done === "string" ? bad("amount_invalid") : ok(paymentsToWire(order, ledger).at(-1))
}

const createRefund = ({ param, text }: FakeRequest, ledger: Ledger): FakeAnswer => {
  const { refund_amount, refund_id } = decode(CreateRefund, text)
  const payment = ledger.findByReference(param("id"))
  if (payment === undefined) return notFound("order")
  if (payment.refunds.some(({ reference }) => reference === refund_id)) {
    return { status: 409, json: { message: "present", code: "refund_already_exists", type: "invalid_request_error" } }
  }
  const refund = ledger.refund(payment.id, paise(refund_amount), refund_id)
  return typeof refund === "string" ? bad("refund_amount_invalid") : ok(refundToWire(refund, payment))
}
