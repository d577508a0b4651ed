import { PaymuxWebhookError } from "./PaymuxError.ts"
import { webCrypto } from "./webCrypto.ts"

/** Base64 of HMAC-SHA256 over `<id>.<timestamp>.<body>`. `secret`: `whsec_` and base64 of 24 to 64 bytes. */
export const signatureOf = async (secret: string, id: string, timestamp: string, body: Uint8Array): Promise<string> => {
  const { subtle } = webCrypto()
  const key = await subtle.importKey("raw", keyOf(secret), { name: "HMAC", hash: "SHA-256" }, false, ["sign"])
  const head = new TextEncoder().encode(`${id}.${timestamp}.`)
  const signed = new Uint8Array(head.length + body.length)
  signed.set(head)
  signed.set(body, head.length)
  return btoa(String.fromCharCode(...new Uint8Array(await subtle.sign("HMAC", key, signed))))
}

/** The base64 must be the canonical one, as the server has it; its padding may be missing. */
const keyOf = (secret: string): Uint8Array<ArrayBuffer> => {
  const text = /^whsec_([A-Za-z0-9+/]{32,86})={0,2}$/.exec(secret)?.[1]
  // One character alone after groups of four is no byte, and no base64.
  const binary = text === undefined || text.length % 4 === 1 ? "" : atob(text)
  if (binary === "" || btoa(binary).replace(/=+$/, "") !== text) {
    throw new PaymuxWebhookError({
      code: "webhook_secret_invalid",
      message: "A webhook secret is whsec_ followed by base64 of 24 to 64 bytes."
    })
  }
  return Uint8Array.from(binary, (character) => character.charCodeAt(0))
}
