/** A stretch of time as a person names it: `--since 30d --until 2026-10-31`. */
import { durationMs } from "@paymux/routing"
import { iso } from "@paymux/core/wire"
import { Clock, Effect, Option } from "effect"
import { Flag } from "effect/cli"
import type { CliError } from "effect/cli"
import type { TimeRange } from "../rules/storedPayments.ts"
import { userError } from "./userError.ts"

export const sinceFlag = Flag.String("since").pipe(
  Flag.withDescription(
    "The start of the period: a duration before now, such as 30d or 12h, or a time, such as 2026-10-01"
  ),
  Flag.withDefault("30d")
)

export const untilFlag = Flag.String("until").pipe(
  Flag.withDescription("The end of the period, in the same format; default now"),
  Flag.optional
)

export const timeRange = Effect.fnUntraced(function* (
  since: string,
  until: Option.Option<string>
): Effect.fn.Return<TimeRange, CliError.UserError> {
  const now = yield* Clock.currentTimeMillis
  const from = yield* momentAt("--since", since, now)
  const end = Option.isNone(until) ? now : yield* momentAt("--until", until.value, now)
  if (from < end) return { from, until: end }
  return yield* userError(new Error(`There is no time between ${iso(from)} (--since) and ${iso(end)} (--until).`))
})

/** ms UTC; `flag` is named in the refusal. */
export const momentOf = (flag: string, text: string) =>
  Effect.flatMap(Clock.currentTimeMillis, (now) => momentAt(flag, text, now))

const momentAt = (flag: string, text: string, now: number): Effect.Effect<number, CliError.UserError> => {
  const ago = durationMs(text)
  // Nothing is older than the epoch.
  if (ago !== null) return Effect.succeed(Math.max(0, now - ago))
  // A day begins in UTC, as all times do here.
  const time = timeOf(/^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T00:00:00Z` : text)
  if (time !== null && time >= 0) return Effect.succeed(time)
  return userError(
    new Error(
      `${flag} cannot be ${JSON.stringify(text)}: name how long ago, such as 30d (ms, s, m, h or d), or a time, such as 2026-10-01 or 2026-10-01T08:00:00Z.`
    )
  )
}

/** ms UTC of a time with a zone, such as `2026-11-21T23:45:00+05:30`; `null`: it is none, or on a day that never comes. */
export const timeOf = (text: string): number | null => {
  const [, day] = /^(\d{4}-\d\d-\d\d)T.*(?:Z|[+-]\d\d:\d\d)$/.exec(text) ?? []
  if (day === undefined) return null
  const time = Date.parse(text)
  const midnight = Date.parse(`${day}T00:00:00Z`)
  // To `Date`, 2026-02-30 is 2026-03-02.
  return Number.isNaN(time) || Number.isNaN(midnight) || !iso(midnight).startsWith(day) ? null : time
}
