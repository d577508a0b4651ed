import { findRawCardData } from "@paymux/core/wire"
import { Effect, Result } from "effect"
import type { Headers } from "effect/http"
import { ApiProblem } from "../problems/ApiProblem.ts"

export interface KeyScope {
  readonly endpoint: string
  readonly key: string
}

/**
 * Reads the header `Idempotency-Key` and returns the key with its scope, the endpoint. The result is `null` if the
 * header was not sent.
 */
export const keyScope = (headers: Headers.Headers, endpoint: string): Effect.Effect<KeyScope | null, ApiProblem> =>
  Effect.fromResult(keyScopeOf(headers["idempotency-key"], endpoint))

/**
 * Validates an idempotency key: 1 to 255 visible ASCII characters. Duplicate headers arrive joined by `, `, and a space
 * is not allowed. The key is stored, so it must not contain a card number. The result is `null` without a key.
 */
export const keyScopeOf = (key: string | undefined, endpoint: string): Result.Result<KeyScope | null, ApiProblem> => {
  if (key === undefined) return Result.succeed(null)
  if (!/^[\u0021-\u007e]{1,255}$/.test(key)) return Result.fail(new ApiProblem({ code: "idempotency_key_invalid" }))
  return findRawCardData(key) === null
    ? Result.succeed({ endpoint, key })
    : Result.fail(
        new ApiProblem({
          code: "raw_card_data_not_accepted",
          errors: [{ pointer: "Idempotency-Key", message: "holds raw card data" }]
        })
      )
}
