import { HttpServerResponse } from "effect/http"

export interface JsonResponseOptions {
  readonly status?: number
  readonly headers?: { readonly [name: string]: string }
}

/** Bytes of our own JSON, as they are. */
export const jsonResponse = (body: string, options: JsonResponseOptions = {}): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.text(body, { ...options, contentType: "application/json" })

/** Of an answer that was given before, under the same idempotency key. */
export const replayHeaders = (replayed: boolean): { readonly [name: string]: string } =>
  replayed ? { "idempotent-replayed": "true" } : {}
