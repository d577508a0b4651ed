/** What Stripe posts, in bytes that no parser gives back as they were. */
import { createHmac } from "node:crypto"
import { stripeAccount } from "./Host.ts"
import type { Running } from "./Host.ts"

/**
 * A byte order mark, members in an odd order with odd white space, a number and a text that are written in another way
 * than usual, letters of several scripts, a byte that is no UTF-8, and line breaks at the end.
 */
export const oddBody = (): Uint8Array<ArrayBuffer> => {
  const intent = `{"status":"succeeded","id" : "pi_7","amount":500,"amount_received":5e2,"currency":"jpy",
    "created":1795000000,"metadata":{ "paymux_flow":"token","paymux_operation":"op_0123456789abcdefghjkmnpqrs" },
    "object":"payment_intent" }`
  const before = `\uFEFF{ "type":"payment_intent.succeeded",\r\n\t"livemode" :false, "note": "\u20b9 \\u20b9 caf\u00e9 cafe\u0301 \u{1FAD6} \\/ `
  const after = `", "created":1795000000.0,"data" : {"object":${intent}},\n\n"object":"event", "id":"evt\\u005f7" }\r\n \n`
  return new Uint8Array([...Buffer.from(before), 0xff, ...Buffer.from(after)])
}

/** As `body`, with one more blank in it. */
export const tampered = (body: Uint8Array): Uint8Array<ArrayBuffer> => {
  const at = body.indexOf(":".charCodeAt(0)) + 1
  return new Uint8Array([...body.subarray(0, at), " ".charCodeAt(0), ...body.subarray(at)])
}

export interface Posted {
  readonly body: Uint8Array<ArrayBuffer>
  /** The bytes that the signature is over. */
  readonly signed: Uint8Array
  readonly contentType: string
  /** As a stream, without a Content-Length. */
  readonly chunked: boolean
}

export const post = (
  { url }: Pick<Running, "url">,
  { body, chunked, contentType, signed }: Posted
): Promise<Response> => {
  const at = Math.floor(Date.now() / 1000)
  const hmac = createHmac("sha256", stripeAccount.webhookSecret).update(`${at}.`).update(signed).digest("hex")
  return fetch(`${url}/webhooks/stripe`, {
    method: "POST",
    headers: { "content-type": contentType, "stripe-signature": `t=${at},v1=${hmac}` },
    ...(chunked ? { body: new Blob([body]).stream(), duplex: "half" } : { body })
  })
}

/** Signed, and as a provider's: JSON with a Content-Length. */
export const postSigned = (host: Pick<Running, "url">): Promise<Response> => {
  const body = oddBody()
  return post(host, { body, signed: body, contentType: "application/json; charset=utf-8", chunked: false })
}
