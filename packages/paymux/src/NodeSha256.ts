import { Sha256 } from "@paymux/core/engine"
import { Effect, Layer } from "effect"
import { hash } from "node:crypto"

/** SHA-256 by `node:crypto`. Unlike Web Crypto, it computes the digest on the calling thread. */
export const layer = Layer.succeed(Sha256, (content) => Effect.sync(() => hash("sha256", content, "hex")))
