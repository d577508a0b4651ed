/** Converts UTC time to the wall clock of a time zone: the day, and the minute of the day. */
import { dayOfText } from "../language/Day.ts"
import { isOn } from "./DayTest.ts"
import type { DayTest } from "./DayTest.ts"

/**
 * A daily time window, in minutes of the day: `from` is inclusive, `to` exclusive. If `from` is later, it spans
 * midnight. A whole day is 0 to 1440.
 */
export interface TimeWindow {
  readonly from: number
  readonly to: number
  /**
   * The days on which the window begins; `null` for every day. The part after midnight belongs to the day on which the
   * window began.
   */
  readonly days: DayTest | null
  /** The time zone: a name in the IANA database, such as `Asia/Kolkata`. */
  readonly zone: string
}

/**
 * Whether the IANA database has this name. Offsets and abbreviations are rejected: the platform would accept `BST`, but
 * as the time of Dhaka.
 */
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

/** All time zone names of three letters in the IANA database. */
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

/** Parses a time of day: `"23:30"` is 1410 minutes. */
export const minuteOfText = (clock: string): number =>
  Number.parseInt(clock.slice(0, 2), 10) * 60 + Number.parseInt(clock.slice(3), 10)

export const textOfMinute = (minute: number): string =>
  `${String(Math.floor(minute / 60)).padStart(2, "0")}:${String(minute % 60).padStart(2, "0")}`

/**
 * Creates a function that tests whether a time (ms UTC) lies in a time window. It caches the wall clock per quarter of
 * an hour.
 */
export const isWithin = (window: TimeWindow): ((time: number) => boolean) => {
  const holds = holdsAt(window)
  const clock = wallClock(window.zone)
  return (time) => {
    const now = clock(time)
    const day = Math.floor(now / DAY)
    return holds(day, now - day * DAY)
  }
}

/**
 * Creates a function that tests whether a minute of a day, by the wall clock of the window's zone, lies in the window.
 */
export const holdsAt = ({ days, from, to }: TimeWindow): ((day: number, minute: number) => boolean) => {
  const on = days === null ? () => true : isOn(days)
  return from < to
    ? (day, minute) => minute >= from && minute < to && on(day)
    : (day, minute) => (minute >= from && on(day)) || (minute < to && on(day - 1))
}

/** The period for which a zone lookup is valid, ms: time zones change their offset only at a quarter of an hour UTC. */
const QUARTER = 900_000
const MINUTE = 60_000
export const DAY = 1440

/**
 * Creates a function that converts ms UTC to the local time of a zone, in minutes since 1970-01-01 00:00 local time.
 */
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

/**
 * Converts a local time to ms UTC. For a local time that is skipped when clocks are set forward, returns a time close
 * to it.
 */
export const timeAt = (zone: string, minutes: number): number => {
  const clock = wallClock(zone)
  const corrected = (time: number) => time - (clock(time) - minutes) * MINUTE
  return corrected(corrected(minutes * MINUTE))
}

/**
 * A cache of formatters by lower-case zone name, since creating one is slow. Its size is limited by the number of
 * zones.
 */
const formats = new Map<string, Intl.DateTimeFormat>()

/** Returns the formatter of a zone. Throws if the zone does not exist. */
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
