/**
 * Determines the times at which rules with exclusions and outages have to be checked: now, each beginning and end of an
 * outage, and each time in between at which a condition on time starts or stops holding. The effect of a rule changes
 * at no other time.
 */
import type { Outage } from "../language/Outage.ts"
import { rangesOf } from "../match/DayTest.ts"
import { DAY, timeAt } from "../match/TimeOfDay.ts"
import type { TimeWindow } from "../match/TimeOfDay.ts"

/** The number of days to check from the beginning of a period: every weekday, and the days before and after. */
const DAYS = 9
/**
 * The limits of the check: the total number of times, and the number of date ranges per condition. Further times and
 * date ranges are not checked.
 */
const MOST_TIMES = 4_000
const MOST_DATES = 200

const DAY_MS = 86_400_000

/** The times to check, ms UTC, ascending. The first one is `now`. */
export const momentsOf = (
  outages: ReadonlyArray<Outage>,
  windows: ReadonlyArray<TimeWindow>,
  now: number
): ReadonlyArray<number> => {
  const starts = edgesOf(outages, now)
  const moments = new Set(starts.slice(0, MOST_TIMES))
  let tried = 0
  for (const [index, start] of starts.entries()) {
    const end = starts[index + 1] ?? Number.POSITIVE_INFINITY
    for (const window of windows) {
      for (const time of turnsOf(window, start)) {
        if (tried++ >= MOST_TIMES) return sorted(moments)
        if (time > start && time < end) moments.add(time)
      }
    }
  }
  return sorted(moments)
}

/** The times at which an outage begins or ends after `now`, ascending, with `now` first. */
export const edgesOf = (outages: ReadonlyArray<Outage>, now: number): ReadonlyArray<number> => {
  const edges = outages.flatMap(({ from, to = Number.NaN }) => [from, to]).filter((time) => time > now)
  return sorted(new Set([now, ...edges]))
}

const sorted = (moments: Iterable<number>): ReadonlyArray<number> => [...moments].sort((a, b) => a - b)

const turnsOf = function* ({ days, from, to, zone }: TimeWindow, start: number): Iterable<number> {
  const first = Math.floor(start / DAY_MS) - 1
  for (let day = first; day < first + DAYS + 1; day++) {
    yield timeAt(zone, day * DAY + from)
    yield timeAt(zone, day * DAY + (to % DAY))
    yield timeAt(zone, day * DAY)
  }
  const dates = days === null ? [] : rangesOf(days)
  for (const range of dates.filter((date) => date.to >= first).slice(0, MOST_DATES)) {
    // Only the first week of a date range is checked, which includes each weekday, since the condition may also be
    // limited to weekdays.
    for (let day = range.from; day <= Math.min(range.to, range.from + 7); day++) yield timeAt(zone, day * DAY + from)
    yield timeAt(zone, (range.to + 1) * DAY)
  }
}
