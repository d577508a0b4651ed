/**
 * The ledger of the simulated providers. Like the ledger of a remote provider, it is separate from the engine's store
 * and survives a crash of the engine.
 *
 * The ledger only stores entries: `LedgerEntry` computes their changes, and each change is a compare-and-set on
 * `revision`. Tests use `movements` as an oracle that counts how often money was taken.
 */
import { Context, Effect, Layer, Schema } from "effect"
import type { PaymentId } from "@paymux/core"
import { dueAt, withoutPayer } from "./LedgerEntry.ts"
import type { LedgerChange, LedgerEntry, Movement } from "./LedgerEntry.ts"

/** Error: the ledger cannot be read or written at the moment. */
export class LedgerUnavailable extends Schema.TaggedError<LedgerUnavailable>()("LedgerUnavailable", {
  cause: Schema.Defect()
}) {}

export interface BookedQuery {
  /** The start of the period, ms UTC, inclusive. */
  readonly since: number
  /** The end of the period, ms UTC, exclusive. */
  readonly until: number
  /** The time and key of the last movement of the previous page: only later movements are returned. */
  readonly after: { readonly at: number; readonly key: string } | null
  readonly limit: number
}

/** A movement, with the provider's reference of its payment. */
export interface BookedMovement extends Movement {
  readonly charge: string
}

export class SandboxLedger extends Context.Service<
  SandboxLedger,
  {
    /**
     * Inserts the entry unless its provider already has an entry with this idempotency key. Returns the stored entry.
     */
    readonly open: (change: LedgerChange) => Effect.Effect<LedgerEntry, LedgerUnavailable>
    /** Writes only if the entry is still at `before.revision`. Returns whether it wrote. */
    readonly advance: (before: LedgerEntry, change: LedgerChange) => Effect.Effect<boolean, LedgerUnavailable>
    readonly findByKey: (provider: string, key: string) => Effect.Effect<LedgerEntry | null, LedgerUnavailable>
    readonly findByReference: (
      provider: string,
      reference: string
    ) => Effect.Effect<LedgerEntry | null, LedgerUnavailable>
    /** Finds the entries of a payment: one for each provider that accepted it, in the order of acceptance. */
    readonly findByPayment: (id: PaymentId) => Effect.Effect<ReadonlyArray<LedgerEntry>, LedgerUnavailable>
    /** The entries with a step to apply or to report at `now` (ms UTC), longest due first. */
    readonly due: (provider: string, now: number) => Effect.Effect<ReadonlyArray<LedgerEntry>, LedgerUnavailable>
    /** Returns the time at which the provider's next entry is due, ms UTC. */
    readonly nextDueAt: (provider: string) => Effect.Effect<number | null, LedgerUnavailable>
    /** Lists all movements of the payment, at all providers, by time. */
    readonly movements: (id: PaymentId) => Effect.Effect<ReadonlyArray<Movement>, LedgerUnavailable>
    readonly findMovement: (provider: string, key: string) => Effect.Effect<Movement | null, LedgerUnavailable>
    /** Lists captures and refunds of a provider within a period, by time and key. */
    readonly booked: (
      provider: string,
      query: BookedQuery
    ) => Effect.Effect<ReadonlyArray<BookedMovement>, LedgerUnavailable>
    /** Erases the payer's personal data; amounts, steps and movements are kept. */
    readonly forgetPayer: (id: PaymentId) => Effect.Effect<void, LedgerUnavailable>
  }
>()("@paymux/sandbox/SandboxLedger") {
  static readonly layerMemory: Layer.Layer<SandboxLedger> = Layer.sync(SandboxLedger, () => makeMemory())
}

/**
 * Reads an entry, computes its change and writes it, again if another writer was faster. `decide` returns `null` to
 * leave the entry unchanged. Returns the resulting entry; `null`: the entry does not exist.
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
