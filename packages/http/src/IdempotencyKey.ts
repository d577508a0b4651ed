import { Effect } from "effect"
import type { Headers } from "effect/http"
import { ApiProblem } from "./ApiProblem.ts"

/**
 * The `Idempotency-Key` header: absent, or 1 to 255 visible ASCII characters. Two headers arrive joined by `, `, whose
 * space no key may have.
 */
export const idempotencyKey = (headers: Headers.Headers): Effect.Effect<string | null, ApiProblem> => {
  const key = headers["idempotency-key"]
  if (key === undefined) return Effect.succeed(null)
  return /^[\u0021-\u007e]{1,255}$/.test(key)
    ? Effect.succeed(key)
    : Effect.fail(new ApiProblem({ code: "idempotency_key_invalid" }))
}
