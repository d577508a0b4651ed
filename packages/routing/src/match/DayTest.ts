/** A test of the day in a time condition. All its parts must hold; a part that is `null` always holds. */
import { dayOfText, weekdayOf } from "../language/Day.ts"
import type { Weekday } from "../language/Day.ts"
import type { Calendars, Dates } from "../language/Days.ts"

/** A range of days, both ends inclusive, in days since 1970-01-01. */
export interface DayRange {
  readonly from: number
  readonly to: number
}

export interface DayTest {
  readonly weekdays: ReadonlyArray<Weekday> | null
  readonly dates: ReadonlyArray<DayRange> | null
  /** The holidays: the names of the calendars, and the days of all of them. */
  readonly holidays: { readonly names: ReadonlyArray<string>; readonly dates: ReadonlyArray<DayRange> } | null
}

/** The conditions on days, as written in the rules. */
interface Written {
  readonly weekdays?: ReadonlyArray<Weekday>
  readonly dates?: Dates
  readonly holidays?: string | ReadonlyArray<string>
}

/**
 * Compiles the conditions on days; `null` if any day is allowed. An undefined calendar has no days here; validation
 * rejects its name.
 */
export const dayTestOf = ({ dates, holidays, weekdays }: Written, calendars: Calendars): DayTest | null => {
  if (weekdays === undefined && dates === undefined && holidays === undefined) return null
  const names = holidays === undefined ? [] : [holidays].flat()
  return {
    weekdays: weekdays ?? null,
    dates: dates === undefined ? null : dates.map(rangeOf),
    holidays: holidays === undefined ? null : { names, dates: holidaysOf(calendars, names) }
  }
}

/** A cache of the days by calendar names, since a calendar may have thousands of days and many rules may use it. */
const known = new WeakMap<Calendars, Map<string, ReadonlyArray<DayRange>>>()

const holidaysOf = (calendars: Calendars, names: ReadonlyArray<string>): ReadonlyArray<DayRange> => {
  const lists = known.get(calendars) ?? new Map<string, ReadonlyArray<DayRange>>()
  known.set(calendars, lists)
  const key = JSON.stringify(names)
  const dates = lists.get(key) ?? names.flatMap((name) => datesOf(calendars, name))
  lists.set(key, dates)
  return dates
}

const datesOf = (calendars: Calendars, name: string): ReadonlyArray<DayRange> =>
  Object.hasOwn(calendars, name) ? (calendars[name] ?? []).map(rangeOf) : []

const rangeOf = (date: Dates[number]): DayRange => {
  const { from, to } = typeof date === "string" ? { from: date, to: date } : date
  return { from: dayOfText(from) ?? Number.NaN, to: dayOfText(to) ?? Number.NaN }
}

/**
 * Creates a function that tests a day. It caches the result for the last day, since consecutive payments are mostly on
 * one day.
 */
export const isOn = ({ dates, holidays, weekdays }: DayTest): ((day: number) => boolean) => {
  let last = Number.NaN
  let answer = false
  return (day) => {
    if (day !== last) {
      last = day
      answer =
        (weekdays === null || weekdays.includes(weekdayOf(day))) &&
        (dates === null || isAmong(dates, day)) &&
        (holidays === null || isAmong(holidays.dates, day))
    }
    return answer
  }
}

const isAmong = (ranges: ReadonlyArray<DayRange>, day: number): boolean =>
  ranges.some(({ from, to }) => day >= from && day <= to)

/** All date ranges of a test, including holidays. */
export const rangesOf = ({ dates, holidays }: DayTest): ReadonlyArray<DayRange> => [
  ...(dates ?? []),
  ...(holidays?.dates ?? [])
]
