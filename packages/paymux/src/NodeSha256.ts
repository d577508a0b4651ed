import { Sha256 } from "@paymux/core/engine"
import { Effect, Layer } from "effect"
import { hash } from "node:crypto"

/** Digests of `node:crypto`, which does not leave the thread for them as Web Crypto does. */
export const layer = Layer.succeed(Sha256, (content) => Effect.sync(() => hash("sha256", content, "hex")))
