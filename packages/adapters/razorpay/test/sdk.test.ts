/**
 * Razorpay's own SDK as an oracle: given the same content, it sends the same request as the adapter, and it believes the
 * same webhooks. It cannot send the key of a refund.
 */
import { assert, describe, it } from "@effect/vitest"
import type { SeenRequest } from "@paymux/testkit"
import { Effect } from "effect"
import Razorpay from "razorpay"
import { begin, later, operation, rupees } from "./adapter.ts"
import { signed } from "./posted.ts"

describe("the official SDK", () => {
  it.live("sends the same orders, payments, captures and refunds", () =>
    Effect.gen(function* () {
      const stand = yield* begin({ allowCollect: true })
      const { capture, create, inquire, network, refund, vendor } = stand
      const sdk = sdkAt(vendor.url, vendor.credentials)
      const held = operation({ captureMethod: "manual" })
      yield* create(held)
      yield* create(operation({ method: { rail: "upi", flow: "collect", vpa: "asha@upi" } }))
      yield* vendor.payersAct
      const [payment] = yield* vendor.payments
      const order = `order_${payment?.id}`
      yield* capture?.(later("capture", held, order)) ?? Effect.die("it is declared")
      const given = later("refund", held, order, { amount: rupees(345) })
      yield* refund(given)
      yield* inquire(given)
      yield* inquire(later("refund", held, order))
      yield* inquire({ ...given, reference: "rfnd_vr_9" }).pipe(Effect.ignore)
      yield* inquire(operation())

      const ours = yield* network.requests
      assert.isAtLeast(ours.length, 12)
      const calls = ours.map((request) => callOf(sdk, request))
      for (const call of calls) yield* Effect.ignore(Effect.tryPromise(call))
      const theirs = (yield* network.requests).slice(ours.length)
      assert.deepStrictEqual(theirs.map(compared), ours.map(compared))
    }).pipe(Effect.scoped)
  )

  it.live("sends the same QR codes", () =>
    Effect.gen(function* () {
      const { cancel, create, inquire, network, vendor } = yield* begin({ qr: "qr_code" })
      const sdk = sdkAt(vendor.url, vendor.credentials)
      const asked = operation({ method: { rail: "upi", flow: "qr", vpa: null } })
      const shown = yield* create(asked)
      yield* create({ ...asked, reference: asked.id })
      yield* cancel?.(later("cancel", asked, shown.reference ?? "")) ?? Effect.die("it is declared")
      yield* inquire({ ...asked, reference: shown.reference ?? null })

      const ours = yield* network.requests
      const calls = ours.map((request) => callOf(sdk, request))
      for (const call of calls) yield* Effect.ignore(Effect.tryPromise(call))
      const theirs = (yield* network.requests).slice(ours.length)
      assert.deepStrictEqual(theirs.map(compared), ours.map(compared))
    }).pipe(Effect.scoped)
  )

  it.live("believes and refuses the same webhooks", () =>
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
        const heard = yield* Effect.option(webhook(new TextEncoder().encode(text), headers))
        const theirs = Razorpay.validateWebhookSignature(text, signature, vendor.credentials.webhookSecret)
        assert.strictEqual(heard._tag === "Some", theirs, `${signature} of ${text}`)
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

/** The call of the SDK that a request of the adapter's is, with the same content. */
const callOf = (sdk: Razorpay, { body, method, path }: SeenRequest): (() => Promise<unknown>) => {
  const url = new URL(path, "http://fake")
  const [, , collection = "", id = "", part = "", more = ""] = url.pathname.split("/")
  // Boundary: what the adapter sent, given to the SDK as it is.
  const json = (body === "" ? {} : JSON.parse(body)) as never
  const query = Object.fromEntries(url.searchParams) as never
  const amounts = json as { readonly amount: number; readonly currency: string }
  if (id === "qr_codes") {
    if (more !== "") return method === "POST" ? () => sdk.qrCode.close(part) : () => sdk.qrCode.fetchAllPayments(part)
    if (part !== "") return () => sdk.qrCode.fetch(part)
    return method === "POST" ? () => sdk.qrCode.create(json) : () => sdk.qrCode.all(query)
  }
  switch (`${method} ${collection} ${part}`.trim()) {
    case "POST orders":
      return () => sdk.orders.create(json)
    case "GET orders":
      return () => sdk.orders.all(query)
    case "GET orders payments":
      return () => sdk.orders.fetchPayments(id)
    case "POST payments upi":
      return () => sdk.payments.createUpi(json)
    case "POST payments capture":
      return () => sdk.payments.capture(id, amounts.amount, amounts.currency)
    case "POST payments refund":
      return () => sdk.payments.refund(id, json)
    case "GET payments refunds":
      return () => sdk.payments.fetchMultipleRefund(id, query)
    case "GET refunds":
      return () => sdk.refunds.fetch(id)
    default:
      throw new Error(`no call of the SDK is known for ${method} ${path}`)
  }
}

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
