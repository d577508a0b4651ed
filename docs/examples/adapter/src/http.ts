/**
 * Northbank over Node's `fetch`: a request is sent once, and ends in an answer or in `Ended`.
 *
 * `ProviderHttp` of the provider kit does all of this, and more; here it is done by hand, as far as `fetch` lets it be:
 * - Redirects are not followed: behind one, a connection that is refused would be taken for a request that was not sent.
 * - A handshake that breaks in the middle, and a kept-alive connection that was closed, look like any other reset: unknown.
 * - A 421 is sent again by `fetch` itself; by HTTP it says that nothing was processed.
 */
import { Outcome } from "@paymux/core"
import { Data, Redacted } from "effect"

/** Ends a call of the adapter from within: `settled` makes an answer of it. */
export class Ended extends Data.TaggedError("Ended")<{
  readonly outcome: Outcome.Declined | Outcome.NotExecuted | Outcome.Unknown
}> {}

export interface Answer {
  readonly status: number
  /** `undefined`: it is no JSON. */
  readonly json: unknown
}

export type Send = (
  method: "GET" | "POST",
  path: string,
  form?: { readonly [name: string]: string | null }
) => Promise<Answer>

/** What the requests of one call are sent with. */
export const makeHttp = (options: {
  readonly baseUrl: string
  readonly keyId: string
  readonly secret: Redacted.Redacted
}): ((signal: AbortSignal) => Send) => {
  const authorization = () =>
    `Basic ${Buffer.from(`${options.keyId}:${Redacted.value(options.secret)}`).toString("base64")}`

  return (signal) => {
    let sentBefore = false
    return async (method, path, form) => {
      const isFirst = !sentBefore
      sentBefore = true
      try {
        const response = await fetch(`${options.baseUrl}${path}`, {
          method,
          headers: { authorization: authorization() },
          ...(form && { body: formOf(form) }),
          redirect: "manual",
          signal
        })
        return { status: response.status, json: readJson(await readText(response)) }
      } catch (error) {
        // The error is not kept: it may hold what was sent. That a later request was not sent says nothing of the first.
        throw new Ended({
          outcome:
            isFirst && wasNotSent(error)
              ? Outcome.notExecuted({ reason: "not_sent" })
              : Outcome.unknown({ reason: "reset" })
        })
      }
    }
  }
}

/** Whether it is proven that no byte of the request was written. What is not listed may have happened at any time. */
const wasNotSent = (error: unknown): boolean => {
  const cause = error instanceof TypeError ? error.cause : undefined
  // Each address of the host was tried; where none is named, nothing is proven.
  if (cause instanceof AggregateError) return cause.errors.length > 0 && cause.errors.every(cameBeforeSending)
  return cameBeforeSending(cause)
}

const cameBeforeSending = (error: unknown): boolean => {
  if (!(error instanceof Error)) return false
  const syscall = "syscall" in error ? error.syscall : undefined
  const code = "code" in error ? error.code : undefined
  return syscall === "getaddrinfo" || syscall === "connect" || beforeSending.has(code)
}

/** From Node's documentation: "X509 certificate error codes", and `fetch`'s own limit for a connection. */
const beforeSending: ReadonlySet<unknown> = new Set([
  "CERT_CHAIN_TOO_LONG",
  "CERT_HAS_EXPIRED",
  "CERT_NOT_YET_VALID",
  "CERT_REJECTED",
  "CERT_REVOKED",
  "CERT_SIGNATURE_FAILURE",
  "CERT_UNTRUSTED",
  "DEPTH_ZERO_SELF_SIGNED_CERT",
  "ERR_TLS_CERT_ALTNAME_INVALID",
  "HOSTNAME_MISMATCH",
  "INVALID_CA",
  "INVALID_PURPOSE",
  "SELF_SIGNED_CERT_IN_CHAIN",
  "UNABLE_TO_GET_ISSUER_CERT",
  "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
  "UND_ERR_CONNECT_TIMEOUT"
])

const formOf = (form: { readonly [name: string]: string | null }): URLSearchParams => {
  const given = new URLSearchParams()
  for (const [name, value] of Object.entries(form)) if (value !== null) given.set(name, value)
  return given
}

/** Leaving the loop early closes the connection. */
const readText = async (response: Response): Promise<string> => {
  const decoder = new TextDecoder("utf-8", { fatal: true })
  let text = ""
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk, { stream: true })
    if (text.length > longestAnswer) throw new Error("too long")
  }
  return text + decoder.decode()
}

const longestAnswer = 1_048_576

const readJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
