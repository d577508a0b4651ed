/**
 * The book of the simulated providers, as remote providers would keep it: apart from the engine's store, and still there
 * after the engine was killed.
 *
 * It keeps what it is given. What a payment becomes is decided by `LedgerEntry`; every change is a compare-and-set on
 * `revision`. `movements` is the oracle of tests: it counts how often money was taken.
 */
import { Context, Effect, Layer, Schema } from "effect"
import type { PaymentId } from "@paymux/core"
import { dueAt, withoutPayer } from "./LedgerEntry.ts"
import type { LedgerChange, LedgerEntry, Movement } from "./LedgerEntry.ts"

/** The book cannot be read or written at the moment. */
export class LedgerUnavailable extends Schema.TaggedError<LedgerUnavailable>()("LedgerUnavailable", {
  cause: Schema.Defect()
}) {}

export interface BookedQuery {
  /** ms UTC, inclusive. */
  readonly since: number
  /** ms UTC, exclusive. */
  readonly until: number
  /** Only after this one. */
  readonly after: { readonly at: number; readonly key: string } | null
  readonly limit: number
}

/** With the reference of the payment that it belongs to. */
export interface BookedMovement extends Movement {
  readonly charge: string
}

export class SandboxLedger extends Context.Service<
  SandboxLedger,
  {
    /** The first entry under a provider's key stays: answers what stands under the key afterwards. */
    readonly open: (change: LedgerChange) => Effect.Effect<LedgerEntry, LedgerUnavailable>
    /** Writes only where the entry is still at `before.revision`; answers whether it wrote. */
    readonly advance: (before: LedgerEntry, change: LedgerChange) => Effect.Effect<boolean, LedgerUnavailable>
    readonly findByKey: (provider: string, key: string) => Effect.Effect<LedgerEntry | null, LedgerUnavailable>
    readonly findByReference: (
      provider: string,
      reference: string
    ) => Effect.Effect<LedgerEntry | null, LedgerUnavailable>
    /** One for each provider that took the payment, in the order they did. */
    readonly findByPayment: (id: PaymentId) => Effect.Effect<ReadonlyArray<LedgerEntry>, LedgerUnavailable>
    /** What needs the provider's attention at `now` (ms UTC), longest due first. */
    readonly due: (provider: string, now: number) => Effect.Effect<ReadonlyArray<LedgerEntry>, LedgerUnavailable>
    /** When something needs its attention next. ms UTC */
    readonly nextDueAt: (provider: string) => Effect.Effect<number | null, LedgerUnavailable>
    /** All that was done with the payment's money, over all providers, in the order of time. */
    readonly movements: (id: PaymentId) => Effect.Effect<ReadonlyArray<Movement>, LedgerUnavailable>
    readonly findMovement: (provider: string, key: string) => Effect.Effect<Movement | null, LedgerUnavailable>
    /** Captures and refunds of a provider within a time, in its order. */
    readonly booked: (
      provider: string,
      query: BookedQuery
    ) => Effect.Effect<ReadonlyArray<BookedMovement>, LedgerUnavailable>
    /** Empties what the book says of the payer; amounts, story and movements stay. */
    readonly forgetPayer: (id: PaymentId) => Effect.Effect<void, LedgerUnavailable>
  }
>()("@paymux/sandbox/SandboxLedger") {
  static readonly layerMemory: Layer.Layer<SandboxLedger> = Layer.sync(SandboxLedger, () => makeMemory())
}

/**
 * Reads, decides and writes, again after a lost race. `decide` answers `null` to leave the entry as it is. Answers the
 * entry as it stands afterwards; `null`: it does not exist.
 */
export const amend = Effect.fnUntraced(function* (
  ledger: SandboxLedger["Service"],
  { key, provider }: { readonly provider: string; readonly key: string },
  decide: (entry: LedgerEntry) => LedgerChange | null
) {
  while (true) {
    const entry = yield* ledger.findByKey(provider, key)
    const change = entry === null ? null : decide(entry)
    if (entry === null || change === null) return entry
    if (yield* ledger.advance(entry, change)) return change.entry
  }
})

const makeMemory = (): SandboxLedger["Service"] => {
  const entries = new Map<string, LedgerEntry>()
  const movements = new Map<string, Movement>()
  const nameOf = ({ key, provider }: { readonly provider: string; readonly key: string }) => `${provider} ${key}`
  const write = ({ entry, movements: made }: LedgerChange) => {
    entries.set(nameOf(entry), entry)
    for (const movement of made) {
      if (!movements.has(nameOf(movement))) movements.set(nameOf(movement), movement)
    }
  }
  const waiting = (provider: string) =>
    [...entries.values()]
      .filter((entry) => entry.provider === provider)
      .map((entry) => ({ entry, at: dueAt(entry) ?? Infinity }))
      .filter(({ at }) => at !== Infinity)
      .sort((a, b) => a.at - b.at)
  return SandboxLedger.of({
    open: (change) =>
      Effect.sync(() => {
        const standing = entries.get(nameOf(change.entry))
        if (standing !== undefined) return standing
        write(change)
        return change.entry
      }),
    advance: (before, change) =>
      Effect.sync(() => {
        if (entries.get(nameOf(before))?.revision !== before.revision) return false
        write(change)
        return true
      }),
    findByKey: (provider, key) => Effect.sync(() => entries.get(nameOf({ provider, key })) ?? null),
    findByReference: (provider, reference) =>
      Effect.sync(
        () => [...entries.values()].find((each) => each.provider === provider && each.reference === reference) ?? null
      ),
    findByPayment: (id) => Effect.sync(() => [...entries.values()].filter((entry) => entry.paymentId === id)),
    due: (provider, now) =>
      Effect.sync(() =>
        waiting(provider)
          .filter(({ at }) => at <= now)
          .map(({ entry }) => entry)
      ),
    nextDueAt: (provider) => Effect.sync(() => waiting(provider)[0]?.at ?? null),
    movements: (id) =>
      Effect.sync(() =>
        [...movements.values()].filter((movement) => movement.paymentId === id).sort((a, b) => a.at - b.at)
      ),
    findMovement: (provider, key) => Effect.sync(() => movements.get(nameOf({ provider, key })) ?? null),
    booked: (provider, { after, limit, since, until }) =>
      Effect.sync(() =>
        [...movements.values()]
          .filter((each) => each.provider === provider && each.kind !== "cancel")
          .filter(({ at }) => at >= since && at < until)
          .sort((a, b) => a.at - b.at || (a.key < b.key ? -1 : 1))
          .filter(({ at, key }) => after === null || at > after.at || (at === after.at && key > after.key))
          .slice(0, limit)
          .flatMap((each) => {
            const entry = [...entries.values()].find(
              ({ paymentId, provider: at }) => at === provider && paymentId === each.paymentId
            )
            return entry === undefined ? [] : [{ ...each, charge: entry.reference }]
          })
      ),
    forgetPayer: (id) =>
      Effect.sync(() => {
        for (const entry of entries.values())
          if (entry.paymentId === id) entries.set(nameOf(entry), withoutPayer(entry))
      })
  })
}
