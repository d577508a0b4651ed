import { Effect } from "effect"
import type { Headers } from "effect/http"
import { ApiProblem } from "./ApiProblem.ts"

/**
 * The `Idempotency-Key` header, under the scope of an endpoint: absent, or 1 to 255 visible ASCII characters. Two headers
 * arrive joined by `, `, whose space no key may have.
 */
export const keyScope = (
  headers: Headers.Headers,
  endpoint: string
): Effect.Effect<{ readonly endpoint: string; readonly key: string } | null, ApiProblem> => {
  const key = headers["idempotency-key"]
  if (key === undefined) return Effect.succeed(null)
  return /^[\u0021-\u007e]{1,255}$/.test(key)
    ? Effect.succeed({ endpoint, key })
    : Effect.fail(new ApiProblem({ code: "idempotency_key_invalid" }))
}
