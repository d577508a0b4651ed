/**
 * Coinbase's API, a function for each endpoint in use. It sends once: the engine decides what is sent again. Each request
 * has a token of its own; what takes, holds or gives back money has the operation's key, a UUID v4 as Coinbase wants it.
 */
import type { ProviderOperation } from "@paymux/core"
import { ProviderHttp, RequestHeaders } from "@paymux/provider-kit"
import { Effect } from "effect"
import { tokenFor } from "./key.ts"
import { baseUrlOf, type CoinbaseOptions, credentialsOf } from "./options.ts"

/** As the paths of a session's actions are called. */
export type ActionList = "captures" | "voids" | "refunds"

/** Bytes: of a hundred sessions, each with its metadata and lists of actions. */
const largestPage = 32 * 1024 * 1024

export type Client = Effect.Success<ReturnType<typeof makeClient>>

export const makeClient = Effect.fnUntraced(function* (options: CoinbaseOptions) {
  const baseUrl = baseUrlOf(options)
  // A base URL that cannot be used is a fault of the configuration: the engine does not start.
  const http = yield* Effect.orDie(ProviderHttp.make({ baseUrl, timeout: "5 seconds", maxBodyBytes: largestPage }))
  const credentials = credentialsOf(options)
  const { host, pathname } = new URL(baseUrl)

  const send = Effect.fnUntraced(function* (request: ProviderHttp.Request & { readonly path: ReadonlyArray<string> }) {
    const { headers, method, path } = request
    const onWire = `${pathname.replace(/\/$/, "")}/${path.map(encodeURIComponent).join("/")}`
    const token = yield* tokenFor(credentials, { method, host, path: onWire })
    return yield* http.request({ ...request, headers: { ...headers, ...RequestHeaders.bearer(token) } })
  })

  const get = (path: ReadonlyArray<string>, query: ProviderHttp.Request["query"] = {}) =>
    send({ method: "GET", path: ["v2", "payment-sessions", ...path], query, timeout: "4 seconds" })

  const post = ({ key }: Pick<ProviderOperation, "key">, path: ReadonlyArray<string>, json: object) =>
    send({
      method: "POST",
      path: ["v2", "payment-sessions", ...path],
      headers: { "x-idempotency-key": key },
      body: { json }
    })

  /** Without a key: a refusal that was kept must not answer the next try, and twice is once. */
  const close = (path: ReadonlyArray<string>, json: object) =>
    send({ method: "POST", path: ["v2", "payment-sessions", ...path], body: { json }, timeout: "4 seconds" })

  return {
    createSession: (operation: ProviderOperation, json: object) => post(operation, [], json),
    session: (id: string) => get([id]),
    /** The order is not published. */
    sessions: (pageToken: string | null) => get([], { pageSize: "100", ...(pageToken !== null && { pageToken }) }),
    list: (id: string, of: "authorizations" | ActionList) => get([id, of], { pageSize: "100" }),
    action: (id: string, of: ActionList, actionId: string) => get([id, of, actionId]),
    act: (operation: ProviderOperation, id: string, of: ActionList, json: object) => post(operation, [id, of], json),
    cancelSession: (id: string) => close([id, "cancel"], { cancellationReason: "The payment was given up." }),
    /** Lets go of what can be captured no more. */
    release: (id: string) => close([id, "voids"], {})
  }
})
