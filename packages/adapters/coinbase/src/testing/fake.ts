/** Coinbase as its specification and documentation describe it, with a ledger: what the adapter is tested against. */
import { type FakeAnswer, fakeProvider, type FakeRequest, type Ledger, type LedgerPayment } from "@paymux/testkit/fake"
import { declineCodes } from "./codes.ts"
import { otherSession } from "./otherSession.ts"
import { isFor, newEd25519, newP256, readToken } from "./keys.ts"
import {
  actionsOf,
  behind,
  bookOf,
  booksOf,
  captureOf,
  cents,
  idOf,
  nowOf,
  refundOf,
  sessionOf,
  voidOf
} from "./objects.ts"
import { posted, eventBody } from "./posted.ts"
import { Cancel, CreateCapture, CreateRefund, CreateSession, CreateVoid, decode } from "./requests.ts"

const sessions = "/platform/v2/payment-sessions"

export const fake = fakeProvider({
  credentials: {
    // One of each kind that Coinbase hands out.
    test: {
      environment: "sandbox",
      apiKeyId: "7a1c7f1e-1f4e-4b6a-9a55-1f3b1d0c2a10",
      apiKeySecret: newEd25519(),
      webhookSecret: "whs_test_5b0f2c9e"
    },
    live: {
      environment: "live",
      apiKeyId: "organizations/9d2b/apiKeys/4c77",
      apiKeySecret: newP256(),
      webhookSecret: "whs_live_90aa41d7"
    }
  },
  publicCredentials: ["environment", "apiKeyId"],
  authenticates: ({ headers, method, path }, { apiKeyId, apiKeySecret }) => {
    const token = readToken(headers["authorization"], apiKeySecret)
    return token !== null && isFor(token, { id: apiKeyId, method, url: `${headers["host"]}${path}` })
  },
  unauthorized: {
    status: 401,
    json: { errorType: "unauthorized", errorMessage: "The request is not properly authenticated." }
  },
  idempotency: {
    key: ({ headers }) => headers["x-idempotency-key"],
    reused: { status: 422, json: { errorType: "idempotency_error", errorMessage: "The key was used already." } }
  },
  rateLimited: (seconds) => ({
    status: 429,
    json: { errorType: "rate_limit_exceeded", errorMessage: "Too many requests." },
    ...(seconds !== null && { headers: { "retry-after": String(seconds) } })
  }),
  proof: (code) => refused(code),
  declineCodes,
  faultOverrides: ["refund_pending", "refund_failed", "other_amount", "new_status"],
  routes: {
    [`POST ${sessions}`]: ({ json }, { ledger }) => create(decode(CreateSession, json), ledger),
    [`GET ${sessions}`]: ({ query }, { ledger }) => {
      const others = ledger.bookings().filter(({ payment }) => payment === null)
      const all = [...ledger.payments().map((payment) => sessionOf(ledger, payment)), ...others.map(otherSession)]
      const from = Number(query.get("pageToken") ?? 0)
      const until = from + Number(query.get("pageSize") ?? 20)
      return ok({
        paymentSessions: all.slice(from, until),
        ...(until < all.length && { nextPageToken: String(until) })
      })
    },
    [`GET ${sessions}/:id`]: onSession((payment, _request, ledger) => ok(sessionOf(ledger, payment))),
    [`POST ${sessions}/:id/cancel`]: onSession(cancel),
    [`POST ${sessions}/:id/captures`]: onSession(capture),
    [`POST ${sessions}/:id/voids`]: onSession(release),
    [`POST ${sessions}/:id/refunds`]: onSession(refund),
    [`GET ${sessions}/:id/authorizations`]: onSession(listOf("authorizations")),
    [`GET ${sessions}/:id/captures`]: onSession(listOf("captures")),
    [`GET ${sessions}/:id/voids`]: onSession(listOf("voids")),
    [`GET ${sessions}/:id/refunds`]: onSession(listOf("refunds")),
    [`GET ${sessions}/:id/captures/:action`]: onSession((payment, { param }, ledger) =>
      one(captureOf(ledger, payment).find(({ captureId }) => captureId === param("action")))
    ),
    [`GET ${sessions}/:id/voids/:action`]: onSession((payment, { param }, ledger) =>
      one(voidOf(ledger, payment).find(({ voidId }) => voidId === param("action")))
    ),
    [`GET ${sessions}/:id/refunds/:action`]: onSession((payment, { param }, ledger) => {
      const found = payment.refunds.find((each) => idOf("refund", each) === param("action"))
      return one(found && refundOf(ledger, found, payment))
    })
  },
  statement: {
    types: ["charge", "refund"],
    hasFees: false,
    echoes: ["charge", "refund"],
    pageSize: 100,
    currencyNames: ["usdc", "eurc"]
  },
  webhooks: {
    signsTime: true,
    sign: ([event], { at, credentials, ledger }) => {
      if (event === undefined) throw new Error("Coinbase posts one event at a time")
      return posted(eventBody(ledger, event), at, credentials.webhookSecret)
    },
    signNewType: ({ at, credentials }) =>
      posted(
        { eventId: "evt_new", eventType: "acceptance.payment_session.admired", occurredAt: at, data: {} },
        at,
        credentials.webhookSecret
      )
  }
})

const create = (asked: CreateSession, ledger: Ledger): FakeAnswer => {
  const { buyerRequiredBy, captures, sessions: kept } = booksOf(ledger)
  const missing = missingOf(asked)
  if (buyerRequiredBy !== null && missing.length > 0) {
    return refused(buyerRequiredBy, `Travel rule information is incomplete. Missing fields: ${missing.join(", ")}`)
  }
  if (Date.parse(asked.expiries.authorizationExpiresAt) < nowOf(ledger)) return refused("invalid_request")
  const payment = ledger.open({
    amount: { minorUnits: cents(asked.amount), currency: asked.asset === "usdc" ? "USD" : "EUR" },
    // What Coinbase fails to capture automatically stays held.
    capture: asked.autoCapture && captures === "settle" ? "automatic" : "manual",
    reference: asked.externalReferenceId,
    awaitsPayer: true
  })
  const isFailing = asked.autoCapture && captures !== "settle"
  const status = captures === "fail" ? "failed" : "pending"
  kept.set(payment.id, {
    asked,
    createdAt: nowOf(ledger),
    ...(isFailing && { capture: { amount: asked.amount, notes: {}, status } })
  })
  return ok(sessionOf(ledger, payment))
}

const missingOf = ({ compliance: { buyer } = {} }: CreateSession): ReadonlyArray<string> => [
  ...(buyer?.name === undefined ? ["buyer.name"] : []),
  ...(buyer?.address === undefined ? ["buyer.address.line1", "buyer.address.countryCode"] : [])
]

function cancel(payment: LedgerPayment, { json }: FakeRequest, ledger: Ledger): FakeAnswer {
  decode(Cancel, json)
  if (bookOf(ledger, payment).isMoving === true) return refused("payment_session_action_pending")
  if (booksOf(ledger).refusesCancels) return refused("payment_session_already_authorized")
  if (payment.status === "canceled") return refused("payment_session_already_canceled")
  if (payment.status !== "pending") return refused("invalid_request")
  const canceled = ledger.cancel(payment.id)
  return typeof canceled === "string" ? refused("invalid_request") : ok(sessionOf(ledger, canceled))
}

function capture(payment: LedgerPayment, { json }: FakeRequest, ledger: Ledger): FakeAnswer {
  const { amount, metadata } = decode(CreateCapture, json)
  const book = bookOf(ledger, payment)
  const { captures } = booksOf(ledger)
  if (payment.status !== "authorized") return refused("no_capturable_balance")
  if (book.release?.status === "pending" || book.capture?.status === "pending") {
    return refused("payment_session_action_pending")
  }
  if (Date.parse(sessionOf(ledger, payment).expiries.captureExpiresAt) < nowOf(ledger))
    return refused("capture_expired")
  if (cents(amount) > payment.amount.minorUnits) return refused("invalid_request")
  book.capture = { amount, notes: metadata, status: "pending" }
  const [answer] = captureOf(ledger, payment)
  // It is taken on, and done a little later: the answer says so, the next question finds it done.
  if (captures === "settle") ledger.capture(payment.id, cents(amount))
  if (captures !== "pend") book.capture.status = captures === "settle" ? "succeeded" : "failed"
  return one(answer)
}

function release(payment: LedgerPayment, { json }: FakeRequest, ledger: Ledger): FakeAnswer {
  const { metadata } = decode(CreateVoid, json)
  const book = bookOf(ledger, payment)
  const { voids } = booksOf(ledger)
  if (payment.status !== "authorized") return refused("no_voidable_balance")
  if (book.release?.status === "pending" || book.capture?.status === "pending") {
    return refused("payment_session_action_pending")
  }
  book.release = { at: nowOf(ledger), status: "pending", ...(metadata !== undefined && { notes: metadata }) }
  const [answer] = voidOf(ledger, payment)
  if (voids === "settle") {
    book.release.status = "succeeded"
    ledger.cancel(payment.id)
  }
  return one(answer)
}

function refund(payment: LedgerPayment, { json }: FakeRequest, ledger: Ledger): FakeAnswer {
  const { amount, metadata, source } = decode(CreateRefund, json)
  const { refunds } = booksOf(ledger)
  if (Date.parse(sessionOf(ledger, payment).expiries.refundExpiresAt) < nowOf(ledger)) return refused("refund_expired")
  const made = ledger.refund(payment.id, cents(amount))
  if (typeof made === "string") return refused(made === "exceeds" ? "invalid_request" : "no_refundable_balance")
  refunds.set(made.id, { notes: metadata, source })
  return ok({ ...refundOf(ledger, made, payment), status: "pending" })
}

function listOf(name: "authorizations" | "captures" | "voids" | "refunds") {
  return (payment: LedgerPayment, _request: FakeRequest, ledger: Ledger) =>
    ok({ [name]: actionsOf(ledger, payment)[name] })
}

function onSession(answer: (payment: LedgerPayment, request: FakeRequest, ledger: Ledger) => FakeAnswer) {
  return (request: FakeRequest, { ledger }: { readonly ledger: Ledger }): FakeAnswer => {
    const payment = behind(ledger, request.param("id"))
    return payment === undefined ? missing : answer(payment, request, ledger)
  }
}

const ok = (json: unknown): FakeAnswer => ({ status: 200, json })

const refused = (errorType: string, errorMessage = "in Coinbase's words"): FakeAnswer => ({
  status: 400,
  json: { errorType, errorMessage, correlationId: "41deb8d59a9dc9a7-IAD" }
})

const missing: FakeAnswer = { status: 404, json: { errorType: "not_found", errorMessage: "It does not exist." } }

const one = (found: object | undefined): FakeAnswer => (found === undefined ? missing : ok(found))
