import { Clock, Effect } from "effect"

/**
 * Runs an effect at most once an hour for each subject. For log lines with few subjects, because all subjects stay in
 * memory.
 */
export const oncePerHour = () => {
  const ranAt = new Map<string, number>()
  return (subject: string, effect: Effect.Effect<void>): Effect.Effect<void> =>
    Effect.flatMap(Clock.currentTimeMillis, (now) => {
      const last = ranAt.get(subject)
      if (last !== undefined && now >= last && now - last < hour) return Effect.void
      ranAt.set(subject, now)
      return effect
    })
}

/** The length of an hour, ms. */
const hour = 3_600_000
