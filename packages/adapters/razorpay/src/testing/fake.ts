/**
 * Razorpay's API for servers as its documentation describes it, with a ledger: what the adapter is tested against. What it
 * says of UPI's payers is what the suite decides.
 */
import { fakeProvider, type FakeAnswer, type Ledger } from "@paymux/testkit/fake"
import { Schema } from "effect"
import {
  behind,
  bookOf,
  keep,
  linkOf,
  linkReference,
  orderOf,
  paidBy,
  paymentsOf,
  qrCodeOf,
  qrReference,
  receiptReuseOf,
  refundOf,
  scansOf
} from "./books.ts"
import { publishedReasons } from "./publishedReasons.ts"
import { newTypeOf, sign } from "./posted.ts"
import { keepNotes, settledOn } from "./settlements.ts"

export const fake = fakeProvider({
  credentials: {
    test: { keyId: "rzp_test_9mZ2c1x7Qe4TgA", keySecret: "k5Jr0bWq8TtYh2Lp", webhookSecret: "wh-sec-test-71c0" },
    live: { keyId: "rzp_live_3nB8v6k1Ws2YdD", keySecret: "v7Xe1mCz4UuNf9Ks", webhookSecret: "wh-sec-live-0f2d" }
  },
  publicCredentials: ["keyId"],
  authenticates: ({ headers }, { keyId, keySecret }) =>
    headers["authorization"] === `Basic ${Buffer.from(`${keyId}:${keySecret}`).toString("base64")}`,
  unauthorized: { status: 401, json: { error: { code: "BAD_REQUEST_ERROR", description: "Authentication failed" } } },
  idempotency: {
    key: ({ headers }) => headers["x-refund-idempotency"],
    reused: {
      status: 400,
      json: {
        error: {
          code: "BAD_REQUEST_ERROR",
          description: "Different request with the same idempotency key has already been processed.",
          source: "NA",
          step: "NA",
          reason: "NA",
          metadata: {}
        }
      }
    }
  },
  declineCodes: publishedReasons,
  faultOverrides: ["refund_pending", "refund_failed"],
  routes: {
    "POST /v1/orders": ({ json }, { ledger }) => {
      const { amount, currency, notes, payment, receipt, unique_receipt } = decodeOrder(json)
      const before = unique_receipt ? ledger.findByReference(receipt) : undefined
      if (before !== undefined) {
        const order = orderOf(before, bookOf(ledger, before))
        const reuse = receiptReuseOf(ledger)
        if (reuse === "same_order") return ok(order)
        const metadata = reuse === "refused" ? {} : { order_id: order.id }
        return badRequest("Order receipt should be unique.", "input_validation_failed", metadata)
      }
      const opened = ledger.open({
        amount: { minorUnits: amount, currency },
        capture: payment.capture,
        reference: receipt,
        isDraft: true
      })
      return ok(orderOf(opened, keep(ledger, opened, { kind: "order", notes, tries: [], closeBy: null })))
    },
    // "Retrieves the orders that contain the provided value for receipt".
    "GET /v1/orders": ({ query }, { ledger }) => {
      const receipt = query.get("receipt")
      const found = ledger.payments().filter((each) => bookOf(ledger, each).kind === "order")
      return list(
        found
          .filter(({ reference }) => receipt === null || reference?.includes(receipt) === true)
          .map((each) => orderOf(each, bookOf(ledger, each)))
      )
    },
    "GET /v1/orders/:id/payments": ({ param }, { ledger }) => {
      const order = behind(ledger, "order", param("id"))
      return order === undefined ? noSuchId : list(paymentsOf(order, bookOf(ledger, order)))
    },
    "POST /v1/payments/create/upi": ({ json }, { ledger }) => {
      const { amount, currency, notes, order_id, upi } = decodePayment(json)
      const order = behind(ledger, "order", order_id)
      if (order === undefined) return badRequest("The order id is not valid", "invalid_order_id")
      if (order.status === "captured") return badRequest("Payment already done for this order", "order_already_paid")
      if (order.amount.minorUnits !== amount || order.amount.currency !== currency) {
        return badRequest("The amount is not the order's", "order_amount_mismatch")
      }
      const { tries } = bookOf(ledger, order)
      const made = {
        id: `pay_${order.id}_${tries.length + 1}`,
        flow: upi.flow,
        notes,
        lateTry: order.status !== "draft" && order.status !== "pending"
      }
      tries.push(made)
      // The payer is asked once, however often a payment is made on the order.
      if (order.status === "draft") ledger.ask(order.id, { awaitsPayer: true })
      return ok({
        razorpay_payment_id: made.id,
        ...(upi.flow === "intent" && { link: `${linkStart}${made.id}&am=${(amount / 100).toFixed(2)}&cu=INR&mc=5411` })
      })
    },
    "POST /v1/payments/:id/capture": ({ json, param }, { ledger }) => {
      const { amount, currency } = decodeCapture(json)
      const paid = paidBy(ledger, param("id"))
      if (paid === undefined) return noSuchId
      if (paid.amount.minorUnits !== amount || paid.amount.currency !== currency) {
        return badRequest("Capture amount must be equal to the amount authorized.", "input_validation_failed")
      }
      const captured = ledger.capture(paid.id, amount)
      if (typeof captured === "string") return badRequest("This payment has already been captured")
      return ok(paymentsOf(captured, bookOf(ledger, captured)).find(({ id }) => id === param("id")))
    },
    "POST /v1/payments/:id/refund": ({ headers, json, param }, { ledger }) => {
      if (!/^[\w-]{10,}$/.test(headers["x-refund-idempotency"] ?? "")) {
        return badRequest("The idempotency key must be at least 10 characters long.")
      }
      const { amount, notes, receipt } = decodeRefund(json)
      const paid = paidBy(ledger, param("id"))
      if (paid === undefined) return noSuchId
      const refunding = paymentsOf(paid, bookOf(ledger, paid)).find(({ id }) => id === param("id"))
      if (refunding?.status === "refunded") {
        return badRequest("The payment has been fully refunded already", "input_validation_failed")
      }
      if (refunding?.captured !== true)
        return badRequest("The payment status should be captured for action to be taken")
      const refund = ledger.refund(paid.id, amount, receipt)
      if (typeof refund === "string") {
        return badRequest("The refund amount provided is greater than amount captured.", "input_validation_failed")
      }
      keepNotes(ledger, refund, notes)
      return ok(refundOf(refund, paid, bookOf(ledger, paid)))
    },
    "GET /v1/payments/:id/refunds": ({ param, query }, { ledger }) => {
      const paid = paidBy(ledger, param("id"))
      if (paid === undefined) return noSuchId
      const refunds = refundsOf(ledger, paid.id).filter(({ payment_id }) => payment_id === param("id"))
      return list(paged(refunds.toReversed(), query))
    },
    "GET /v1/refunds/:id": ({ param }, { ledger }) => {
      const found = ledger.payments().flatMap(({ id }) => refundsOf(ledger, id))
      const refund = found.find(({ id }) => id === param("id"))
      return refund === undefined ? noSuchId : ok(refund)
    },
    "GET /v1/settlements/recon/combined": ({ query }, { ledger }) => {
      const { count, day, month, skip, year } = decodeRecon(Object.fromEntries(query))
      return list(settledOn(ledger, { year, month, day }).slice(Number(skip), Number(skip) + Number(count)))
    },
    "POST /v1/payment_links": ({ json }, { ledger }) => {
      const { amount, currency, expire_by, notes, reference_id } = decodeLink(json)
      if (ledger.findByReference(`${linkReference}${reference_id}`) !== undefined) {
        return badRequest(`payment link with given reference_id: (${reference_id}) already exists.`)
      }
      const opened = ledger.open({
        amount: { minorUnits: amount, currency },
        awaitsPayer: true,
        reference: `${linkReference}${reference_id}`
      })
      const tries = [{ id: `pay_${opened.id}`, flow: "intent", lateTry: false, notes: {} }]
      return ok(linkOf(opened, keep(ledger, opened, { kind: "link", notes, tries, closeBy: expire_by })))
    },
    "GET /v1/payment_links": ({ query }, { ledger }) => {
      const found = ledger.findByReference(`${linkReference}${query.get("reference_id") ?? ""}`)
      return ok({ payment_links: found === undefined ? [] : [linkOf(found, bookOf(ledger, found))] })
    },
    "GET /v1/payment_links/:id": ({ param }, { ledger }) => {
      const link = behind(ledger, "plink", param("id"))
      return link === undefined ? noSuchId : ok(linkOf(link, bookOf(ledger, link)))
    },
    "POST /v1/payment_links/:id/cancel": ({ param }, { ledger }) => {
      const link = behind(ledger, "plink", param("id"))
      const canceled = link === undefined || link.status !== "pending" ? "not_found" : ledger.cancel(link.id)
      return typeof canceled === "string"
        ? badRequest("Payment Link cannot be cancelled in its current state")
        : ok(linkOf(canceled, bookOf(ledger, canceled)))
    },
    "POST /v1/payments/qr_codes": ({ json }, { ledger }) => {
      const { close_by, notes, payment_amount } = decodeQrCode(json)
      const opened = ledger.open({
        amount: { minorUnits: payment_amount, currency: "INR" },
        awaitsPayer: true,
        reference: `${qrReference}${notes["paymux_operation"] ?? ""}`
      })
      const tries = [{ id: `pay_${opened.id}`, flow: "intent", lateTry: false, notes }]
      return ok(qrCodeOf(opened, keep(ledger, opened, { kind: "qr_code", notes, tries, closeBy: close_by })))
    },
    "GET /v1/payments/qr_codes": ({ query }, { ledger }) => {
      const codes = ledger.payments().filter((each) => bookOf(ledger, each).kind === "qr_code")
      const newest = codes.toReversed().map((each) => qrCodeOf(each, bookOf(ledger, each)))
      const from = Number(query.get("from") ?? 0)
      return list(
        paged(
          newest.filter(({ created_at }) => created_at >= from),
          query
        )
      )
    },
    // After the list of QR codes, whose path it would match.
    "GET /v1/payments/:id": ({ param }, { ledger }) => {
      const paid = paidBy(ledger, param("id"))
      if (paid === undefined) return noSuchId
      return ok(paymentsOf(paid, bookOf(ledger, paid)).find(({ id }) => id === param("id")))
    },
    "GET /v1/payments/qr_codes/:id": ({ param }, { ledger }) => {
      const code = behind(ledger, "qr", param("id"))
      return code === undefined ? noSuchId : ok(qrCodeOf(code, bookOf(ledger, code)))
    },
    "GET /v1/payments/qr_codes/:id/payments": ({ param }, { ledger }) => {
      const code = behind(ledger, "qr", param("id"))
      return code === undefined ? noSuchId : list(scansOf(code, bookOf(ledger, code)))
    },
    "POST /v1/payments/qr_codes/:id/close": ({ param }, { ledger }) => {
      const code = behind(ledger, "qr", param("id"))
      const closed = code === undefined || code.status !== "pending" ? "not_found" : ledger.cancel(code.id)
      return typeof closed === "string"
        ? badRequest("The id provided does not exist")
        : ok(qrCodeOf(closed, bookOf(ledger, closed)))
    }
  },
  statement: {
    types: ["charge", "refund", "dispute", "dispute_reversed"],
    hasFees: true,
    echoes: ["charge", "refund"],
    pageSize: 100
  },
  webhooks: { signsTime: false, sign, signNewType: newTypeOf }
})

const linkStart = "upi://pay?ver=01&pa=acme%40rzp&pn=Acme%20Stores&tr="

const decodeStrictly = <S extends Schema.Codec<unknown, unknown>>(schema: S) =>
  Schema.decodeUnknownSync(schema, { onExcessProperty: "error" })

/** At most 15, of 256 characters at most. */
const Notes = Schema.Record(
  Schema.String.check(Schema.isMaxLength(256)),
  Schema.String.check(Schema.isMaxLength(256))
).check(Schema.isMaxProperties(15))
const Description = Schema.String.check(Schema.isMaxLength(255))
const Receipt = Schema.NonEmptyString.check(Schema.isMaxLength(40))
const Paise = Schema.Int.check(Schema.isGreaterThanOrEqualTo(100))
const Minutes = Schema.Int.check(Schema.isBetween({ minimum: 12, maximum: 7_200 }))

const decodeOrder = decodeStrictly(
  Schema.Struct({
    amount: Paise,
    currency: Schema.Literal("INR"),
    receipt: Receipt,
    unique_receipt: Schema.Boolean,
    notes: Notes,
    payment: Schema.Union([
      Schema.Struct({
        capture: Schema.Literal("automatic"),
        capture_options: Schema.Struct({
          automatic_expiry_period: Minutes,
          manual_expiry_period: Minutes,
          refund_speed: Schema.Literals(["normal", "optimum"])
        })
      }),
      Schema.Struct({
        capture: Schema.Literal("manual"),
        capture_options: Schema.Struct({
          manual_expiry_period: Minutes,
          refund_speed: Schema.Literals(["normal", "optimum"])
        })
      })
    ])
  })
)

const decodePayment = decodeStrictly(
  Schema.Struct({
    amount: Paise,
    currency: Schema.Literal("INR"),
    order_id: Schema.NonEmptyString,
    email: Schema.NonEmptyString,
    contact: Schema.NonEmptyString,
    method: Schema.Literal("upi"),
    ip: Schema.NonEmptyString,
    referer: Schema.NonEmptyString,
    user_agent: Schema.NonEmptyString,
    description: Schema.optionalKey(Description),
    notes: Notes,
    upi: Schema.Union([
      Schema.Struct({ flow: Schema.Literal("intent") }),
      Schema.Struct({ flow: Schema.Literal("collect"), vpa: Schema.NonEmptyString, expiry_time: Schema.Int })
    ])
  })
)

const decodeCapture = decodeStrictly(Schema.Struct({ amount: Paise, currency: Schema.Literal("INR") }))

const Digits = Schema.String.check(Schema.isPattern(/^\d{1,6}$/))
const decodeRecon = decodeStrictly(
  Schema.Struct({
    year: Schema.String.check(Schema.isPattern(/^20\d{2}$/)),
    month: Schema.String.check(Schema.isPattern(/^(0?[1-9]|1[0-2])$/)),
    day: Schema.String.check(Schema.isPattern(/^(0?[1-9]|[12]\d|3[01])$/)),
    count: Schema.String.check(Schema.isPattern(/^([1-9]\d{0,2}|1000)$/)),
    skip: Digits
  })
)

const decodeRefund = decodeStrictly(Schema.Struct({ amount: Schema.Int, receipt: Receipt, notes: Notes }))

const Unused = Schema.Literal(false)
const decodeLink = decodeStrictly(
  Schema.Struct({
    amount: Paise,
    currency: Schema.Literal("INR"),
    accept_partial: Unused,
    reference_id: Receipt,
    description: Schema.optionalKey(Schema.String.check(Schema.isMaxLength(2048))),
    customer: Schema.Struct({
      name: Schema.optionalKey(Schema.NonEmptyString),
      email: Schema.NonEmptyString,
      contact: Schema.NonEmptyString
    }),
    notify: Schema.Struct({ sms: Schema.Boolean, email: Schema.Boolean }),
    reminder_enable: Schema.Boolean,
    expire_by: Schema.Int,
    notes: Notes,
    callback_url: Schema.optionalKey(Schema.String.check(Schema.isPattern(/^https:/))),
    callback_method: Schema.optionalKey(Schema.Literal("get")),
    options: Schema.Struct({
      checkout: Schema.Struct({
        method: Schema.Struct({ upi: Schema.Literal(true), card: Unused, netbanking: Unused, wallet: Unused })
      })
    })
  })
)

const decodeQrCode = decodeStrictly(
  Schema.Struct({
    type: Schema.Literal("upi_qr"),
    usage: Schema.Literal("single_use"),
    fixed_amount: Schema.Literal(true),
    payment_amount: Paise,
    description: Schema.optionalKey(Description),
    close_by: Schema.Int,
    notes: Notes
  })
)

const ok = (json: unknown): FakeAnswer => ({ status: 200, json })

const list = (items: ReadonlyArray<unknown>): FakeAnswer => ok({ entity: "collection", count: items.length, items })

const paged = <A>(items: ReadonlyArray<A>, query: URLSearchParams): ReadonlyArray<A> => {
  const skip = Number(query.get("skip") ?? 0)
  return items.slice(skip, skip + Math.min(100, Number(query.get("count") ?? 10)))
}

const badRequest = (description: string, reason?: string, metadata: object = {}): FakeAnswer => ({
  status: 400,
  json: {
    error: {
      code: "BAD_REQUEST_ERROR",
      description,
      source: "business",
      step: "payment_initiation",
      ...(reason !== undefined && { reason }),
      metadata
    }
  }
})

const noSuchId = badRequest("The id provided does not exist")

const refundsOf = (ledger: Ledger, id: string) => {
  const payment = ledger.find(id)
  return payment === undefined
    ? []
    : payment.refunds.map((refund) => refundOf(refund, payment, bookOf(ledger, payment)))
}
