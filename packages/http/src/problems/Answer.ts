/** A response as plain data, for any server. */
import { HttpServerResponse } from "effect/http"

export interface Answer {
  readonly status: number
  /** The headers, with names in lower case. */
  readonly headers: { readonly [name: string]: string }
  readonly body: string
}

export const toResponse = ({ body, headers, status }: Answer) => HttpServerResponse.text(body, { status, headers })
