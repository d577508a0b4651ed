/** What `paymux.statements` does: what was read of providers' statements, and how it differs from the books. */
import type { Tenant } from "@paymux/core"
import { differenceKinds, ProviderRegistry } from "@paymux/core/engine"
import { Statements } from "@paymux/sql"
import type {
  DifferenceQuery,
  EnteredMovement,
  ListedDifference,
  MovementQuery,
  RunQuery,
  StatementList,
  StatementRun
} from "@paymux/sql"
import { Effect } from "effect"
import * as PaymentCalls from "./PaymentCalls.ts"

/** A statement belongs to a provider in test or live mode, and to no account: these calls show all of the mode. */
export interface StatementOperations {
  /** Runs that have read statements, newest first; 20 unless `limit` says otherwise (at most 1000). */
  readonly runs: (query?: Partial<RunQuery>) => Promise<StatementList<StatementRun>>
  /** Differences from the books, newest first. */
  readonly differences: (query?: Partial<DifferenceQuery>) => Promise<StatementList<ListedDifference>>
  /** Movements of other systems at the account (`foreign`), payouts to the bank, or what a payout consists of. */
  readonly movements: (query: MovementSelection) => Promise<StatementList<EnteredMovement>>
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

export const runs = Effect.fnUntraced(function* ({ livemode }: Tenant, query: Partial<RunQuery>) {
  yield* PaymentCalls.onlyKnown(query, ["provider", "after", "limit"])
  for (const name of ["provider", "after"] as const) yield* PaymentCalls.asText(query[name], `/${name}`)
  const limit = yield* PaymentCalls.asLimit(query.limit)
  return yield* Statements.use((statements) => statements.runs(livemode, { ...query, limit }))
})

export const differences = Effect.fnUntraced(function* ({ livemode }: Tenant, query: Partial<DifferenceQuery>) {
  yield* PaymentCalls.onlyKnown(query, ["provider", "kind", "run", "after", "limit"])
  for (const name of ["provider", "after"] as const) yield* PaymentCalls.asText(query[name], `/${name}`)
  if (query.kind !== undefined) yield* PaymentCalls.asOneOf(query.kind, differenceKinds, "/kind")
  if (query.run !== undefined) yield* asRun(query.run, "/run")
  const limit = yield* PaymentCalls.asLimit(query.limit)
  return yield* Statements.use((statements) => statements.differences(livemode, { ...query, limit }))
})

export const movements = Effect.fnUntraced(function* ({ livemode }: Tenant, query: MovementSelection) {
  yield* PaymentCalls.onlyKnown(query, ["provider", "of", "payout", "after", "limit"])
  const { after, of, payout, provider } = query
  yield* PaymentCalls.asOneOf(of, ["foreign", "payouts", "payout"], "/of")
  for (const [name, text] of Object.entries({ provider, payout, after })) yield* PaymentCalls.asText(text, `/${name}`)
  const { serving } = yield* ProviderRegistry
  if (typeof provider !== "string" || serving(provider, livemode) === null) {
    return yield* PaymentCalls.invalid("/provider", "is not a provider of this mode")
  }
  const page = { provider, limit: yield* PaymentCalls.asLimit(query.limit), ...(after !== undefined && { after }) }
  if (of !== "payout") return yield* list({ ...page, of })
  return payout === undefined
    ? yield* PaymentCalls.invalid("/payout", "must be the provider's id of the payout")
    : yield* list({ ...page, of, payout })
})

const list = (query: MovementQuery) => Statements.use((statements) => statements.movements(query))

export const cancel = Effect.fnUntraced(function* ({ livemode }: Tenant, run: number) {
  yield* asRun(run, "/run")
  return yield* Statements.use((statements) => statements.stop({ id: run, livemode }, "canceled", null))
})

const asRun = (run: number, pointer: string) =>
  Number.isSafeInteger(run) && run > 0 ? Effect.void : PaymentCalls.invalid(pointer, "must be the number of a run")
