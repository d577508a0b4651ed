/**
 * Reports the events of simulated providers to the engine, as real providers do by webhook.
 *
 * The ledger counts the reported events, so that the others are reported after a restart. An event may be reported
 * twice, with the same `eventId`.
 */
import { Clock, Context, Effect, Layer, Queue } from "effect"
import { Outcome } from "@paymux/core"
import type { Evidence, ProviderContext } from "@paymux/core"
import { applyDue, markNotified } from "./LedgerEntry.ts"
import type { LedgerEntry, SandboxEvent } from "./LedgerEntry.ts"
import { amend, SandboxLedger } from "./SandboxLedger.ts"
import type { LedgerUnavailable } from "./SandboxLedger.ts"

export class SandboxNotifier extends Context.Service<
  SandboxNotifier,
  {
    /** Sends the reports of a provider to `emit` from now on. */
    readonly attach: (provider: string, emit: ProviderContext["emit"]) => void
    /**
     * Reports the unreported events of an entry, and returns when the events are applied. Before `attach`, the events
     * are reported later.
     */
    readonly notify: (entry: LedgerEntry) => Effect.Effect<void, LedgerUnavailable>
    /** Checks for due entries now, since a new entry may be due earlier than the others. */
    readonly wake: (provider: string) => void
    /** Applies and reports the steps of a provider's entries when they are due. */
    readonly run: (provider: string) => Effect.Effect<never>
  }
>()("@paymux/sandbox/SandboxNotifier") {
  static readonly layer: Layer.Layer<SandboxNotifier, never, SandboxLedger> = Layer.effect(
    SandboxNotifier,
    Effect.map(SandboxLedger, (ledger) => make(ledger))
  )
}

const make = (ledger: SandboxLedger["Service"]): SandboxNotifier["Service"] => {
  const emitters = new Map<string, ProviderContext["emit"]>()
  const sleepers = new Map<string, Queue.Queue<void>>()

  const notify = Effect.fnUntraced(function* (entry: LedgerEntry) {
    const emit = emitters.get(entry.provider)
    if (emit === undefined || entry.silent || entry.notified === entry.applied) return
    for (const evidence of toNotify(entry)) yield* emit(evidence)
    yield* amend(ledger, entry, (latest) =>
      latest.notified < entry.applied ? markNotified(latest, entry.applied) : null
    )
  })

  const notifyDue = Effect.fnUntraced(function* (provider: string) {
    const now = yield* Clock.currentTimeMillis
    const due = yield* ledger.due(provider, now)
    yield* Effect.forEach(
      due,
      Effect.fnUntraced(function* (entry) {
        const settled = yield* amend(ledger, entry, (latest) => applyDue(latest, now))
        if (settled !== null) yield* notify(settled)
      }),
      { concurrency: 16, discard: true }
    )
    const next = yield* ledger.nextDueAt(provider)
    return next === null ? longestSleep : Math.min(Math.max(next - now, 0), longestSleep)
  })

  const run = (provider: string) =>
    Effect.gen(function* () {
      const woken = yield* Queue.sliding<void>(1)
      sleepers.set(provider, woken)
      while (true) {
        const pause = yield* Effect.catch(notifyDue(provider), (error) =>
          Effect.as(Effect.logWarning(`Cannot read the ledger of ${provider}`, error), pauseAfterError)
        )
        yield* Effect.raceFirst(Queue.take(woken), Effect.sleep(pause))
      }
    })

  return SandboxNotifier.of({
    attach: (provider, emit) => void emitters.set(provider, emit),
    notify,
    wake: (provider) => {
      const sleeper = sleepers.get(provider)
      if (sleeper !== undefined) Queue.offerUnsafe(sleeper, undefined)
    },
    run
  })
}

// Another process on the same database may have stopped before it reported all events.
const longestSleep = 30_000
const pauseAfterError = 1_000

const toNotify = (entry: LedgerEntry): ReadonlyArray<Evidence> =>
  entry.steps.slice(entry.notified, entry.applied).map(({ at, event }, index) => ({
    source: "observed",
    about: { operation: entry.operationId },
    outcome: outcomeOf(event, entry),
    eventId: `${entry.provider}:${entry.reference}:${entry.notified + index + 1}`,
    occurredAt: at
  }))

const outcomeOf = (event: SandboxEvent, { amount, reference }: LedgerEntry): Outcome.Outcome => {
  switch (event.kind) {
    case "succeeded":
      return Outcome.succeeded({ reference, amount: { ...amount, minorUnits: event.received } })
    case "authorized":
      return Outcome.authorized({ reference, amount })
    case "declined":
      return Outcome.declined({ reference, code: event.code, retry: event.retry, vendorCode: event.code })
    case "expired":
      return Outcome.expired({ reference })
    case "detected":
      return Outcome.detected({
        reference,
        amount: { ...amount, minorUnits: event.received },
        ...(event.asset !== null && { asset: event.asset })
      })
    case "retracted":
      return Outcome.retracted({ reference })
  }
}
