/**
 * Logs an unusable next action. The payment continues without it, so this defect of the adapter is visible only in the
 * log.
 */
import { Effect, Predicate } from "effect"
import { nextActionProblem } from "./validity.ts"

/** Logs an unusable action. `outcome`: as returned by the adapter. */
export const logUnusableAction = (provider: string, outcome: unknown): Effect.Effect<void> => {
  const problem = Predicate.isObject(outcome) ? nextActionProblem(outcome) : null
  return problem === null
    ? Effect.void
    : Effect.annotateLogs(
        Effect.logError(`Adapter returned a nextAction that ${problem}; the payment stays pending without it`),
        { provider }
      )
}
