/** Logs an unusable next action: a defect of an adapter that loses no payment and is not visible in one. */
import { Effect, Predicate } from "effect"
import { nextActionProblem } from "./validity.ts"

/** `outcome`: as returned by the adapter. */
export const logUnusableAction = (provider: string, outcome: unknown): Effect.Effect<void> => {
  const problem = Predicate.isObject(outcome) ? nextActionProblem(outcome) : null
  return problem === null
    ? Effect.void
    : Effect.annotateLogs(
        Effect.logError(`Adapter returned a nextAction that ${problem}; the payment stays pending without it`),
        { provider }
      )
}
