/** Finds time windows that are skipped on the day when clocks are set forward. */
import { textOfDay } from "../../language/Day.ts"
import { DAY, minuteOfText, wallClock } from "../../match/TimeOfDay.ts"

/** A period of local time that is skipped when clocks are set forward, in minutes since 1970-01-01 00:00. */
interface LeftOut {
  readonly from: number
  readonly to: number
}

export type SkippedDay = (from: string, to: string, zone: string) => string | null

/**
 * Returns a function that finds the first day (`2027-03-28`) of the year after `now` on which a time window is skipped
 * completely; `null` if it is never skipped.
 */
export const skippedDays = (now: number): SkippedDay => {
  const byZone = new Map<string, ReadonlyArray<LeftOut>>()
  return (from, to, zone) => {
    const leftOut = byZone.get(zone) ?? leftOutIn(zone, now)
    byZone.set(zone, leftOut)
    const [first, last] = [minuteOfText(from), minuteOfText(to)]
    // A time window that spans midnight is never skipped completely.
    if (first >= last) return null
    const day = leftOut
      .map((each) => ({ ...each, begins: Math.floor(each.from / DAY) * DAY }))
      .find((each) => each.begins + first >= each.from && each.begins + last <= each.to)
    return day === undefined ? null : textOfDay(day.begins / DAY)
  }
}

const DAY_MS = 86_400_000
/** The step of the search for clock changes, ms: time zones change their offset only at a quarter of an hour. */
const QUARTER_MS = 900_000

const leftOutIn = (zone: string, now: number): ReadonlyArray<LeftOut> => {
  const clock = wallClock(zone)
  const start = Math.floor(now / DAY_MS) * DAY_MS
  const found: Array<LeftOut> = []
  for (let day = start; day < start + 366 * DAY_MS; day += DAY_MS) {
    if (clock(day + DAY_MS) - clock(day) <= DAY) continue
    for (let time = day + QUARTER_MS; time <= day + DAY_MS; time += QUARTER_MS) {
      const from = clock(time - QUARTER_MS) + 15
      const to = clock(time)
      if (to > from) found.push({ from, to })
    }
  }
  return found
}
