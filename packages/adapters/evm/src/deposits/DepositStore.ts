/**
 * The documents that an instance keeps, as JSON, each with its version. All are written by compare-and-set: several
 * processes write at the same time, and a scanner that has lost its turn writes nothing.
 *
 * - `operation/<operation>`: the address issued for a create.
 * - `deposit/<chain id>/<address>`: what is known of that address. It is kept for ever.
 * - `active/<chain id>`: addresses that have to be looked at again, and when.
 * - `branch/<branch>`: below which a process counts addresses (see `paths.ts`).
 */
import type { ProviderState } from "@paymux/core"
import { Currency } from "@paymux/core"
import { Effect, Option, Schema } from "effect"
import type { Address, Hex } from "viem"
import type { Deposit, Watch } from "./Deposit.ts"
import type { AddressPath } from "./paths.ts"

/** An unreadable document is a fault of this package or of a newer version: nothing is guessed. */
const unreadable = (key: string) => new Error(`The state under ${key} cannot be read by this version`)

/** Typed reads and writes of one kind of document. */
export interface Documents<A> {
  readonly get: (key: string) => Effect.Effect<A | null>
  /** Writes where nothing was; answers whether it wrote. */
  readonly add: (key: string, value: A) => Effect.Effect<boolean>
  /**
   * Reads, changes and writes until no other writer came in between. `null` of `change`: it stays as it is. Returns the document
   * as it stands.
   */
  readonly update: (key: string, change: (current: A | null) => A | null) => Effect.Effect<A | null>
}

/** How often a lost race is run again. A scanner that lost its turn never wins one, and ends here at the latest. */
const tries = 200

export const documents = <A>(state: ProviderState, schema: Schema.Codec<A, string>): Documents<A> => {
  const decode = Schema.decodeUnknownOption(schema)
  const encode = Schema.encodeSync(schema)
  const read = Effect.fnUntraced(function* (key: string) {
    const text = yield* state.get(key)
    if (text === null) return { text, value: null }
    const value = Option.getOrNull(decode(text))
    return value === null ? yield* Effect.die(unreadable(key)) : { text, value }
  })
  return {
    get: (key) => Effect.map(read(key), ({ value }) => value),
    add: (key, value) => state.compareAndSet(key, null, encode(value)),
    update: Effect.fnUntraced(function* (key, change) {
      for (let tried = 0; tried < tries; tried++) {
        const { text, value } = yield* read(key)
        const changed = change(value)
        if (changed === null || changed === value) return value
        if (yield* state.compareAndSet(key, text, encode(changed))) return changed
        yield* Effect.sleep(Math.min(tried, 10) * 10)
      }
      return yield* Effect.die(new Error(`The state under ${key} could not be written`))
    })
  }
}

// Boundary: what these patterns match is what the template types say.
const AddressText = Schema.String.check(Schema.isPattern(/^0x[0-9a-fA-F]{40}$/)).pipe(
  Schema.refine((text): text is Address => text.startsWith("0x"))
)
export const HexText = Schema.String.check(Schema.isPattern(/^0x[0-9a-f]*$/)).pipe(
  Schema.refine((text): text is Hex => text.startsWith("0x"))
)
const PathText = Schema.String.check(Schema.isPattern(/^\d{1,10}\/\d{1,10}$/)).pipe(
  Schema.refine((text): text is AddressPath => text.includes("/"))
)
/** A number is of an earlier version, which issued `0/1`, `0/2`, …. */
const PathJson = Schema.Union([Schema.Int, PathText])
const Place = { block: Schema.Int, index: Schema.Int }
const Name = { ...Place, tx: HexText, blockHash: HexText }

const CoinJson = Schema.Struct({
  asset: Schema.String,
  contract: AddressText,
  decimals: Schema.Int,
  currency: Schema.String.pipe(Schema.refine(Currency.isCurrency))
})

const DepositJson = Schema.fromJsonString(
  Schema.Struct({
    v: Schema.Literal(1),
    operation: Schema.String,
    chainId: Schema.Int,
    address: AddressText,
    path: PathJson,
    coin: CoinJson,
    asked: Schema.BigIntFromString,
    createdAt: Schema.Int,
    expiresAt: Schema.Int,
    closed: Schema.Boolean,
    seen: Schema.Array(
      Schema.Struct({ ...Name, token: AddressText, from: AddressText, units: Schema.BigIntFromString })
    ),
    credited: Schema.Array(Schema.Struct(Name)),
    folded: Schema.NullOr(Schema.Struct(Place)),
    right: Schema.BigIntFromString,
    wrong: Schema.Int,
    senders: Schema.Array(AddressText),
    reported: Schema.Struct({
      detected: Schema.NullOr(Schema.String),
      short: Schema.NullOr(Schema.Int),
      paid: Schema.NullOr(Schema.BigIntFromString),
      wrong: Schema.Int
    })
  }).pipe(Schema.encodeKeys({ path: "index", reported: "told" }))
)

const OperationJson = Schema.fromJsonString(
  Schema.Struct({ v: Schema.Literal(1), chainId: Schema.Int, address: AddressText, path: PathJson }).pipe(
    Schema.encodeKeys({ path: "index" })
  )
)
/** The address of a create operation. */
export type IssuedFor = typeof OperationJson.Type

const ActiveJson = Schema.fromJsonString(
  Schema.Struct({
    v: Schema.Literal(1),
    /** By address, in lower case. */
    watches: Schema.Record(
      Schema.String,
      Schema.Struct({ block: Schema.NullOr(Schema.Int), due: Schema.NullOr(Schema.Int) })
    )
  })
)

export const makeDepositStore = (state: ProviderState) => {
  const deposits = documents<Deposit & { readonly v: 1 }>(state, DepositJson)
  const operations = documents(state, OperationJson)
  const active = documents(state, ActiveJson)

  const depositKey = (chainId: number, address: string) => `deposit/${chainId}/${address.toLowerCase()}`
  const operationKey = (operation: string) => `operation/${operation}`
  const activeKey = (chainId: number) => `active/${chainId}`

  return {
    deposit: (chainId: number, address: string) => deposits.get(depositKey(chainId, address)),
    addDeposit: (deposit: Deposit) => deposits.add(depositKey(deposit.chainId, deposit.address), { ...deposit, v: 1 }),
    /** `null` of `change`: it stays as it is. Answers it as it stands, `null` where the address was never issued. */
    updateDeposit: (chainId: number, address: string, change: (deposit: Deposit) => Deposit | null) =>
      deposits.update(depositKey(chainId, address), (current) => {
        const changed = current === null ? null : change(current)
        return changed === null || changed === current ? null : { ...changed, v: 1 }
      }),
    issuedFor: (operation: string) => operations.get(operationKey(operation)),
    updateIssued: (operation: string, change: (current: IssuedFor | null) => IssuedFor | null) =>
      operations.update(operationKey(operation), change),
    watches: (chainId: number) => Effect.map(active.get(activeKey(chainId)), (found) => found?.watches ?? {}),
    /** The scanner looks at it with its next look. */
    watchNow: (chainId: number, address: string, now: number) =>
      active.update(activeKey(chainId), (current) => ({
        v: 1,
        watches: { ...current?.watches, [address.toLowerCase()]: { block: null, due: now } }
      })),
    /** Writes these watches; `null`: none is needed. A watch that another process has set since `known` stays. */
    setWatches: (
      chainId: number,
      changes: ReadonlyMap<string, Watch | null>,
      known: { readonly [address: string]: Watch }
    ) =>
      changes.size === 0
        ? Effect.void
        : Effect.asVoid(
            active.update(activeKey(chainId), (current) => {
              const before = current?.watches ?? {}
              const watches = new Map(Object.entries(before))
              for (const [address, watch] of changes) {
                if (!isSame(before[address], known[address])) continue
                if (watch === null) watches.delete(address)
                else watches.set(address, watch)
              }
              return { v: 1, watches: Object.fromEntries(watches) }
            })
          )
  }
}

const isSame = (a: Watch | undefined, b: Watch | undefined): boolean => a?.block === b?.block && a?.due === b?.due

export type DepositStore = ReturnType<typeof makeDepositStore>
