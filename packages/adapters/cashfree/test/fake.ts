/**
 * Cashfree as its specification and documentation describe it, with a ledger: what the adapter is tested against. Orders
 * are kept here; a payment is in the ledger from the first session on, for before it nobody can pay.
 */
import { fakeProvider, type FakeAnswer, type FakeRequest, type Ledger, type LedgerPayment } from "@paymux/testkit"
import { createHmac } from "node:crypto"
import { codes, errorDetails } from "./codes.ts"
import { json, Literal, paise, Rupees, rupees } from "./literals.ts"
import { Authorize, CreateOrder, CreateRefund, decode, SessionRequest, Simulate, Termination } from "./requests.ts"

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
      if (order === undefined) return notFound("order")
      const payment = paymentOf(order, ledger)
      // After a failed payment an order is still open, and can be closed.
      const isOpen =
        payment === undefined || payment.status === "declined" || ledger.cancel(payment.id) !== "wrong_status"
      if (!isOpen) return bad("order_inactive")
      order.isTerminated = true
      return ok(orderToWire(order, ledger))
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
    "POST /simulate": ({ text }, { ledger }) => {
      const { entity_id, entity_simulation } = decode(Simulate, text)
      const order = [...booksOf(ledger).orders.values()].find(({ sessions }) =>
        sessions.some(({ id }) => id === entity_id)
      )
      if (order === undefined) return notFound("payment")
      const { payment_error_code = "TRANSACTION_DECLINED", payment_status } = entity_simulation
      ledger.decide(payment_status === "SUCCESS" ? "approve" : { decline: payment_error_code })
      ledger.payersAct()
      return ok({ simulation_id: `sim_${entity_id}`, entity: "PAYMENTS", entity_id, entity_simulation })
    }
  },
  webhooks: {
    signsTime: true,
    sign: ([event], { at, credentials }) => {
      const body = event === undefined ? "{}" : eventToWire(event)
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

interface Order {
  readonly id: string
  readonly paise: number
  readonly expiresAt: string
  readonly customer: object
  readonly sessions: Array<{ readonly id: string; readonly channel: string }>
  isTerminated: boolean
}

interface Books {
  readonly orders: Map<string, Order>
  readonly answered: Map<string, { readonly asked: string; readonly answer: FakeAnswer }>
}

const allBooks = new WeakMap<Ledger, Books>()

export const booksOf = (ledger: Ledger): Books => {
  const found = allBooks.get(ledger) ?? { orders: new Map(), answered: new Map() }
  allBooks.set(ledger, found)
  return found
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

const createOrder = ({ text }: FakeRequest, ledger: Ledger): FakeAnswer => {
  const order = decode(CreateOrder, text)
  const { orders } = booksOf(ledger)
  if (orders.has(order.order_id)) {
    const json = { message: "order is already present", code: "order_already_exists", type: "invalid_request_error" }
    return { status: 409, json }
  }
  const made: Order = {
    id: order.order_id,
    paise: paise(order.order_amount),
    expiresAt: order.order_expiry_time,
    customer: order.customer_details,
    sessions: [],
    isTerminated: false
  }
  orders.set(made.id, made)
  return ok(orderToWire(made, ledger))
}

const openSession = (
  { payment_method: { upi }, payment_session_id }: typeof SessionRequest.Type,
  ledger: Ledger
): FakeAnswer => {
  const order = [...booksOf(ledger).orders.values()].find(({ id }) => sessionOf(id) === payment_session_id)
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
  const payload =
    upi.channel === "qrcode"
      ? { qrcode: `data:image/png;base64,${Buffer.from(uri).toString("base64")}` }
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

const paymentOf = ({ id }: Order, ledger: Ledger): LedgerPayment | undefined => ledger.findByReference(id)

const sessionOf = (orderId: string): string => `session_${createHmac("sha256", "fake").update(orderId).digest("hex")}`

const orderToWire = (order: Order, ledger: Ledger) => ({
  cf_order_id: `21${order.id.length}`,
  order_id: order.id,
  entity: "order",
  order_currency: "INR",
  order_amount: new Rupees(order.paise),
  order_status: orderStatus(order, paymentOf(order, ledger)),
  payment_session_id: sessionOf(order.id),
  order_expiry_time: order.expiresAt,
  created_at: "2026-01-02T03:04:05+05:30",
  customer_details: order.customer
})

const orderStatus = ({ isTerminated }: Order, payment: LedgerPayment | undefined): string => {
  if (isTerminated) return "TERMINATED"
  if (payment?.status === "captured") return "PAID"
  return payment?.status === "expired" ? "EXPIRED" : "ACTIVE"
}

/** Of several sessions the newest is the one that was used. */
const paymentsToWire = (order: Order, ledger: Ledger) => {
  const payment = paymentOf(order, ledger)
  return order.sessions.map(({ channel, id }, index) => ({
    cf_payment_id: id,
    order_id: order.id,
    entity: "payment",
    order_amount: new Rupees(order.paise),
    order_currency: "INR",
    payment_amount: new Rupees(order.paise),
    payment_currency: "INR",
    payment_group: "upi",
    payment_method: { upi: { channel, upi_id: "asha@okbank" } },
    payment_time: `2026-01-02T03:04:${String(5 + index).padStart(2, "0")}+05:30`,
    payment_message: "as the bank says",
    ...(payment !== undefined && index === order.sessions.length - 1
      ? outcomeOf(payment)
      : { payment_status: "NOT_ATTEMPTED", is_captured: false })
  }))
}

const outcomeOf = ({ amount, capture, captured, code, status }: LedgerPayment): object => {
  switch (status) {
    case "draft":
    case "pending":
    case "expired":
      return { payment_status: "NOT_ATTEMPTED", is_captured: false }
    case "authorized":
      return { payment_status: "SUCCESS", is_captured: false }
    case "captured":
      return {
        payment_status: "SUCCESS",
        is_captured: true,
        ...(capture === "manual" && {
          authorization: { action: "CAPTURE", status: "SUCCESS", captured_amount: new Rupees(captured) }
        })
      }
    case "canceled":
      return capture === "manual"
        ? { payment_status: "VOID", is_captured: false, authorization: { action: "VOID", status: "SUCCESS" } }
        : { payment_status: "CANCELLED", is_captured: false }
    case "declined":
      return {
        is_captured: false,
        ...errorDetails(code ?? "TRANSACTION_DECLINED"),
        payment_amount: new Rupees(amount.minorUnits)
      }
  }
}

const refundToWire = ({ minorUnits, reference }: LedgerPayment["refunds"][number], payment: LedgerPayment) => ({
  cf_payment_id: "5114900000",
  cf_refund_id: "11325632",
  order_id: payment.reference,
  refund_id: reference,
  entity: "refund",
  refund_amount: new Rupees(minorUnits),
  refund_currency: "INR",
  refund_status: "SUCCESS",
  refund_type: "MERCHANT_INITIATED",
  refund_mode: "STANDARD"
})

const eventToWire = ({ occurredAt, payment, refund, type }: Event): string => {
  const event_time = new Date(occurredAt).toISOString()
  if (refund !== null) {
    return json({ data: { refund: refundToWire(refund, payment) }, event_time, type: "REFUND_STATUS_WEBHOOK" })
  }
  const of = payment.code === "USER_DROPPED" ? "PAYMENT_USER_DROPPED_WEBHOOK" : typesOf[type]
  // Cashfree tells nothing of an order that ended, or of a hold that was let go: something else is told.
  if (of === undefined) return json({ data: { charges: {} }, event_time, type: "PAYMENT_CHARGES_WEBHOOK" })
  const { error_details, ...outcome } = { error_details: null, ...outcomeOf(payment) }
  return json({
    data: {
      order: {
        order_id: payment.reference,
        order_amount: new Rupees(payment.amount.minorUnits),
        order_currency: "INR",
        order_tags: null
      },
      payment: {
        cf_payment_id: new Literal("5114900000"),
        payment_amount: new Rupees(payment.amount.minorUnits),
        payment_currency: "INR",
        payment_message: "as the bank says",
        payment_time: event_time,
        bank_reference: "405917004137",
        payment_method: { upi: { channel: null, upi_id: "asha@okbank" } },
        payment_group: "upi",
        ...outcome
      },
      customer_details: { customer_name: null, customer_id: "pay1", customer_phone: "9812345678" },
      payment_gateway_details: null,
      payment_offers: null,
      ...(error_details !== null && { error_details })
    },
    event_time,
    type: of
  })
}

type Event = Parameters<NonNullable<Parameters<typeof fakeProvider>[0]["webhooks"]>["sign"]>[0][number]

const typesOf: { readonly [type: string]: string | undefined } = {
  authorized: "PAYMENT_SUCCESS_WEBHOOK",
  captured: "PAYMENT_SUCCESS_WEBHOOK",
  declined: "PAYMENT_FAILED_WEBHOOK"
}

const signed = (body: string, event: string, at: number, secret: string) => ({
  body: new TextEncoder().encode(body),
  headers: {
    "content-type": "application/json",
    "x-webhook-version": "2025-01-01",
    "x-webhook-attempt": "1",
    "x-webhook-timestamp": String(at),
    "x-webhook-signature": createHmac("sha256", secret).update(`${at}${body}`).digest("base64"),
    "x-idempotency-key": createHmac("sha256", "event").update(event).digest("base64")
  }
})

const raw = (text: string): FakeAnswer => ({ status: 200, text, headers: { "content-type": "application/json" } })
const ok = (value: unknown): FakeAnswer => raw(json(value))
const bad = (code: string): FakeAnswer => ({
  status: 400,
  json: { message: "not possible", code, type: "invalid_request_error" }
})
const notFound = (what: string): FakeAnswer => ({
  status: 404,
  json: { message: `${what} is not found`, code: `${what}_not_found`, type: "invalid_request_error" }
})
