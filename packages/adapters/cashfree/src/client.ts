/**
 * Cashfree's API, a function for each endpoint. It sends once: the engine decides what is sent again.
 *
 * Requests per minute that Cashfree documents for an account: orders 200, order 400, payments 100, sessions 100 (by IP
 * address), refunds 100, refund 30. It answers 429 beyond them, and the engine waits as long as that says. For links it publishes
 * no number.
 */
import type { ProviderOperation } from "@paymux/core"
import { ProviderHttp } from "@paymux/provider-kit"
import { Effect, Redacted } from "effect"
import { baseUrlOf, type CashfreeOptions } from "./options.ts"

const apiVersion = "2025-01-01"

export type Client = Effect.Success<ReturnType<typeof makeClient>>

export const makeClient = Effect.fnUntraced(function* (
  options: Pick<CashfreeOptions, "environment" | "baseUrl" | "clientId" | "clientSecret">
) {
  // A base URL that cannot be used is a fault of the configuration: the engine does not start.
  const http = yield* Effect.orDie(
    ProviderHttp.make({
      baseUrl: baseUrlOf(options),
      headers: { "x-api-version": apiVersion },
      timeout: "15 seconds"
    })
  )
  const credentials = { "x-client-id": options.clientId, "x-client-secret": options.clientSecret }

  const get = (...path: ReadonlyArray<string>) =>
    http.request({ method: "GET", path, headers: credentials, timeout: "10 seconds" })

  /** Keys are known of POST requests with credentials, and of no others. */
  const post = ({ key }: Pick<ProviderOperation, "key">, path: ReadonlyArray<string>, json: object) =>
    http.request({
      method: "POST",
      path,
      headers: { ...credentials, "x-idempotency-key": key },
      body: { json }
    })

  return {
    createOrder: (operation: ProviderOperation, json: object) => post(operation, ["orders"], json),
    order: (orderId: string) => get("orders", orderId),
    payments: (orderId: string) => get("orders", orderId, "payments"),
    createLink: (operation: ProviderOperation, json: object) => post(operation, ["links"], json),
    link: (linkId: string) => get("links", linkId),
    /** Also those that were not paid: it lists paid ones by default. */
    linkOrders: (linkId: string) =>
      http.request({
        method: "GET",
        path: ["links", linkId, "orders"],
        query: { status: "ALL" },
        headers: credentials,
        timeout: "10 seconds"
      }),
    cancelLink: (linkId: string) =>
      http.request({ method: "POST", path: ["links", linkId, "cancel"], headers: credentials }),
    /** The session's id is all the authority it needs. */
    openSession: (session: Redacted.Redacted, paymentMethod: object) =>
      http.request({
        method: "POST",
        path: "/orders/sessions",
        body: { json: { payment_session_id: Redacted.value(session), payment_method: paymentMethod } }
      }),
    terminate: (orderId: string) =>
      http.request({
        method: "PATCH",
        path: ["orders", orderId],
        headers: credentials,
        body: { json: { order_status: "TERMINATED" } }
      }),
    authorize: (operation: ProviderOperation, orderId: string, json: object) =>
      post(operation, ["orders", orderId, "authorization"], json),
    createRefund: (operation: ProviderOperation, orderId: string, json: object) =>
      post(operation, ["orders", orderId, "refunds"], json),
    refund: (orderId: string, refundId: string) => get("orders", orderId, "refunds", refundId),
    /** It only reads, and has no key: a repeated key would return the first page again. */
    recon: (json: object) => http.request({ method: "POST", path: "/recon", headers: credentials, body: { json } }),
    /** Sandbox only. */
    simulate: (json: object) =>
      http.request({ method: "POST", path: "/simulate", headers: credentials, body: { json } })
  }
})
