/**
 * What an operator has to notice about the requests of this server, such as webhooks with a wrong signature. Any client can send
 * such requests, so each subject costs one log line and one write in its interval, however many come.
 */
import { Clock, Context, Effect, Layer } from "effect"

export interface Notice {
  /** Of a closed set, such as `webhook acme`. */
  readonly subject: string
  /** Of a closed set, such as the reason of a refusal. */
  readonly detail: string
  /** For the log: without anything that a client sent. */
  readonly sentence: string
  /** ms in which it is reported once. */
  readonly interval: number
}

export const oncePerMinute = 60_000

/** Stores the last notice of a subject, so that `paymux doctor` finds it in another process. */
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
  const reported = new Map<string, { readonly at: number; others: number }>()
  const report = (notice: Notice): Effect.Effect<void> =>
    Effect.suspend(() => {
      // Not the wall clock: one that was set back would silence the subject.
      const now = Number(clock.monotonicTimeNanosUnsafe() / 1_000_000n)
      const former = reported.get(notice.subject)
      if (former !== undefined && now - former.at < notice.interval) {
        former.others += 1
        return Effect.void
      }
      reported.set(notice.subject, { at: now, others: 0 })
      const others = former?.others ?? 0
      const line = others === 0 ? notice.sentence : `${notice.sentence} (${others} more since the last line)`
      return Effect.andThen(Effect.logWarning(line), keep(notice))
    })
  return Notices.of({ report })
}
