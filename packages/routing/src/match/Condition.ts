/** Compiles a rule's `when`: operators become tests, each with its path in the rules. */
import type { FactName, FactValue, Facts } from "../Facts.ts"
import { reader } from "../Facts.ts"
import { dayTestOf } from "./DayTest.ts"
import { passes } from "./FactTest.ts"
import type { FactTest } from "./FactTest.ts"
import { prefixes } from "./Prefixes.ts"
import type { Calendars } from "../language/Days.ts"
import type { When } from "../language/When.ts"
import type { Path } from "../check/RoutingInvalid.ts"
import { DAY, isWithin, minuteOfText } from "./TimeOfDay.ts"
import type { TimeWindow } from "./TimeOfDay.ts"

/** A compiled condition. `path` is its location in the rules, beginning at `when`. */
export type Condition =
  | { readonly _tag: "Fact"; readonly path: Path; readonly fact: FactName; readonly test: FactTest }
  | { readonly _tag: "Time"; readonly path: Path; readonly window: TimeWindow }
  | { readonly _tag: "All"; readonly path: Path; readonly of: ReadonlyArray<Condition> }
  | { readonly _tag: "Any"; readonly path: Path; readonly of: ReadonlyArray<Condition> }
  | { readonly _tag: "Not"; readonly path: Path; readonly of: Condition }

export const conditionOf = (when: When, calendars: Calendars, path: Path = []): Condition => {
  const { all, any, not, time, ...facts } = when
  const of: ReadonlyArray<Condition> = [
    ...Object.entries(facts).flatMap(([key, asked]) =>
      isFactName(key) && asked !== undefined ? factConditions(key, asked, [...path, key]) : []
    ),
    ...(time === undefined
      ? []
      : [{ _tag: "Time", path: [...path, "time"], window: windowOf(time, calendars) } as const]),
    ...(all === undefined
      ? []
      : [{ _tag: "All", path: [...path, "all"], of: branches(all, calendars, [...path, "all"]) } as const]),
    ...(any === undefined
      ? []
      : [{ _tag: "Any", path: [...path, "any"], of: branches(any, calendars, [...path, "any"]) } as const]),
    ...(not === undefined
      ? []
      : [{ _tag: "Not", path: [...path, "not"], of: conditionOf(not, calendars, [...path, "not"]) } as const])
  ]
  return { _tag: "All", path, of }
}

/** Narrows the type of a key. The Schema has already validated the key. */
const isFactName = (key: string): key is FactName => key !== ""

const branches = (whens: ReadonlyArray<When>, calendars: Calendars, path: Path): ReadonlyArray<Condition> =>
  whens.map((when, index) => conditionOf(when, calendars, [...path, index]))

const windowOf = (time: NonNullable<When["time"]>, calendars: Calendars): TimeWindow => {
  const { between, zone = "UTC" } = time
  const days = dayTestOf(time, calendars)
  if (between === undefined) return { from: 0, to: DAY, days, zone }
  const [from, to] = between
  return { from: minuteOfText(from), to: minuteOfText(to), days, zone }
}

/** A condition on any fact, as written in the rules. The Schema of each fact allows some of these forms. */
type Asked = FactValue | ReadonlyArray<FactValue> | Operators

interface Operators {
  readonly gt?: number
  readonly gte?: number
  readonly lt?: number
  readonly lte?: number
  readonly between?: readonly [number, number]
  readonly starts_with?: string
  readonly in_prefixes?: ReadonlyArray<string>
  readonly ends_with?: string
  readonly exists?: boolean
}

const factConditions = (fact: FactName, asked: Asked, path: Path): ReadonlyArray<Condition> => {
  const asking = (test: FactTest, operator?: string): Condition => ({
    _tag: "Fact",
    path: operator === undefined ? path : [...path, operator],
    fact,
    test
  })
  if (typeof asked !== "object" || asked === null) return [asking({ op: "in", values: new Set([asked]) })]
  if (isList(asked)) return [asking({ op: "in", values: new Set(asked) })]
  const tests = operatorTests(asked).map(({ operator, test }) => asking(test, operator))
  if (asked.exists === undefined) return tests
  const exists = asking({ op: "exists" }, "exists")
  return [...tests, asked.exists ? exists : { _tag: "Not", path: exists.path, of: exists }]
}

/** A type guard, since `Array.isArray` does not narrow readonly arrays. */
const isList = (asked: ReadonlyArray<FactValue> | Operators): asked is ReadonlyArray<FactValue> => Array.isArray(asked)

interface Named {
  readonly operator: keyof Operators
  readonly test: FactTest
}

const operatorTests = (asked: Operators): ReadonlyArray<Named> => {
  const { between, ends_with, gt, gte, in_prefixes, lt, lte, starts_with } = asked
  const tests: Array<Named> = []
  const range = (operator: keyof Operators, from: number, to: number) =>
    tests.push({ operator, test: { op: "range", from, to } })
  if (gt !== undefined) range("gt", gt + 1, LARGEST)
  if (gte !== undefined) range("gte", gte, LARGEST)
  if (lt !== undefined) range("lt", 0, lt - 1)
  if (lte !== undefined) range("lte", 0, lte)
  if (between !== undefined) range("between", ...between)
  if (starts_with !== undefined)
    tests.push({ operator: "starts_with", test: { op: "starts_with", prefixes: prefixes([starts_with]) } })
  if (in_prefixes !== undefined)
    tests.push({ operator: "in_prefixes", test: { op: "starts_with", prefixes: prefixes(in_prefixes) } })
  if (ends_with !== undefined) tests.push({ operator: "ends_with", test: { op: "ends_with", suffix: ends_with } })
  return tests
}

const LARGEST = Number.MAX_SAFE_INTEGER

export type Predicate = (facts: Facts) => boolean

export const predicateOf = (condition: Condition): Predicate => {
  switch (condition._tag) {
    case "Fact": {
      const { test } = condition
      const read = reader(condition.fact)
      return (facts) => passes(test, read(facts))
    }
    case "Time": {
      const within = isWithin(condition.window)
      return ({ time }) => within(time)
    }
    case "All": {
      const predicates = condition.of.map(predicateOf)
      return (facts) => predicates.every((holds) => holds(facts))
    }
    case "Any": {
      const predicates = condition.of.map(predicateOf)
      return (facts) => predicates.some((holds) => holds(facts))
    }
    case "Not": {
      const holds = predicateOf(condition.of)
      return (facts) => !holds(facts)
    }
    default:
      return condition satisfies never
  }
}
