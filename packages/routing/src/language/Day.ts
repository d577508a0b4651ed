/** Calendar days as numbers: days since 1970-01-01. */
import { DateTime, Option } from "effect"

const DAY_MS = 86_400_000

/** Parses a day: `2026-01-26` is 20479; `null` if the format is wrong or the date does not exist. */
export const dayOfText = (text: string): number | null => {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return null
  const midnight = DateTime.make(`${text}T00:00:00Z`)
  if (Option.isNone(midnight)) return null
  const day = DateTime.toEpochMillis(midnight.value) / DAY_MS
  // Formats the day again, since the parser reads February 30 as March 2.
  return textOfDay(day) === text ? day : null
}

export const textOfDay = (day: number): string => DateTime.formatIsoDateUtc(DateTime.makeUnsafe(day * DAY_MS))

export const weekdays = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"] as const
export type Weekday = (typeof weekdays)[number]

/** The weekday of a day. 1970-01-01 was a Thursday. */
export const weekdayOf = (day: number): Weekday => weekdays[(((day + 3) % 7) + 7) % 7] ?? "mon"
