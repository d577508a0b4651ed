/** The faults of the option `routing`, as far as they show before a file or the database is read. */
import type { RoutableProvider } from "@paymux/core/routing"
import { checkRouting } from "@paymux/routing"
import { Predicate, Result } from "effect"
import { databaseRoutingProblems } from "./databaseRouting.ts"

/** Rules of a file are read later, when all else is right. */
export const routingProblems = (
  routing: unknown,
  providers: ReadonlyArray<RoutableProvider>
): ReadonlyArray<string> => {
  if (typeof routing === "string" && routing.includes("\n")) {
    return ["routing is the name of a file, or rules as an object: not the text of a file."]
  }
  if (routing === null) return ["routing must be rules, or the name of a file."]
  if (Predicate.isObject(routing) && "source" in routing) return databaseRoutingProblems(routing)
  const isMade = providers.every(({ capabilities }) => Predicate.isObject(capabilities))
  if (routing === undefined || typeof routing === "string" || providers.length === 0 || !isMade) return []
  const checked = checkRouting(routing, providers)
  return Result.isSuccess(checked) ? [] : checked.failure.problems.map(({ message }) => `The routing rules: ${message}`)
}
