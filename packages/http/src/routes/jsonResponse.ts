import { HttpServerResponse } from "effect/http"

/** A response with serialized JSON as its body. */
export const jsonResponse = (body: string, options: HttpServerResponse.Options = {}) =>
  HttpServerResponse.text(body, { ...options, contentType: "application/json" })
