/**
 * Adyen's own SDK as an oracle: given the same content, it sends the same request as the adapter, and each accepts the
 * webhooks that the other does. It speaks TLS only, so its HTTP client is replaced by one that speaks to the fake.
 */
import { CheckoutAPI, Client, EnvironmentEnum, hmacValidator as HmacValidator } from "@adyen/api-library"
import { assert, describe, it } from "@effect/vitest"
import type { SeenRequest } from "@paymux/testkit"
import { Effect } from "effect"
import { resultOf } from "../src/testing/fake.ts"
import { begin, card, known, later, operation, stored } from "./operations.ts"
import { type Item, signedBody, signedItem } from "../src/testing/signed.ts"

describe("the official SDK", () => {
  it.live("sends the same requests", () =>
    Effect.gen(function* () {
      const { cancel, capture, complete, create, network, refund, vendor } = yield* begin
      const paid = operation()
      const { reference = "" } = yield* create(paid)
      yield* refund(later("refund", paid, reference, { amount: { ...paid.amount, minorUnits: 345 } }))
      yield* refund(later("refund", paid, reference))
      const held = operation({ captureMethod: "manual", method: card(stored) })
      const authorized = (yield* create(held)).reference ?? ""
      yield* capture(later("capture", held, authorized))
      yield* cancel(later("cancel", held, authorized))
      yield* cancel(later("cancel", held, held.id))
      yield* vendor.decide("wait")
      const redirected = operation(known)
      yield* create(redirected)
      const waiting = (yield* vendor.payments).at(-1)
      yield* complete(redirected, { redirectResult: waiting === undefined ? "" : resultOf(waiting) })
      const shown = operation({ ...known, method: card(null) })
      const link = (yield* create(shown)).reference ?? ""
      yield* complete({ ...shown, reference: link }, {})
      yield* cancel(later("cancel", shown, link))

      const ours = yield* network.requests
      assert.lengthOf(ours, 12)
      const sdk = sdkAt(vendor.url, vendor.credentials)
      for (const request of ours) yield* Effect.ignore(Effect.tryPromise(callOf(sdk, request)))
      const theirs = (yield* network.requests).slice(ours.length)
      assert.deepStrictEqual(theirs.map(compared), ours.map(compared))
    }).pipe(Effect.scoped)
  )

  it.live("accepts and refuses the same items", () =>
    Effect.gen(function* () {
      const { vendor, webhook } = yield* begin
      const { hmacKey } = vendor.credentials
      const validator = new HmacValidator()
      const good = signedItem(authorisation, vendor.credentials)
      const tries: ReadonlyArray<typeof good> = [
        good,
        signedItem({ ...authorisation, originalReference: "8515131751004933" }, vendor.credentials),
        signedItem({ ...authorisation, merchantReference: "ଓଡ଼ିଆ" }, vendor.credentials),
        signedItem(authorisation, { ...vendor.credentials, hmacKey: "00".repeat(32) }),
        { ...good, success: "false" },
        { ...good, amount: { ...good.amount, value: 1 } },
        { ...good, pspReference: "7914073381342285" },
        { ...good, merchantReference: `${good.merchantReference}-hold` },
        { ...good, originalReference: "8515131751004933" },
        { ...good, reason: "another", eventDate: "2020-01-01T00:00:00Z" }
      ]
      for (const item of tries) {
        const body = new TextEncoder().encode(
          JSON.stringify({ live: "false", notificationItems: [{ NotificationRequestItem: item }] })
        )
        const received = yield* Effect.option(webhook(body, {}))
        // Boundary: the SDK's classes, made of JSON.
        assert.strictEqual(
          received._tag === "Some",
          validator.validateHMAC(item as never, hmacKey),
          JSON.stringify(item)
        )
      }
    }).pipe(Effect.scoped)
  )

  it.live("signs what the adapter accepts", () =>
    Effect.gen(function* () {
      const { vendor, webhook } = yield* begin
      const { hmacKey, merchantAccount } = vendor.credentials
      const unsigned = { ...signedItem(authorisation, { hmacKey: "00", merchantAccount }), additionalData: {} }
      const hmacSignature = new HmacValidator().calculateHmac(unsigned as never, hmacKey)
      const theirs = { ...unsigned, additionalData: { hmacSignature } }
      const body = JSON.stringify({ live: "false", notificationItems: [{ NotificationRequestItem: theirs }] })
      assert.lengthOf(yield* webhook(new TextEncoder().encode(body), {}), 1)
      const ours = JSON.parse(Buffer.from(signedBody([authorisation], vendor.credentials).body).toString())
      assert.strictEqual(ours.notificationItems[0].NotificationRequestItem.additionalData.hmacSignature, hmacSignature)
    }).pipe(Effect.scoped)
  )
})

const authorisation: Item = {
  eventCode: "AUTHORISATION",
  pspReference: "7914073381342284",
  merchantReference: `op_${"0".repeat(26)}`,
  amount: { value: 1130, currency: "EUR" }
}

const sdkAt = (url: string, { apiKey }: { readonly apiKey: string }) => {
  const client = new Client({ apiKey, environment: EnvironmentEnum.TEST })
  client.httpClient = {
    request: async (endpoint, json, config, _isApiKeyRequired, options) => {
      const answer = await fetch(endpoint.replace("https://checkout-test.adyen.com/v72", url), {
        method: options?.method ?? "POST",
        headers: {
          "x-api-key": config.apiKey ?? "",
          ...(options?.idempotencyKey !== undefined && { "idempotency-key": options.idempotencyKey })
        },
        ...(typeof json === "string" && json !== "" && { body: json })
      })
      return answer.text()
    }
  }
  return new CheckoutAPI(client)
}

/** The call of the SDK that a request of the adapter's is, with the same content. */
const callOf = (
  { ModificationsApi: modifications, PaymentLinksApi: links, PaymentsApi: payments }: CheckoutAPI,
  { body, headers, method, path }: SeenRequest
): (() => Promise<unknown>) => {
  const [, collection = "", id = "", part = ""] = path.split("/")
  // Boundary: what the adapter sent, given to the SDK as it is; its times are dates there.
  const sent = body === "" ? {} : JSON.parse(body)
  const json = (typeof sent.expiresAt === "string" ? { ...sent, expiresAt: new Date(sent.expiresAt) } : sent) as never
  const options = { idempotencyKey: headers["idempotency-key"] ?? "" }
  switch (`${method} ${collection} ${id === "details" ? "details" : part}`.trim()) {
    case "POST payments":
      return () => payments.payments(json, options)
    case "POST payments details":
      return () => payments.paymentsDetails(json, options)
    case "POST paymentLinks":
      return () => links.paymentLinks(json, options)
    case "GET paymentLinks":
      return () => links.getPaymentLink(id)
    case "PATCH paymentLinks":
      return () => links.updatePaymentLink(id, json)
    case "POST payments captures":
      return () => modifications.captureAuthorisedPayment(id, json, options)
    case "POST payments cancels":
      return () => modifications.cancelAuthorisedPaymentByPspReference(id, json, options)
    case "POST payments refunds":
      return () => modifications.refundCapturedPayment(id, json, options)
    case "POST payments reversals":
      return () => modifications.refundOrCancelPayment(id, json, options)
    case "POST cancels":
      return () => modifications.cancelAuthorisedPayment(json, options)
    default:
      throw new Error(`no call of the SDK is known for ${method} ${path}`)
  }
}

const compared = ({ body, headers, method, path }: SeenRequest) => ({
  method,
  path,
  apiKey: headers["x-api-key"],
  key: headers["idempotency-key"],
  body: body === "" ? null : (JSON.parse(body) as unknown)
})
