/** What `paymux.statements` does: what was read of providers' statements, and how it differs from the books. */
import type { Tenant } from "@paymux/core"
import { differenceKinds, ProviderRegistry } from "@paymux/core/engine"
import { providerStatements } from "@paymux/dashboard"
import type { ProviderStatement } from "@paymux/dashboard"
import { differenceStates, Statements } from "@paymux/sql"
import type {
  DifferenceQuery,
  ListedDifference,
  ListedMovement,
  MovementQuery,
  RunQuery,
  StatementList,
  StatementPayout,
  StatementRun
} from "@paymux/sql"
import { Effect } from "effect"
import * as PaymentCalls from "./PaymentCalls.ts"

/** A statement belongs to a provider in test or live mode, and to no account: these calls show all of the mode. */
export interface StatementOperations {
  /** Of each provider that has a statement or a run: up to when it was read, and its last run. */
  readonly list: () => Promise<ReadonlyArray<ProviderStatement>>
  /** Runs that have read statements, newest first; 20 unless `limit` says otherwise (at most 1000). */
  readonly runs: (query?: Partial<RunQuery>) => Promise<StatementList<StatementRun>>
  /** Differences from the books, newest first. */
  readonly differences: (query?: Partial<DifferenceQuery>) => Promise<StatementList<ListedDifference>>
  /** Movements of other systems at the account (`foreign`), payouts to the bank, or what a payout consists of. */
  readonly movements: (query: MovementSelection) => Promise<StatementList<ListedMovement>>
  /** What was transferred to the bank with this payout, and the sums of its movements. `null`: no movement names it. */
  readonly payout: (payout: PayoutSelection) => Promise<StatementPayout | null>
  /** Stops a run before its next page. What it has read is kept. `false`: it has ended already. */
  readonly cancel: (run: number) => Promise<boolean>
}

export interface MovementSelection {
  readonly provider: string
  readonly of: "foreign" | "payouts" | "payout"
  /** Required for `payout`. */
  readonly payout?: string
  readonly after?: string
  readonly limit?: number
}

export interface PayoutSelection {
  readonly provider: string
  /** The provider's id of the payout. */
  readonly payout: string
}

export const list = ({ livemode }: Tenant) => providerStatements(livemode)

export const runs = Effect.fnUntraced(function* ({ livemode }: Tenant, query: Partial<RunQuery>) {
  yield* PaymentCalls.onlyKnown(query, ["provider", "after", "limit"])
  for (const name of ["provider", "after"] as const) yield* PaymentCalls.asText(query[name], `/${name}`)
  const limit = yield* PaymentCalls.asLimit(query.limit)
  return yield* Statements.use((statements) => statements.runs(livemode, { ...query, limit }))
})

export const differences = Effect.fnUntraced(function* ({ livemode }: Tenant, query: Partial<DifferenceQuery>) {
  yield* PaymentCalls.onlyKnown(query, ["provider", "kind", "state", "run", "after", "limit"])
  for (const name of ["provider", "after"] as const) yield* PaymentCalls.asText(query[name], `/${name}`)
  if (query.kind !== undefined) yield* PaymentCalls.asOneOf(query.kind, differenceKinds, "/kind")
  if (query.state !== undefined) yield* PaymentCalls.asOneOf(query.state, differenceStates, "/state")
  if (query.run !== undefined) yield* asRun(query.run, "/run")
  const limit = yield* PaymentCalls.asLimit(query.limit)
  return yield* Statements.use((statements) => statements.differences(livemode, { ...query, limit }))
})

export const movements = Effect.fnUntraced(function* ({ livemode }: Tenant, query: MovementSelection) {
  yield* PaymentCalls.onlyKnown(query, ["provider", "of", "payout", "after", "limit"])
  const { after, of, payout, provider } = query
  yield* PaymentCalls.asOneOf(of, ["foreign", "payouts", "payout"], "/of")
  for (const [name, text] of Object.entries({ provider, payout, after })) yield* PaymentCalls.asText(text, `/${name}`)
  yield* asProvider(provider, livemode)
  const page = { provider, limit: yield* PaymentCalls.asLimit(query.limit), ...(after !== undefined && { after }) }
  if (of !== "payout") return yield* listMovements({ ...page, of })
  return payout === undefined
    ? yield* PaymentCalls.invalid("/payout", "must be the provider's id of the payout")
    : yield* listMovements({ ...page, of, payout })
})

const listMovements = (query: MovementQuery) => Statements.use((statements) => statements.movements(query))

export const payout = Effect.fnUntraced(function* ({ livemode }: Tenant, query: PayoutSelection) {
  yield* PaymentCalls.onlyKnown(query, ["provider", "payout"])
  const { payout: id, provider } = query
  yield* asProvider(provider, livemode)
  return typeof id === "string"
    ? yield* Statements.use((statements) => statements.payout(provider, id))
    : yield* PaymentCalls.invalid("/payout", "must be the provider's id of the payout")
})

const asProvider = Effect.fnUntraced(function* (provider: unknown, livemode: boolean) {
  const { serving } = yield* ProviderRegistry
  if (typeof provider !== "string" || serving(provider, livemode) === null) {
    yield* PaymentCalls.invalid("/provider", "is not a provider of this mode")
  }
})

export const cancel = Effect.fnUntraced(function* ({ livemode }: Tenant, run: number) {
  yield* asRun(run, "/run")
  return yield* Statements.use((statements) => statements.stop({ id: run, livemode }, "canceled", null))
})

const asRun = (run: number, pointer: string) =>
  Number.isSafeInteger(run) && run > 0 ? Effect.void : PaymentCalls.invalid(pointer, "must be the number of a run")
