/** The wall clock and calendar somewhere: which day it is in a time zone, and which minute of the day. */
import { dayOfText } from "../language/Day.ts"
import { isOn } from "./DayTest.ts"
import type { DayTest } from "./DayTest.ts"

/**
 * `from` is included, `to` is not; where `from` is later, the window goes over midnight. Minutes of the day: a whole day is
 * from 0 to 1440.
 */
export interface TimeWindow {
  readonly from: number
  readonly to: number
  /** On which it begins; `null`: on every day. After midnight a window belongs to the day on which it began. */
  readonly days: DayTest | null
  /** Of the IANA time zone database, such as `Asia/Kolkata`. */
  readonly zone: string
}

/** Of the IANA database: offsets are none, nor are abbreviations, of which the platform takes `BST` for Dhaka's. */
export const isTimeZone = (name: string): boolean => {
  if (!/^[a-z]/i.test(name) || /^SystemV\//i.test(name)) return false
  if (name.length === 3 && !threeLetters.has(name.toUpperCase())) return false
  try {
    formatOf(name)
    return true
  } catch {
    return false
  }
}

/** All names of three letters that the IANA database has. */
const threeLetters = new Set([
  "CET",
  "EET",
  "EST",
  "GMT",
  "HST",
  "MET",
  "MST",
  "PRC",
  "ROC",
  "ROK",
  "UCT",
  "UTC",
  "WET"
])

/** `"23:30"` is 1410. */
export const minuteOfText = (clock: string): number =>
  Number.parseInt(clock.slice(0, 2), 10) * 60 + Number.parseInt(clock.slice(3), 10)

export const textOfMinute = (minute: number): string =>
  `${String(Math.floor(minute / 60)).padStart(2, "0")}:${String(minute % 60).padStart(2, "0")}`

/** Whether a time (ms UTC) lies in the window. Remembers the clock of the quarter of an hour it was last asked about. */
export const isWithin = (window: TimeWindow): ((time: number) => boolean) => {
  const holds = holdsAt(window)
  const clock = wallClock(window.zone)
  return (time) => {
    const now = clock(time)
    const day = Math.floor(now / DAY)
    return holds(day, now - day * DAY)
  }
}

/** Whether a minute of a day lies in the window, by a wall clock of its zone. */
export const holdsAt = ({ days, from, to }: TimeWindow): ((day: number, minute: number) => boolean) => {
  const on = days === null ? () => true : isOn(days)
  return from < to
    ? (day, minute) => minute >= from && minute < to && on(day)
    : (day, minute) => (minute >= from && on(day)) || (minute < to && on(day - 1))
}

/** Clocks are only ever set at a quarter of an hour of UTC, so one look at the time zone serves all of it. */
const QUARTER = 900_000
const MINUTE = 60_000
export const DAY = 1440

/** What a clock with a calendar shows: minutes since it showed 1970-01-01, 0:00. */
export const wallClock = (zone: string): ((time: number) => number) => {
  const format = formatOf(zone)
  let quarter = Number.NaN
  let atQuarter = 0
  return (time) => {
    const begins = Math.floor(time / QUARTER) * QUARTER
    if (begins !== quarter) {
      atQuarter = minutesOf(format.formatToParts(begins))
      quarter = begins
    }
    return atQuarter + Math.floor((time - begins) / MINUTE)
  }
}

const minutesOf = (parts: ReadonlyArray<Intl.DateTimeFormatPart>): number => {
  const part = (type: Intl.DateTimeFormatPartTypes, length: number) =>
    (parts.find((each) => each.type === type)?.value ?? "").padStart(length, "0")
  const day = dayOfText(`${part("year", 4)}-${part("month", 2)}-${part("day", 2)}`) ?? 0
  return day * DAY + minuteOfText(`${part("hour", 2)}:${part("minute", 2)}`)
}

/** ms UTC when a wall clock shows this; a time that is left out where clocks are set has none, and another is found. */
export const timeAt = (zone: string, minutes: number): number => {
  const clock = wallClock(zone)
  const corrected = (time: number) => time - (clock(time) - minutes) * MINUTE
  return corrected(corrected(minutes * MINUTE))
}

/** One is slow to make. By the zone in small letters, however it is written: never more than there are zones. */
const formats = new Map<string, Intl.DateTimeFormat>()

/** Throws where there is no such zone. */
const formatOf = (zone: string): Intl.DateTimeFormat => {
  const key = zone.toLowerCase()
  const known = formats.get(key)
  if (known !== undefined) return known
  const made = new Intl.DateTimeFormat("en", {
    timeZone: zone,
    calendar: "gregory",
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23"
  })
  formats.set(key, made)
  return made
}
