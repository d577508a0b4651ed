/** Endpoints that act once for each `Idempotency-Key`, as their document shows them. */
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
