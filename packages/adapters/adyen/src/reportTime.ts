/** The times of settlement detail reports. Pure. */
import { DateTime, Option } from "effect"

/** ms UTC. Text: what is wrong, as the end of a sentence. */
export type ReadTime = (text: string, zone: string) => number | string

/** `timeZone` of the IANA database: of abbreviations that are not known, or mean several zones. */
export const timeReader =
  (timeZone: string | undefined): ReadTime =>
  (text, zone) => {
    const local = localTime(text)
    if (local === null) return "has no Creation Date of the form YYYY-MM-DD HH:MM:SS"
    const hours = Object.hasOwn(offsets, zone) ? offsets[zone] : undefined
    const time = hours === undefined ? zonedTime(local, timeZone) : local - hours * 3_600_000
    if (time === null) return `has the unknown TimeZone ${shown(zone)}: set the option reports.timeZone`
    return time < 0 ? "has a Creation Date before 1970" : time
  }

/** As if it were UTC. */
const localTime = (text: string): number | null => {
  if (!/^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/.test(text)) return null
  const time = Date.parse(`${text.replace(" ", "T")}Z`)
  return Number.isNaN(time) ? null : time
}

const zonedTime = (local: number, timeZone: string | undefined): number | null =>
  timeZone === undefined
    ? null
    : Option.getOrNull(
        Option.map(DateTime.makeZoned(local, { timeZone, adjustForTimeZone: true }), DateTime.toEpochMillis)
      )

/** Of the IANA database. Platforms also take abbreviations, and some of them for another zone than is meant. */
export const isTimeZone = (name: string): boolean =>
  (name === "UTC" || /^(?!SystemV\/)[A-Z][A-Za-z_]+(\/[A-Za-z0-9_+-]+)+$/.test(name)) &&
  Option.isSome(DateTime.zoneMakeNamed(name))

/** Hours from UTC. Abbreviations that mean several zones are not guessed. */
const offsets: { readonly [zone: string]: number | undefined } = {
  UTC: 0,
  GMT: 0,
  WET: 0,
  WEST: 1,
  BST: 1,
  CET: 1,
  CEST: 2,
  EET: 2,
  EEST: 3,
  MSK: 3,
  BRT: -3,
  EDT: -4,
  EST: -5,
  CDT: -5,
  MDT: -6,
  MST: -7,
  PDT: -7,
  PST: -8,
  SGT: 8,
  HKT: 8,
  AWST: 8,
  JST: 9,
  KST: 9,
  ACST: 9.5,
  ACDT: 10.5,
  AEST: 10,
  AEDT: 11,
  NZST: 12,
  NZDT: 13
}

/** Names are words; whatever is longer may repeat what was sent. */
export const shown = (name: string): string => (isWord(name) ? name : "that cannot be shown")

export const isWord = (name: string): boolean => /^\w{1,50}$/.test(name)
