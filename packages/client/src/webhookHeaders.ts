import { PaymuxWebhookError } from "./PaymuxError.ts"

/** `Headers`, or the headers of a Node request: an object, with names in any case. */
export type WebhookHeaders = WebHeaders | { readonly [name: string]: string | ReadonlyArray<string> | undefined }

interface WebHeaders {
  get(name: string): string | null
}

export type SignedHeaders = {
  readonly "webhook-id": string
  /** Whole seconds since 1970. */
  readonly "webhook-timestamp": string
  /** With a space between them. */
  readonly "webhook-signature": string
}

/** The three headers, each once. */
export const headersOf = (headers: WebhookHeaders): SignedHeaders => {
  const read = reader(headers)
  const id = read("webhook-id")
  const timestamp = read("webhook-timestamp")
  const signature = read("webhook-signature")
  if (!/^[\u0021-\u007e]{1,256}$/.test(id) || !/^\d{1,12}$/.test(timestamp) || signature === "") {
    throw new PaymuxWebhookError({
      code: "webhook_headers_invalid",
      message: "webhook-id, webhook-timestamp and webhook-signature must stand once each."
    })
  }
  return { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": signature }
}

const reader = (headers: WebhookHeaders): ((name: string) => string) => {
  if (isOfTheWeb(headers)) return (name) => headers.get(name) ?? ""
  return (name) => {
    const values = Object.entries(headers).flatMap(([key, value]) => (key.toLowerCase() === name ? [value].flat() : []))
    const [value] = values
    return values.length === 1 && typeof value === "string" ? value : ""
  }
}

const isOfTheWeb = (headers: WebhookHeaders): headers is WebHeaders => typeof headers.get === "function"
