/** Reports holiday calendars that conditions name but the configuration does not define. */
import type { When } from "../language/When.ts"
import { problemIn, valueAt } from "./RoutingInvalid.ts"
import type { Path, RoutingProblem } from "./RoutingInvalid.ts"
import { shown, suggestion } from "./suggestion.ts"

export const holidayProblems = (config: unknown, path: Path, when: When): ReadonlyArray<RoutingProblem> => {
  const holidays = valueAt(config, ["holidays"])
  const defined = typeof holidays === "object" && holidays !== null ? Object.keys(holidays) : []
  return namedCalendars(when, path).flatMap(({ name, path: place }) =>
    defined.includes(name)
      ? []
      : [problemIn(config, place, `${shown(name)} is not a calendar of \`holidays\`${suggestion(name, defined)}`)]
  )
}

interface NamedCalendar {
  readonly name: string
  readonly path: Path
}

/** The names of the calendars in a condition, at any nesting depth. */
export const namedCalendars = (when: When, path: Path = []): ReadonlyArray<NamedCalendar> => {
  const { all = [], any = [], not, time } = when
  const place = [...path, "time", "holidays"]
  const holidays = time?.holidays ?? []
  const own =
    typeof holidays === "string"
      ? [{ name: holidays, path: place }]
      : holidays.map((name, index) => ({ name, path: [...place, index] }))
  return [
    ...own,
    ...all.flatMap((each, index) => namedCalendars(each, [...path, "all", index])),
    ...any.flatMap((each, index) => namedCalendars(each, [...path, "any", index])),
    ...(not === undefined ? [] : namedCalendars(not, [...path, "not"]))
  ]
}
