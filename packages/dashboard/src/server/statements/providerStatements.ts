/** How far each provider's statement was read, and how its last run ended. */
import { ProviderRegistry } from "@paymux/core/engine"
import { Statements } from "@paymux/sql"
import type { StatementRun } from "@paymux/sql"
import { Effect } from "effect"

export interface ProviderStatement {
  /** The provider instance. */
  readonly provider: string
  /** Whether its adapter has a statement, which a running server reads once a day. `false`: files only. */
  readonly hasStatement: boolean
  /** ms UTC: up to where the provider's own statement was read without a gap; `null`: never. */
  readonly readUntil: number | null
  /** The newest run, of the statement or of a file; `null`: nothing was read yet. */
  readonly lastRun: StatementRun | null
}

/** Of the provider instances of the mode that have a statement or a run, in the order of the configuration. */
export const providerStatements = Effect.fnUntraced(function* (livemode: boolean) {
  const { providers, serving } = yield* ProviderRegistry
  const statements = yield* Statements
  const lastRuns = new Map((yield* statements.lastRuns(livemode)).map((run) => [run.provider, run]))
  const all: Array<ProviderStatement> = []
  for (const { id } of providers) {
    const lastRun = lastRuns.get(id) ?? null
    const running = serving(id, livemode)
    const hasStatement = running?.operations.statement !== undefined
    if (running === null || (!hasStatement && lastRun === null)) continue
    const readUntil = yield* statements.readUntil({ provider: id, livemode })
    all.push({ provider: id, hasStatement, readUntil, lastRun })
  }
  return all
})
