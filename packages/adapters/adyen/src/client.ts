/** Adyen's Checkout API v72, a function for each endpoint. It sends once: the engine decides what is sent again. */
import { ProviderHttp } from "@paymux/provider-kit"
import { Effect } from "effect"
import { type AdyenOptions, baseUrlOf } from "./options.ts"

export type Client = Effect.Success<ReturnType<typeof makeClient>>

export const makeClient = Effect.fnUntraced(function* (
  options: Pick<AdyenOptions, "apiKey" | "baseUrl" | "environment" | "liveUrlPrefix">
) {
  // A base URL that cannot be used is a fault of the configuration: the engine does not start.
  const http = yield* Effect.orDie(
    ProviderHttp.make({
      baseUrl: baseUrlOf(options),
      headers: { "x-api-key": options.apiKey },
      // Less than the engine's 20 seconds, so that the outcome of the request is reported and not cut off.
      timeout: "18 seconds"
    })
  )

  /** Keys are known of POST requests only. */
  const post = (key: string, path: ReadonlyArray<string>, json: object) =>
    http.request({ method: "POST", path, headers: { "idempotency-key": key }, body: { json } })

  return {
    pay: (key: string, json: object) => post(key, ["payments"], json),
    details: (key: string, json: object) => post(key, ["payments", "details"], json),
    createLink: (key: string, json: object) => post(key, ["paymentLinks"], json),
    link: (id: string) => http.request({ method: "GET", path: ["paymentLinks", id], timeout: "10 seconds" }),
    expireLink: (id: string) =>
      http.request({ method: "PATCH", path: ["paymentLinks", id], body: { json: { status: "expired" } } }),
    modify: (key: string, payment: string, what: "captures" | "cancels" | "refunds" | "reversals", json: object) =>
      post(key, ["payments", payment, what], json),
    cancelByReference: (key: string, json: object) => post(key, ["cancels"], json)
  }
})
