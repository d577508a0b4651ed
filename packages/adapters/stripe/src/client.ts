/**
 * Stripe's API, a function for each endpoint in use. It sends once: the engine decides what is sent again. Every POST that
 * belongs to an operation carries its key, so a repeat is answered with the first answer, for at least 24 hours.
 */
import type { ProviderOperation } from "@paymux/core"
import { type FormEncoding, ProviderHttp, RequestHeaders } from "@paymux/provider-kit"
import { Effect, type Redacted } from "effect"

/** What the official SDK 23.1.0 sends. */
const apiVersion = "2026-10-28.endive"

/** Stripe's reason for a PaymentIntent that is closed because the payer may not, or cannot, continue. */
export const closedByUs = "abandoned"

/** When objects were made, in s UTC, both inclusive. */
export interface Created {
  readonly [bound: string]: number
  readonly gte: number
  readonly lte: number
}

export type Client = Effect.Success<ReturnType<typeof makeClient>>

export const makeClient = Effect.fnUntraced(function* (options: {
  readonly secretKey: Redacted.Redacted
  readonly baseUrl?: string
}) {
  // A base URL that cannot be used is a fault of the configuration: the engine does not start.
  const http = yield* Effect.orDie(
    ProviderHttp.make({
      baseUrl: options.baseUrl ?? "https://api.stripe.com",
      headers: { ...RequestHeaders.bearer(options.secretKey), "stripe-version": apiVersion },
      timeout: "20 seconds"
    })
  )

  // Together with a close it ends before the engine's ten seconds for an inquiry.
  const get = (path: ReadonlyArray<string>, query: FormEncoding.Form = {}) =>
    http.request({ method: "GET", path: ["v1", ...path], query, timeout: "6 seconds" })

  const post = ({ key }: Pick<ProviderOperation, "key">, path: ReadonlyArray<string>, form: FormEncoding.Form) =>
    http.request({ method: "POST", path: ["v1", ...path], headers: { "idempotency-key": key }, body: { form } })

  return {
    createIntent: (operation: ProviderOperation, form: FormEncoding.Form) => post(operation, ["payment_intents"], form),
    intent: (id: string) => get(["payment_intents", id]),
    /** Newest first, 100 at most, as every list here. */
    intentsOf: (created: Created, after: string | undefined) =>
      get(["payment_intents"], { created, limit: 100, starting_after: after }),
    captureIntent: (operation: ProviderOperation, id: string, form: FormEncoding.Form) =>
      post(operation, ["payment_intents", id, "capture"], form),
    cancelIntent: (operation: ProviderOperation, id: string) => post(operation, ["payment_intents", id, "cancel"], {}),
    /** Without a key: a saved refusal must not answer the next try, and twice is once. */
    closeIntent: (id: string) =>
      http.request({
        method: "POST",
        path: ["v1", "payment_intents", id, "cancel"],
        body: { form: { cancellation_reason: closedByUs } },
        timeout: "3 seconds"
      }),
    createSession: (operation: ProviderOperation, form: FormEncoding.Form) =>
      post(operation, ["checkout", "sessions"], form),
    /** With its PaymentIntent, which is missing until the shopper has tried to pay. */
    session: (id: string) => get(["checkout", "sessions", id], { expand: ["payment_intent"] }),
    sessionsOf: (created: Created, after: string | undefined) =>
      get(["checkout", "sessions"], { created, limit: 100, starting_after: after }),
    expireSession: (operation: ProviderOperation, id: string) =>
      post(operation, ["checkout", "sessions", id, "expire"], {}),
    createRefund: (operation: ProviderOperation, form: FormEncoding.Form) => post(operation, ["refunds"], form),
    refund: (id: string) => get(["refunds", id]),
    /** Newest first, 100 at most. */
    refundsOf: (intent: string, after: string | undefined) =>
      get(["refunds"], { payment_intent: intent, limit: 100, starting_after: after }),
    /** Newest first, each with its source. Times in s UTC. */
    balanceTransactions: (
      created: { readonly gte: number; readonly lt: number },
      after: string | undefined,
      limit: number
    ) =>
      http.request({
        method: "GET",
        path: ["v1", "balance_transactions"],
        query: { created, expand: ["data.source"], limit, starting_after: after }
      })
  }
})
