import { Context } from "effect"

/**
 * A keyed digest of a text, 32 bytes: HMAC-SHA-256 under a key that belongs to one installation. What a provider sees of an
 * operation is derived with it, so that a request that is repeated after its commit was lost has the same names again.
 *
 * Not given: every name is random, and such a request is another payment to the provider. A server gives one that is made from
 * its secret and the id of its installation. Two installations must not share one: each would take the other's payments at a
 * provider for its own.
 */
export const NameDigest = Context.Reference<((text: string) => Uint8Array) | null>("@paymux/core/domain/NameDigest", {
  defaultValue: () => null
})
