/**
 * Deletes data whose retention period has ended: a background pass, in small batches, on any number of processes.
 *
 * Data that decisions depend on is kept permanently. An idempotency key stays bound, so that it never creates a second
 * payment; only the bytes of its first response are deleted. The id of a provider's event stays, so that it is never
 * applied again; only its evidence is deleted.
 */
import { Clock, Context, Effect, Layer } from "effect"
import type { PaymentId } from "../../domain/Ids.ts"
import { PaymentStore } from "../../store/PaymentStore.ts"
import { inBackground } from "../recover/inBackground.ts"
import type { StoreUnavailable } from "../../store/PaymentStore.ts"

/** The retention periods, ms; `null` keeps the data permanently. */
export interface RetentionSettings {
  /** The retention of the bytes of first responses, since the request was made, ms. */
  readonly answers: number | null
  /** The retention of the evidence of applied provider events, since their receipt, ms. */
  readonly inbox: number | null
}

const day = 86_400_000
/** The retention of unverified webhooks, ms. It is not configurable, so that they are never stored for longer. */
const keptWebhooksFor = 30 * day

export const retentionDefaults: RetentionSettings = { answers: 30 * day, inbox: 90 * day }

/** The numbers of rows that were emptied or, for stored webhooks, deleted. */
export interface Pruned {
  readonly answers: number
  readonly inbox: number
  readonly keptWebhooks: number
}

export class Retention extends Context.Service<
  Retention,
  {
    /** Runs one pass over all data whose retention period has ended. */
    readonly pass: Effect.Effect<Pruned, StoreUnavailable>
  }
>()("@paymux/core/execution/Retention") {
  /** Runs a pass every hour while the layer lives; the first one a minute after the start. */
  static readonly layer = (settings: RetentionSettings = retentionDefaults) => Layer.effect(Retention, make(settings))
}

const make = Effect.fnUntraced(function* (settings: RetentionSettings) {
  const { keptWebhooks, retention } = yield* PaymentStore

  /** Processes one batch of rows after another; each starts at the end of the previous one. */
  const walk = Effect.fnUntraced(function* <Cursor>(
    keptFor: number | null,
    stretch: (before: number, after: Cursor | null) => Effect.Effect<Stretch<Cursor>, StoreUnavailable>
  ) {
    if (keptFor === null) return 0
    const before = (yield* Clock.currentTimeMillis) - keptFor
    let total = 0
    let after: Cursor | null = null
    do {
      const { next, pruned }: Stretch<Cursor> = yield* stretch(before, after)
      total += pruned
      after = next
      if (next !== null) yield* Effect.sleep(times.pause)
    } while (after !== null)
    return total
  })

  const pass = Effect.all({
    answers: walk<PaymentId>(settings.answers, (before, after) => retention.pruneAnswers({ before, after, limit })),
    inbox: walk<"again">(settings.inbox, (before) =>
      Effect.map(retention.pruneInbox({ before, limit }), (pruned) => ({
        pruned,
        next: pruned < limit ? null : "again"
      }))
    ),
    keptWebhooks: walk<"again">(keptWebhooksFor, (before) =>
      Effect.map(keptWebhooks.prune({ before, limit }), (pruned) => ({ pruned, next: pruned < limit ? null : "again" }))
    )
  })

  const logged = pass.pipe(
    Effect.tap(({ keptWebhooks }) =>
      keptWebhooks === 0
        ? Effect.void
        : Effect.logWarning(
            `Retention: deleted ${keptWebhooks} webhooks of instances that were not configured for 30 days`
          )
    ),
    Effect.tap(({ answers, inbox }) =>
      answers + inbox === 0
        ? Effect.void
        : Effect.logDebug(`Retention: deleted ${answers} stored answers and the evidence of ${inbox} provider events`)
    )
  )
  yield* inBackground(logged, times, "Retention: this is tried again in an hour")
  return Retention.of({ pass })
})

interface Stretch<Cursor> {
  readonly pruned: number
  /** The start of the next batch; `null` if no rows are left. */
  readonly next: Cursor | null
}

/** The number of rows per batch: a new payment waits for one batch at most. */
const limit = 200
/** The delay before the first pass, the interval of passes, and the pause between batches, ms. */
const times = { first: 60_000, every: 3_600_000, pause: 50 } as const
