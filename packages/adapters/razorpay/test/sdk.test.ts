/**
 * Razorpay's own SDK as an oracle: asked for the same in its own words, it sends the same request as the adapter, and it
 * accepts the same webhooks. Its arguments are written here by hand, from the operation. It cannot send the key of a refund.
 */
import type { ProviderOperation } from "@paymux/core"
import { assert, describe, it } from "@effect/vitest"
import type { SeenRequest } from "@paymux/testkit"
import { Effect } from "effect"
import { createHmac } from "node:crypto"
import Razorpay from "razorpay"
import { begin, later, operation, rupees } from "./adapter.ts"
import { signed } from "../src/testing/posted.ts"

describe("the official SDK", () => {
  it.live("sends the same request for settlements", () =>
    Effect.gen(function* () {
      const harness = yield* begin({ settlements: true })
      const day = Date.parse("2026-10-31T18:30:00Z")
      yield* harness.statement?.({ since: day, until: day + 1, cursor: null }) ?? Effect.die("it is declared")
      yield* sendsTheSame(harness, (sdk) => [
        () => sdk.settlements.reports({ year: 2026, month: 11, day: 1, count: 1000, skip: 0 })
      ])
    }).pipe(Effect.scoped)
  )

  it.live("sends the same orders, payments, captures and refunds", () =>
    Effect.gen(function* () {
      const harness = yield* begin({ allowCollect: true })
      const { capture, create, inquire, refund, vendor } = harness
      const held = operation({ captureMethod: "manual" })
      const collect = operation({ method: { rail: "upi", flow: "collect", vpa: "asha@upi" } })
      yield* create(held)
      yield* create(collect)
      yield* vendor.payersAct
      const [first, second] = yield* vendor.payments
      const orders = [`order_${first?.id}`, `order_${second?.id}`] as const
      const [order] = orders
      const payment = `pay_${first?.id}_1`
      yield* capture?.(later("capture", held, order)) ?? Effect.die("it is declared")
      const given = later("refund", held, order, { amount: rupees(345), reason: "torn" })
      yield* refund(given)
      yield* inquire(given)
      yield* inquire({ ...given, reference: "rfnd_vr_9" }).pipe(Effect.ignore)
      const unanswered = operation()
      yield* inquire(unanswered)

      const mark = createHmac("sha256", vendor.credentials.keySecret).update(`paymux hold ${order}`).digest("hex")
      yield* sendsTheSame(harness, (sdk) => [
        () => sdk.orders.create({ ...orderOf(held), payment: { capture: "manual", capture_options: hold } } as never),
        () =>
          sdk.payments.createUpi({
            ...paymentOf(held, order),
            notes: { ...notesOf(held), paymux_hold: mark },
            upi: { flow: "intent" }
          }),
        () =>
          sdk.orders.create({
            ...orderOf(collect),
            payment: { capture: "automatic", capture_options: { automatic_expiry_period: 7_200, ...hold } }
          } as never),
        () =>
          sdk.payments.createUpi({
            ...paymentOf(collect, orders[1]),
            upi: { flow: "collect", vpa: "asha@upi", expiry_time: 10 }
          }),
        () => sdk.orders.fetchPayments(order),
        () => sdk.payments.capture(payment, 12_345, "INR"),
        () => sdk.orders.fetchPayments(order),
        () =>
          sdk.payments.refund(payment, {
            amount: 345,
            receipt: given.id,
            notes: { paymux_operation: given.id, reason: "torn" }
          }),
        () => sdk.orders.fetchPayments(order),
        () => sdk.payments.fetchMultipleRefund(payment, { count: 100, skip: 0 }),
        () => sdk.refunds.fetch("rfnd_vr_9"),
        () => sdk.orders.all({ receipt: unanswered.id })
      ])
    }).pipe(Effect.scoped)
  )

  it.live("sends the same QR codes", () =>
    Effect.gen(function* () {
      const harness = yield* begin({ qr: "qr_code" })
      const { cancel, create, inquire } = harness
      const asked = operation({ method: { rail: "upi", flow: "qr", vpa: null } })
      const { reference: code = "" } = yield* create(asked)
      yield* create({ ...asked, reference: asked.id })
      yield* cancel?.(later("cancel", asked, code)) ?? Effect.die("it is declared")
      yield* inquire({ ...asked, reference: code })

      const created = Math.floor(asked.createdAt / 1000)
      yield* sendsTheSame(harness, (sdk) => [
        () =>
          sdk.qrCode.create({
            type: "upi_qr",
            usage: "single_use",
            fixed_amount: true,
            payment_amount: 12_345,
            description: "Order 1001",
            close_by: created + 1_200,
            notes: notesOf(asked)
          } as never),
        () => sdk.qrCode.all({ from: created - 600, count: 100, skip: 0 }),
        () => sdk.qrCode.fetch(code),
        () => sdk.qrCode.close(code),
        () => sdk.qrCode.fetch(code),
        () => sdk.qrCode.fetchAllPayments(code),
        () => sdk.qrCode.fetch(code),
        () => sdk.qrCode.fetchAllPayments(code)
      ])
    }).pipe(Effect.scoped)
  )

  it.live("sends the same Payment Links", () =>
    Effect.gen(function* () {
      const context = yield* begin({ qr: "qr_code" })
      const { cancel, create, inquire } = context
      const asked = operation({ method: { rail: "upi", flow: "hosted", vpa: null }, client: null })
      const { reference: link = "" } = yield* create(asked)
      yield* inquire(asked)
      yield* cancel?.(later("cancel", asked, link)) ?? Effect.die("it is declared")

      yield* sendsTheSame(context, (sdk) => [
        () =>
          sdk.paymentLink.create({
            amount: 12_345,
            currency: "INR",
            accept_partial: false,
            reference_id: asked.id,
            description: "Order 1001",
            customer: { name: "Asha Rao", email: "asha@example.com", contact: "+919812345678" },
            notify: { sms: false, email: false },
            reminder_enable: false,
            expire_by: Math.floor(asked.createdAt / 1000) + 1_200,
            notes: notesOf(asked),
            options: { checkout: { method: { upi: true, card: false, netbanking: false, wallet: false } } }
          }),
        () => sdk.paymentLink.all({ reference_id: asked.id } as never),
        () => sdk.paymentLink.cancel(link),
        () => sdk.paymentLink.fetch(link),
        () => sdk.orders.fetchPayments(`order_${link.slice("plink_".length)}`)
      ])
    }).pipe(Effect.scoped)
  )

  it.live("accepts and refuses the same webhooks", () =>
    Effect.gen(function* () {
      const { create, vendor, webhook, webhooks } = yield* begin()
      yield* create(operation())
      yield* vendor.payersAct
      const genuine = yield* webhooks.deliver(yield* webhooks.events)
      const text = new TextDecoder().decode(genuine.body)
      const signature = genuine.headers["x-razorpay-signature"] ?? ""
      const odia = { event: "payment.downtime.started", created_at: 1, payload: { bank: "ଓଡ଼ିଆ" } }
      const tries = [
        { text, signature },
        { text: text.replace("12345", "12346"), signature },
        { text: `${text}\n`, signature },
        { text, signature: signature.toUpperCase() },
        { text, signature: signature.replace(/^./, (first) => (first === "0" ? "1" : "0")) },
        {
          text: JSON.stringify(odia),
          signature: signed(odia, "evt_odia", vendor.credentials).headers["x-razorpay-signature"] ?? ""
        }
      ]
      for (const { signature, text } of tries) {
        const headers = { ...genuine.headers, "x-razorpay-signature": signature }
        const received = yield* Effect.option(webhook(new TextEncoder().encode(text), headers, Date.now()))
        const theirs = Razorpay.validateWebhookSignature(text, signature, vendor.credentials.webhookSecret)
        assert.strictEqual(received._tag === "Some", theirs, `${signature} of ${text}`)
      }
    }).pipe(Effect.scoped)
  )
})

interface Keys {
  readonly keyId: string
  readonly keySecret: string
}

const sdkAt = (url: string, { keyId, keySecret }: Keys) => {
  const sdk = new Razorpay({ key_id: keyId, key_secret: keySecret })
  // Boundary: the SDK has no option for its host.
  const { api } = sdk as unknown as { readonly api: { readonly rq: { readonly defaults: { baseURL: string } } } }
  api.rq.defaults.baseURL = url
  return sdk
}

/** What the adapter has sent until now, compared with what these calls send, one by one. */
const sendsTheSame = Effect.fnUntraced(function* (
  { network, vendor }: Pick<Effect.Success<ReturnType<typeof begin>>, "network" | "vendor">,
  calls: (sdk: Razorpay) => ReadonlyArray<() => Promise<unknown>>
) {
  const ours = yield* network.requests
  for (const call of calls(sdkAt(vendor.url, vendor.credentials))) yield* Effect.ignore(Effect.tryPromise(call))
  const theirs = (yield* network.requests).slice(ours.length)
  assert.deepStrictEqual(ours.map(compared), theirs.map(compared))
})

// Boundary, where `as never` is: the SDK's types forget `unique_receipt`, and ask for what is not required.
const hold = { manual_expiry_period: 7_200, refund_speed: "normal" }

const notesOf = ({ id }: ProviderOperation) => ({
  order: "1001",
  paymux_operation: id
})

const orderOf = (asked: ProviderOperation) => ({
  amount: 12_345,
  currency: "INR",
  receipt: asked.id,
  unique_receipt: true,
  notes: notesOf(asked)
})

const paymentOf = (asked: ProviderOperation, order: string) => ({
  amount: 12_345,
  currency: "INR",
  order_id: order,
  email: "asha@example.com",
  contact: "+919812345678",
  method: "upi",
  ip: "203.0.113.7",
  referer: "https://shop.example/cart",
  user_agent: "Mozilla/5.0",
  description: "Order 1001",
  notes: notesOf(asked)
})

/** The SDK fills in the first page where none is asked for; the adapter's own query has to be in its. */
const compared = ({ body, headers, method, path }: SeenRequest) => {
  const url = new URL(path, "http://fake")
  return {
    method,
    path: url.pathname,
    query: new Map([...url.searchParams].filter(([name, value]) => !defaults.includes(`${name}=${value}`))),
    authorization: headers["authorization"],
    body: body === "" || body === "{}" ? null : (JSON.parse(body) as unknown)
  }
}

const defaults: ReadonlyArray<string> = ["count=10", "skip=0"]
