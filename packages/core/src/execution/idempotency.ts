import type { Operation } from "../domain/Operation.ts"
import type { DeclaredOperation } from "../provider/ProviderRegistry.ts"
import { timings } from "./timings.ts"

/**
 * Whether the same request under its key is answered with the first result. Clocks can be set, here and at the
 * provider: a key near the end of its declared life counts as dead.
 */
export const answersFirst = (
  { by, lifetimeMs }: DeclaredOperation["idempotency"],
  { createdAt }: Operation,
  now: number
): boolean => (by === "header" || by === "body") && now - createdAt < lifetimeMs - timings.keyMargin
