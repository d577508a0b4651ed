/**
 * Makes the names that providers see belong to one installation: the key is made of its first secret and of its id. The id is in the
 * database, and restored with it. Two databases with one secret have two ids, so that neither takes the other's payments at a provider
 * for its own.
 */
import { NameDigest } from "@paymux/core/engine"
import { Effect, Layer, Redacted } from "effect"
import { createHmac } from "node:crypto"
import { Installation } from "./secrets/Installation.ts"

export const layer = Layer.effect(
  NameDigest,
  Effect.map(
    Effect.service(Installation),
    ({ keys }) =>
      (text: string) =>
        createHmac("sha256", Redacted.value(keys.names)).update(text).digest()
  )
)
