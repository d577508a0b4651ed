import { HttpServerResponse } from "effect/http"

/** A response of serialized JSON. */
export const jsonResponse = (body: string, options: HttpServerResponse.Options = {}) =>
  HttpServerResponse.text(body, { ...options, contentType: "application/json" })
