/**
 * How a simulated provider tells what happened without being asked, as a real one does with its webhooks.
 *
 * What has been told is kept in the book, so that after a restart the rest is told. It may be told twice: each piece
 * has an `eventId` of its own.
 */
import { Clock, Context, Effect, Layer, Queue } from "effect"
import { Outcome } from "@paymux/core"
import type { Evidence, ProviderContext } from "@paymux/core"
import { applyDue, markTold } from "./LedgerEntry.ts"
import type { LedgerEntry, SandboxEvent } from "./LedgerEntry.ts"
import { amend, SandboxLedger } from "./SandboxLedger.ts"
import type { LedgerUnavailable } from "./SandboxLedger.ts"

export class SandboxTeller extends Context.Service<
  SandboxTeller,
  {
    /** Makes the engine behind `emit` the one that is told of a provider's payments. */
    readonly attach: (provider: string, emit: ProviderContext["emit"]) => void
    /** Tells what was not told yet; returns when the engine has taken it. Where no engine is attached, it waits for one. */
    readonly tell: (entry: LedgerEntry) => Effect.Effect<void, LedgerUnavailable>
    /** Something new may become due. */
    readonly wake: (provider: string) => void
    /** Makes true and tells whatever becomes due at a provider, from now on. */
    readonly run: (provider: string) => Effect.Effect<never>
  }
>()("@paymux/sandbox/SandboxTeller") {
  static readonly layer: Layer.Layer<SandboxTeller, never, SandboxLedger> = Layer.effect(
    SandboxTeller,
    Effect.map(SandboxLedger, (ledger) => make(ledger))
  )
}

const make = (ledger: SandboxLedger["Service"]): SandboxTeller["Service"] => {
  const emitters = new Map<string, ProviderContext["emit"]>()
  const sleepers = new Map<string, Queue.Queue<void>>()

  const tell = Effect.fnUntraced(function* (entry: LedgerEntry) {
    const emit = emitters.get(entry.provider)
    if (emit === undefined || entry.silent || entry.told === entry.applied) return
    for (const evidence of untold(entry)) yield* emit(evidence)
    yield* amend(ledger, entry, (latest) => (latest.told < entry.applied ? markTold(latest, entry.applied) : null))
  })

  const tellDue = Effect.fnUntraced(function* (provider: string) {
    const now = yield* Clock.currentTimeMillis
    const due = yield* ledger.due(provider, now)
    yield* Effect.forEach(
      due,
      Effect.fnUntraced(function* (entry) {
        const settled = yield* amend(ledger, entry, (latest) => applyDue(latest, now))
        if (settled !== null) yield* tell(settled)
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
        const pause = yield* Effect.catch(tellDue(provider), (error) =>
          Effect.as(Effect.logWarning(`The book of ${provider} cannot be read`, error), pauseAfterError)
        )
        yield* Effect.raceFirst(Queue.take(woken), Effect.sleep(pause))
      }
    })

  return SandboxTeller.of({
    attach: (provider, emit) => void emitters.set(provider, emit),
    tell,
    wake: (provider) => {
      const sleeper = sleepers.get(provider)
      if (sleeper !== undefined) Queue.offerUnsafe(sleeper, undefined)
    },
    run
  })
}

// Another process on the same database may have died over what it had to tell.
const longestSleep = 30_000
const pauseAfterError = 1_000

const untold = (entry: LedgerEntry): ReadonlyArray<Evidence> =>
  entry.steps.slice(entry.told, entry.applied).map(({ at, event }, index) => ({
    source: "observed",
    about: { operation: entry.operationId },
    outcome: outcomeOf(event, entry),
    eventId: `${entry.provider}:${entry.reference}:${entry.told + index + 1}`,
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
