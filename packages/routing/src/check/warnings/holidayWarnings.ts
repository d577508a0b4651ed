/** Warns about holiday calendars that no condition uses: a condition may be missing, or the calendar is outdated. */
import { namedCalendars } from "../holidayProblems.ts"
import { atKey, problemAt } from "../RoutingInvalid.ts"
import type { RoutingProblem } from "../RoutingInvalid.ts"
import type { RoutingConfig } from "../../RoutingConfig.ts"

export const holidayWarnings = (
  written: unknown,
  { holidays = {}, rules = [] }: RoutingConfig
): ReadonlyArray<RoutingProblem> => {
  const used = new Set(rules.flatMap(({ when }) => namedCalendars(when)).map(({ name }) => name))
  return Object.keys(holidays)
    .filter((name) => !used.has(name))
    .map((name) => atKey(problemAt(written, ["holidays", name], "is used by no rule")))
}
