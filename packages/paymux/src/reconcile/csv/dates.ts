/** Times in reports, by a pattern and a zone. Pure. */
import { DateTime, Option } from "effect"
import { timeOf } from "../../commands/timeRange.ts"

const parts = { YYYY: "year", MM: "month", DD: "day", HH: "hour", mm: "minute", ss: "second" } as const
const token = /YYYY|MM|DD|HH|mm|ss/g

/** It has a date, and nothing that would be read as something else. */
export const isDatePattern = (pattern: string): boolean => {
  const named = pattern.match(token) ?? []
  const rest = pattern.replace(token, "")
  return (
    new Set(named).size === named.length &&
    ["YYYY", "MM", "DD"].every((each) => named.some((one) => one === each)) &&
    !/[a-zA-Z0-9]/.test(rest.replace("T", ""))
  )
}

export type DateFormat = { readonly format: "iso" } | { readonly format: string; readonly zone: string }

/** Reads a time: ms UTC; `null`: it is not of the format, or there is no such time. */
export type ReadMoment = (text: string) => number | null

export const momentReader = (dates: DateFormat): ReadMoment => {
  if (!("zone" in dates)) return (text) => timeOf(text)
  const named = dates.format.match(token) ?? []
  const pattern = dates.format
    .split(token)
    .map((literal) => literal.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"))
    .reduce((all, literal, place) => `${all}(\\d{${named[place - 1]?.length ?? 2}})${literal}`)
  const form = new RegExp(`^${pattern}$`)
  const offsetAt = offsetReader(dates.zone)
  return (text) => {
    const found = form.exec(text)
    if (found === null) return null
    const date = { year: 0, month: 1, day: 1, hour: 0, minute: 0, second: 0 }
    // Boundary: the pattern has these tokens only.
    for (const [place, name] of named.entries()) date[parts[name as keyof typeof parts]] = Number(found[place + 1])
    const local = localTime(date)
    const offset = local === null ? null : offsetAt(local)
    return local === null || offset === null ? null : local - offset
  }
}

type Parts = { readonly [part in (typeof parts)[keyof typeof parts]]: number }

/** As if it were UTC. To `Date`, February 30 is March 2. */
const localTime = ({ day, hour, minute, month, second, year }: Parts): number | null => {
  const time = Date.UTC(year, month - 1, day, hour, minute, second)
  const date = new Date(time)
  const isReal = date.getUTCMonth() === month - 1 && date.getUTCDate() === day && date.getUTCHours() === hour
  return year >= 1970 && isReal && minute < 60 && second < 60 ? time : null
}

/** ms. Clocks change at a quarter of an hour, so the offset is looked up once for each. */
const offsetReader = (timeZone: string) => {
  const known = new Map<number, number | null>()
  return (local: number): number | null => {
    const quarter = Math.floor(local / quarterHour)
    const before = known.get(quarter)
    if (before !== undefined) return before
    if (known.size > 10_000) known.clear()
    const zoned = DateTime.makeZoned(quarter * quarterHour, { timeZone, adjustForTimeZone: true })
    const offset = Option.getOrNull(Option.map(zoned, (time) => quarter * quarterHour - DateTime.toEpochMillis(time)))
    known.set(quarter, offset)
    return offset
  }
}

const quarterHour = 15 * 60_000
