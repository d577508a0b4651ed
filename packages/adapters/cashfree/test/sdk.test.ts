import type { SeenRequest } from "@paymux/testkit"
/**
 * The official SDK as a second opinion: it and the adapter are given the same to do, and what each sends over loopback is
 * compared; each one's signature is put to the other.
 */
import { assert, describe, it } from "@effect/vitest"
import { isWebhookRefused, type ProviderOperation } from "@paymux/core"
import { Cashfree, CFEnvironment } from "cashfree-pg"
import { Clock, Effect, Redacted } from "effect"
import { createHmac } from "node:crypto"
import { cashfree, simulatePayment } from "../src/index.ts"
import { s2sFake } from "../src/testing/fake.ts"
import { byPage, createOperation, laterOperation, rupees, running } from "./operations.ts"
import { optionsOf } from "../src/testing/options.ts"

/** The SDK asks its own hosts, by axios: here it asks `url`, by fetch, with the method, path, headers and body it made. */
const sdkAt = (
  url: string,
  { clientId, clientSecret }: { readonly clientId: string; readonly clientSecret: string }
) => {
  const request = async (config: {
    readonly url: string
    readonly method: string
    readonly headers: { readonly [name: string]: string }
    readonly data?: string
  }) => {
    const { pathname, search } = new URL(config.url)
    const path = pathname.replace(/^\/pg/, "") + search
    const { data, headers, method } = config
    const response = await fetch(`${url}${path}`, { method, headers, ...(data !== undefined && { body: data }) })
    return { status: response.status, data: await response.json() }
  }
  const analytics = false
  const axios = { request, defaults: {} } as unknown as ConstructorParameters<typeof Cashfree>[7]
  const sdk = new Cashfree(CFEnvironment.SANDBOX, clientId, clientSecret, "", "", "", analytics, axios)
  sdk.XApiVersion = "2025-01-01"
  return sdk
}

/** A fake for each, so that both find the same. */
const both = Effect.gen(function* () {
  const mine = yield* s2sFake.start({ mode: "test" })
  const theirs = yield* s2sFake.start({ mode: "test" })
  const options = { ...optionsOf(mine), s2s: true, preauthorization: true }
  const instance = yield* running(cashfree(options))
  return {
    mine,
    theirs,
    adapter: mine.network.requests,
    oracle: theirs.network.requests,
    options,
    instance,
    sdk: sdkAt(theirs.url, theirs.credentials)
  }
})

/** What both have to agree on. */
const essence = ({ body, headers, method, path }: SeenRequest) => ({
  method,
  path,
  body: body === "" ? null : JSON.parse(body),
  ...Object.fromEntries(
    ["x-api-version", "x-client-id", "x-client-secret", "x-idempotency-key"].map((name) => [
      name,
      headers[name] ?? null
    ])
  ),
  type: body === "" ? null : headers["content-type"]?.split(";")[0]
})

const expiry = ({ createdAt }: ProviderOperation) => new Date(createdAt + 20 * 60_000).toISOString()

describe("the SDK cashfree-pg 6.0.6", () => {
  it.live("sends the same as the adapter, for a page of the statement", () =>
    Effect.gen(function* () {
      const { adapter, instance, oracle, sdk } = yield* both
      const { statement } = instance
      if (statement === undefined) return assert.fail("it is declared")
      yield* statement({
        since: Date.parse("2026-11-01T00:00:00Z"),
        until: Date.parse("2026-11-02T00:00:00Z"),
        cursor: null
      })
      const filters = { start_date: "2026-11-01T00:00:00Z", end_date: "2026-11-02T00:00:00Z" }
      // Boundary: its description says null, and its type does not.
      const pagination = { limit: 100, cursor: null as never }
      yield* Effect.promise(() => sdk.PGFetchRecon({ pagination, filters }))
      assert.deepStrictEqual((yield* adapter).map(essence), (yield* oracle).map(essence))
    }).pipe(Effect.scoped)
  )

  for (const flow of ["intent", "qr"] as const) {
    it.live(`sends the same as the adapter, for a create (${flow}), its inquiry, a refund and its inquiry`, () =>
      Effect.gen(function* () {
        const { adapter, instance, mine, oracle, sdk, theirs } = yield* both
        const create = yield* createOperation({ method: { rail: "upi", flow, vpa: null } })
        yield* instance.create(create)
        yield* mine.payersAct
        yield* instance.inquire(create)
        const refund = yield* laterOperation("refund", create, { amount: rupees(1_005) })
        yield* instance.refund(refund)
        yield* instance.inquire(refund)

        yield* Effect.promise(async () => {
          const { data: order } = await sdk.PGCreateOrder(
            {
              order_id: create.id,
              order_amount: 170.5,
              order_currency: "INR",
              customer_details: {
                customer_id: create.id.replace("_", ""),
                customer_phone: "9812345678",
                customer_email: "asha@example.com",
                customer_name: "Asha Rao"
              },
              order_expiry_time: expiry(create),
              order_meta: { return_url: "https://pay.example/return/1001" },
              order_note: "Two tickets",
              order_tags: { paymux_capture: "automatic", order: "1001" }
            },
            undefined,
            create.key
          )
          const channel = flow === "qr" ? "qrcode" : "link"
          const session = String(order.payment_session_id)
          await sdk.PGPayOrder({ payment_session_id: session, payment_method: { upi: { channel } } })
          theirs.ledger.payersAct()
          await sdk.PGFetchOrder(create.id)
          await sdk.PGOrderFetchPayments(create.id)
          const refundId = refund.id.replace("_", "")
          await sdk.PGOrderCreateRefund(
            create.id,
            { refund_id: refundId, refund_amount: 10.05, refund_speed: "STANDARD", refund_note: "Returned" },
            undefined,
            refund.key
          )
          await sdk.PGOrderFetchRefund(create.id, refundId)
        })
        assert.lengthOf(yield* adapter, 6)
        assert.deepStrictEqual((yield* adapter).map(essence), (yield* oracle).map(essence))
        assert.isTrue((yield* oracle).every(({ status }) => status === 200))
      }).pipe(Effect.scoped)
    )
  }

  it.live("sends the same as the adapter, for a payment link, its inquiry and its cancel", () =>
    Effect.gen(function* () {
      const { adapter, instance, oracle, sdk } = yield* both
      const create = yield* createOperation({ method: byPage })
      const linkId = `link_${create.id}`
      yield* instance.create(create)
      yield* instance.inquire(create)
      yield* instance.cancel(yield* laterOperation("cancel", create, { original: { ...create, reference: linkId } }))

      yield* Effect.promise(async () => {
        const everyOrder = () => sdk.PGLinkFetchOrders(linkId, undefined, undefined, "ALL")
        const read = async () => {
          await sdk.PGFetchLink(linkId)
          await everyOrder()
        }
        await sdk.PGCreateLink(
          {
            link_id: linkId,
            link_amount: 170.5,
            link_currency: "INR",
            link_purpose: "Two tickets",
            customer_details: {
              customer_phone: "9812345678",
              customer_email: "asha@example.com",
              customer_name: "Asha Rao"
            },
            link_partial_payments: false,
            link_expiry_time: expiry(create),
            link_notify: { send_sms: false, send_email: false },
            link_auto_reminders: false,
            link_notes: { order: "1001" },
            link_meta: { payment_methods: "upi", return_url: "https://pay.example/return/1001" }
          },
          undefined,
          create.key
        )
        await read()
        await sdk.PGCancelLink(linkId)
        await read()
        await everyOrder()
      })
      assert.lengthOf(yield* adapter, 7)
      assert.deepStrictEqual((yield* adapter).map(essence), (yield* oracle).map(essence))
      assert.isTrue((yield* oracle).every(({ status }) => status === 200))
    }).pipe(Effect.scoped)
  )

  it.live("sends the same as the adapter, for a termination, a capture, a void and a simulation", () =>
    Effect.gen(function* () {
      const { adapter, instance, mine, options, oracle, sdk, theirs } = yield* both
      const prepared = Effect.fnUntraced(function* (change: Partial<ProviderOperation>) {
        const operation = yield* createOperation(change)
        yield* instance.create(operation)
        // The same at the other: not what is compared here.
        const other = yield* running(cashfree({ ...optionsOf(theirs), s2s: true, preauthorization: true }))
        yield* other.create(operation)
        return operation
      })
      const captured = yield* prepared({ captureMethod: "manual" })
      const voided = yield* prepared({ captureMethod: "manual" })
      yield* mine.payersAct
      yield* theirs.payersAct
      const closed = yield* prepared({})
      const simulated = yield* prepared({})
      const before = (yield* adapter).length
      assert.lengthOf(yield* oracle, before)

      const capture = yield* laterOperation("capture", captured)
      yield* instance.capture(capture)
      const cancelHold = yield* laterOperation("cancel", voided)
      yield* instance.cancel(cancelHold)
      yield* instance.cancel(yield* laterOperation("cancel", closed))
      const clientSecret = Redacted.make(options.clientSecret)
      const payment = yield* simulatePayment({ ...options, clientSecret, orderId: simulated.id, status: "SUCCESS" })

      yield* Effect.promise(async () => {
        const toCapture = { action: "CAPTURE", amount: 170.5 } as const
        await sdk.PGAuthorizeOrder(captured.id, toCapture, undefined, capture.key)
        await sdk.PGOrderFetchPayments(voided.id)
        await sdk.PGAuthorizeOrder(voided.id, { action: "VOID" }, undefined, cancelHold.key)
        await sdk.PGTerminateOrder(closed.id, { order_status: "TERMINATED" })
        await sdk.PGOrderFetchPayments(closed.id)
        await sdk.PGOrderFetchPayments(simulated.id)
        const outcome = { payment_status: "SUCCESS" } as const
        await sdk.PGSimulatePayment({ entity: "PAYMENTS", entity_id: payment, entity_simulation: outcome })
      })
      const asked = (yield* oracle).slice(before)
      assert.deepStrictEqual((yield* adapter).slice(before).map(essence), asked.map(essence))
      assert.lengthOf(asked, 7)
    }).pipe(Effect.scoped)
  )

  it.live("takes the signatures of the fake's webhooks, and refuses what the adapter refuses", () =>
    Effect.gen(function* () {
      const { instance, mine, sdk } = yield* both
      yield* instance.create(yield* createOperation())
      yield* mine.payersAct
      const { webhooks } = mine
      if (webhooks === null) return assert.fail("Cashfree sends webhooks")
      const { body, headers } = yield* webhooks.deliver(yield* webhooks.events)
      const signature = headers["x-webhook-signature"] ?? ""
      const time = headers["x-webhook-timestamp"] ?? ""
      const text = Buffer.from(body).toString("utf8")
      // Two decimals, as the vendor writes them: a body that was parsed and written again has another signature.
      assert.include(text, '"payment_amount":170.50')
      assert.strictEqual(sdk.PGVerifyWebhookSignature(signature, text, time).type, "PAYMENT_SUCCESS_WEBHOOK")
      const received = yield* instance.webhook(body, headers, yield* Clock.currentTimeMillis)
      assert.deepStrictEqual(
        received.map(({ outcome: { reference: _reference, ...outcome } }) => outcome),
        [{ _tag: "Captured", amount: rupees(17_050) }]
      )

      const rewritten = JSON.stringify(JSON.parse(text))
      assert.throws(() => sdk.PGVerifyWebhookSignature(signature, rewritten, time))
      const refused = yield* Effect.flip(
        instance.webhook(new TextEncoder().encode(rewritten), headers, yield* Clock.currentTimeMillis)
      )
      assert.isTrue(isWebhookRefused(refused))
    }).pipe(Effect.scoped)
  )

  it.live("signs as the adapter wants it, for an event that the fake had no part in", () =>
    Effect.gen(function* () {
      const { instance, sdk } = yield* both
      const text =
        '{"data":{"test_object":{"test_key":"test_value"}},"type":"WEBHOOK","event_time":"2026-01-02T03:04:05Z"}'
      const time = String(yield* Clock.currentTimeMillis)
      const secret = sdk.XClientSecret ?? ""
      const signature = createHmac("sha256", secret)
        .update(time + text)
        .digest("base64")
      assert.doesNotThrow(() => sdk.PGVerifyWebhookSignature(signature, text, time))
      const headers = { "x-webhook-signature": signature, "x-webhook-timestamp": time }
      assert.deepStrictEqual(yield* instance.webhook(new TextEncoder().encode(text), headers, Number(time)), [])
    }).pipe(Effect.scoped)
  )
})
