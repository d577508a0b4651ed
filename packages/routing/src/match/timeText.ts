/** Formats conditions on the time, and times, for people. */
import { textOfDay, weekdayOf } from "../language/Day.ts"
import type { DayRange, DayTest } from "./DayTest.ts"
import { DAY, textOfMinute, wallClock } from "./TimeOfDay.ts"
import type { TimeWindow } from "./TimeOfDay.ts"

/** Formats a window with its zone: `time between 23:30 and 00:30, on sat or sun Asia/Kolkata`. */
export const windowText = (window: TimeWindow): string => `time ${rangeText(window)} ${window.zone}`

/** Formats the hours and days of a window: `between 23:30 and 00:30, on sat or sun`. */
export const rangeText = ({ days, from, to }: TimeWindow): string => {
  const isWhole = from === 0 && to === DAY
  const parts = [
    ...(isWhole ? [] : [`between ${textOfMinute(from)} and ${textOfMinute(to)}`]),
    ...(days === null ? [] : dayTexts(days))
  ]
  return parts.join(", ")
}

const dayTexts = ({ dates, holidays, weekdays }: DayTest): ReadonlyArray<string> => [
  ...(weekdays === null ? [] : [`on ${weekdays.join(" or ")}`]),
  ...(dates === null ? [] : [`on ${dates.map(datesText).join(" or ")}`]),
  ...(holidays === null ? [] : [`on holidays ${holidays.names.join(" or ")}`])
]

const datesText = ({ from, to }: DayRange): string =>
  from === to ? textOfDay(from) : `${textOfDay(from)} to ${textOfDay(to)}`

/** Formats the local time at `time` (ms UTC), with the day if the window depends on it. */
export const clockText = ({ days, from, to, zone }: TimeWindow, time: number): string => {
  const shown = wallClock(zone)(time)
  const day = Math.floor(shown / DAY)
  const minute = shown - day * DAY
  const clock = `${textOfMinute(minute)} ${zone}`
  if (days === null) return clock
  const began = from > to && minute < to ? `, of the night that began on ${dayText(day - 1)}` : ""
  return `${dayText(day)} ${clock}${began}`
}

const dayText = (day: number): string => `${weekdayOf(day)} ${textOfDay(day)}`
