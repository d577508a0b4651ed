/**
 * Notices for operators about requests, such as webhooks with a wrong signature. Any client can send such requests, so
 * each subject costs one log line and one write per interval.
 */
import { Clock, Context, Effect, Layer } from "effect"

export interface Notice {
  /**
   * The subject of the notice, such as `webhook acme`. It comes from a closed set, so it contains no data of the
   * client.
   */
  readonly subject: string
  /**
   * The detail of the notice, such as the reason of a rejection. It comes from a closed set, so it contains no data of
   * the client.
   */
  readonly detail: string
  /** The text of the log line. It contains no data of the client. */
  readonly sentence: string
  /** The interval in ms. Within it, each subject is reported at most once. */
  readonly interval: number
}

export const oncePerMinute = 60_000

/** Stores the last notice of a subject, for `paymux doctor` in another process. */
export type KeepNotice = (notice: Notice) => Effect.Effect<void>

export class Notices extends Context.Service<Notices, { readonly report: (notice: Notice) => Effect.Effect<void> }>()(
  "@paymux/http/Notices"
) {
  static readonly layer = (keep: KeepNotice): Layer.Layer<Notices> =>
    Layer.effect(
      Notices,
      Effect.map(Clock.Clock, (clock) => make(clock, keep))
    )
}

const make = (clock: Clock.Clock, keep: KeepNotice) => {
  const reported = new Map<string, { readonly at: number; suppressed: number }>()
  const report = (notice: Notice) =>
    Effect.suspend(() => {
      // The clock is monotonic. With the wall clock, a subject would not be reported after that clock was set back,
      // until the clock has caught up.
      const now = Number(clock.monotonicTimeNanosUnsafe() / 1_000_000n)
      const former = reported.get(notice.subject)
      if (former !== undefined && now - former.at < notice.interval) {
        former.suppressed += 1
        return Effect.void
      }
      reported.set(notice.subject, { at: now, suppressed: 0 })
      const suppressed = former?.suppressed ?? 0
      const line = suppressed === 0 ? notice.sentence : `${notice.sentence} (${suppressed} more since the last line)`
      return Effect.andThen(Effect.logWarning(line), keep(notice))
    })
  return Notices.of({ report })
}
