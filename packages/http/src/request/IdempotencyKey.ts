import { findRawCardData } from "@paymux/core/wire"
import { Effect } from "effect"
import type { Headers } from "effect/http"
import { ApiProblem } from "../problems/ApiProblem.ts"

/**
 * The `Idempotency-Key` header, under the scope of an endpoint: absent, or 1 to 255 visible ASCII characters. Two headers
 * arrive joined by `, `, whose space no key may have. It is kept, so it holds no card number.
 */
export const keyScope = (
  headers: Headers.Headers,
  endpoint: string
): Effect.Effect<{ readonly endpoint: string; readonly key: string } | null, ApiProblem> => {
  const key = headers["idempotency-key"]
  if (key === undefined) return Effect.succeed(null)
  if (!/^[\u0021-\u007e]{1,255}$/.test(key)) return Effect.fail(new ApiProblem({ code: "idempotency_key_invalid" }))
  return findRawCardData(key) === null
    ? Effect.succeed({ endpoint, key })
    : Effect.fail(
        new ApiProblem({
          code: "raw_card_data_not_accepted",
          errors: [{ pointer: "Idempotency-Key", message: "holds raw card data" }]
        })
      )
}
