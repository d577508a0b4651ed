/**
 * Makes the names that providers see belong to one installation: its secret is the key, and its id is in every name. The id is
 * in the database, and restored with it. Two databases with one secret have two ids, so that neither takes the other's payments
 * at a provider for its own.
 */
import { NameDigest } from "@paymux/core/engine"
import { Effect, Layer, Redacted } from "effect"
import { createHmac, hkdfSync } from "node:crypto"
import { installationId } from "./options/Settings.ts"
import { ServerSecret } from "./ServerSecret.ts"

export const layer = Layer.effect(
  NameDigest,
  Effect.gen(function* () {
    const secret = yield* ServerSecret
    const key = Buffer.from(hkdfSync("sha256", Redacted.value(secret), yield* installationId, "paymux names", 32))
    return (text: string) => createHmac("sha256", key).update(text).digest()
  })
)
