import type { Inquiry, ProviderError } from "@paymux/core"
import { Cause, Exit } from "effect"

/** How a call of the adapter ended. */
export type Ending =
  | { readonly _tag: "Answered"; readonly answer: Inquiry }
  | { readonly _tag: "Failed"; readonly error: ProviderError }
  /** It threw something that is no `ProviderError`. */
  | { readonly _tag: "Broke"; readonly cause: Cause.Cause<never> }
  | { readonly _tag: "DidNotEnd" }

/** What an exit of the adapter's is in the suite's words. */
export const endingOf = (exit: Exit.Exit<Inquiry, ProviderError>): Ending => {
  if (Exit.isSuccess(exit)) return { _tag: "Answered", answer: exit.value }
  const failure = exit.cause.reasons.find(Cause.isFailReason)
  return failure === undefined
    ? { _tag: "Broke", cause: exit.cause as Cause.Cause<never> }
    : { _tag: "Failed", error: failure.error }
}
