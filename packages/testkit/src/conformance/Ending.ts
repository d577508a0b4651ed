import type { InquiryOutcome, ProviderError } from "@paymux/core"
import { isAnswer } from "@paymux/core/engine"
import { Cause, Exit } from "effect"

/** How a call of the adapter ended, as the engine sees it. */
export type Ending =
  | { readonly _tag: "Answered"; readonly answer: InquiryOutcome }
  | { readonly _tag: "Failed"; readonly error: ProviderError }
  /** An answer that is none of the contract: the engine takes it for an unknown outcome. */
  | { readonly _tag: "NotTaken"; readonly answer: unknown }
  /** It threw something that is no `ProviderError`. */
  | { readonly _tag: "Broke"; readonly cause: Cause.Cause<never> }
  | { readonly _tag: "DidNotEnd" }

/** What an exit of the adapter's is in the suite's words. */
export const endingOf = (exit: Exit.Exit<InquiryOutcome, ProviderError>): Ending => {
  if (Exit.isSuccess(exit)) {
    // Boundary: TypeScript does not hold over an adapter's answers.
    const answer: unknown = exit.value
    return isAnswer(answer) ? { _tag: "Answered", answer } : { _tag: "NotTaken", answer }
  }
  const failure = exit.cause.reasons.find(Cause.isFailReason)
  return failure === undefined
    ? { _tag: "Broke", cause: exit.cause as Cause.Cause<never> }
    : { _tag: "Failed", error: failure.error }
}
