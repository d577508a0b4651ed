/** The wall clock somewhere: which minute of the day it is in a time zone. */

/** `from` is included, `to` is not; where `from` is later, the window goes over midnight. Minutes of the day. */
export interface TimeWindow {
  readonly from: number
  readonly to: number
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
export const isWithin = ({ from, to, zone }: TimeWindow): ((time: number) => boolean) => {
  const minuteOf = minuteOfDay(zone)
  return from < to
    ? (time) => {
        const minute = minuteOf(time)
        return minute >= from && minute < to
      }
    : (time) => {
        const minute = minuteOf(time)
        return minute >= from || minute < to
      }
}

/** Clocks are only ever set at a quarter of an hour of UTC, so one look at the time zone serves all of it. */
const QUARTER = 900_000
const DAY = 1440

export const minuteOfDay = (zone: string): ((time: number) => number) => {
  const format = formatOf(zone)
  const minuteAt = (time: number): number => minuteOfText(format.format(time))
  let quarter = Number.NaN
  let atQuarter = 0
  return (time) => {
    const begins = Math.floor(time / QUARTER) * QUARTER
    if (begins !== quarter) {
      atQuarter = minuteAt(begins)
      quarter = begins
    }
    return (atQuarter + Math.floor((time - begins) / 60_000)) % DAY
  }
}

/** One is slow to make. By the zone in small letters, however it is written: never more than there are zones. */
const formats = new Map<string, Intl.DateTimeFormat>()

/** Throws where there is no such zone. */
const formatOf = (zone: string): Intl.DateTimeFormat => {
  const key = zone.toLowerCase()
  const known = formats.get(key)
  if (known !== undefined) return known
  const made = new Intl.DateTimeFormat("en", { timeZone: zone, hour: "2-digit", minute: "2-digit", hourCycle: "h23" })
  formats.set(key, made)
  return made
}
