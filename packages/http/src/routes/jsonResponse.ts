import { HttpServerResponse } from "effect/http"

export interface JsonResponseOptions {
  readonly status?: number
  readonly headers?: { readonly [name: string]: string }
}

/** A response of serialized JSON. */
export const jsonResponse = (body: string, options: JsonResponseOptions = {}): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.text(body, { ...options, contentType: "application/json" })
