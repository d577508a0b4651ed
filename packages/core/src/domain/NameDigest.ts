import { Context } from "effect"

/**
 * A keyed digest of a text (HMAC-SHA-256, 32 bytes) with the secret key of one installation. The id and idempotency key
 * of an operation at a provider are derived with it, so that a request that is repeated after its commit was lost gets
 * the same id and key again.
 *
 * By default ids and idempotency keys are random, so the provider treats a request that is repeated after such a loss
 * as another payment. A server derives the digest's key from its secret and the id of its installation. Two
 * installations must not share a digest key: each would treat the other's payments at a provider as its own.
 */
export const NameDigest = Context.Reference<((text: string) => Uint8Array) | null>("@paymux/core/domain/NameDigest", {
  defaultValue: () => null
})
