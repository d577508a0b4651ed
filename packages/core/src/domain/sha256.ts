import { Context, Effect } from "effect"

/** Computes the SHA-256 of bytes, or of text in UTF-8, as lower-case hexadecimal digits. */
type Digest = (content: string | Uint8Array) => Effect.Effect<string>

const encoder = new TextEncoder()

const webCrypto: Digest = (content) =>
  Effect.map(
    Effect.promise(() =>
      // Digests a copy, because the caller's bytes may be a view of a shared buffer.
      globalThis.crypto.subtle.digest(
        "SHA-256",
        typeof content === "string" ? encoder.encode(content) : content.slice()
      )
    ),
    (digest) => Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("")
  )

/**
 * The function with which the engine computes digests, by default Web Crypto. A host may provide a faster
 * implementation: on Node.js, `hash` of `node:crypto` takes a twentieth of the CPU time for a request body.
 */
export const Sha256: Context.Reference<Digest> = Context.Reference("@paymux/core/domain/Sha256", {
  defaultValue: () => webCrypto
})

export const sha256: Digest = (content) => Effect.withFiber((fiber) => fiber.getRef(Sha256)(content))

/**
 * Serializes a value as JSON with the keys of every object sorted by code unit, and without white space: equal values
 * have equal texts.
 */
export const canonicalJson = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`
  if (typeof value !== "object" || value === null) return JSON.stringify(value)
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, member]) => `${JSON.stringify(key)}:${canonicalJson(member)}`)
  return `{${members.join(",")}}`
}
