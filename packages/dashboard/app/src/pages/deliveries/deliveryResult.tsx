/** What a receiver answered, in words. */
import { Code } from "../../ui/Copy.tsx"

export interface DeliveryResult {
  readonly status: number | null
  readonly error: string | null
}

/** The codes that a person should not have to look up. */
const sentences: { readonly [code: string]: string } = {
  timeout: "No response within 15 seconds",
  redirect_not_followed: "A redirect, which is not followed",
  ADDRESS_NOT_ALLOWED: "The host resolves to an address that is not public",
  URL_NOT_ALLOWED: "The URL is not allowed",
  ENOTFOUND: "The host does not exist",
  ECONNREFUSED: "The host refused the connection",
  ECONNRESET: "The connection was cut",
  CERT_HAS_EXPIRED: "The certificate has expired",
  endpoint_inactive: "The endpoint is disabled",
  not_sendable: "The signing secret cannot be read with the secret of this server",
  listener_failed: "The listener of the program failed"
}

/** `503`, `The host refused the connection (ECONNREFUSED)`; `null`: there was no attempt yet. */
export const resultText = ({ error, status }: DeliveryResult): string | null => {
  const sentence = error === null ? undefined : sentences[error]
  return joined(status, sentence === undefined ? error : `${sentence} (${error})`)
}

/** The same for a cell of a table: without the code of what has a sentence. */
export const shortResult = ({ error, status }: DeliveryResult): string | null =>
  joined(status, error === null ? null : (sentences[error] ?? error))

const joined = (status: number | null, cause: string | null): string | null => {
  const parts = [...(status === null ? [] : [String(status)]), ...(cause === null ? [] : [cause])]
  return parts.length === 0 ? null : parts.join(" · ")
}

/** The beginning of the body, as text. */
export const Answer = ({ text }: { readonly text: string | null }) =>
  text === null || text === "" ? (
    <p className="text-sm text-muted">The response had no body.</p>
  ) : (
    <Code text={text} label="Copy the response" />
  )
