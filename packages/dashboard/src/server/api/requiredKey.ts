/** Endpoints that act once for each `Idempotency-Key`, as their document shows them. */
import type { ProblemCode } from "@paymux/http"
import { Context } from "effect"

export const RequiredKey = Context.Reference<boolean>("@paymux/dashboard/RequiredKey", { defaultValue: () => false })

export const requiresKey: Context.Context<never> = Context.make(RequiredKey, true)

export const keyParameter = {
  name: "Idempotency-Key",
  in: "header",
  required: true,
  description: "The same key and request are executed once, and answered alike. Such as a random UUID.",
  schema: { type: "string", pattern: "^[!-~]{1,255}$" }
} as const

/** What a request that moves money may be refused with, beside what any write may. */
export const keyProblems: ReadonlyArray<ProblemCode> = [
  "idempotency_key_invalid",
  "raw_card_data_not_accepted",
  "idempotency_in_flight",
  "operation_in_flight",
  "operation_not_supported",
  "idempotency_key_reused",
  "overloaded",
  "no_provider_available"
]
