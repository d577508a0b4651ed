/**
 * The statements of providers in the database, and their comparison with our payments.
 *
 * Each step is one transaction: a page with its movements, its differences, and their reports to the engine. So a run
 * continues at the step where it stopped, and a page that is entered again changes nothing. Reports are kept in the
 * inbox of providers; a running engine applies them.
 */
import { InstanceIds } from "@paymux/core/engine"
import type { StatementPage } from "@paymux/core/statement"
import { ownIds, PaymentStore } from "@paymux/core/store"
import type { StoreUnavailable } from "@paymux/core/store"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import type { SqlError } from "effect/sql/SqlError"
import { unavailable } from "../dialect/unavailable.ts"
import { enterPage } from "./enterPage.ts"
import { compareStretch } from "./missingThere.ts"
import type { StatementPlace } from "./ourOperations.ts"
import { advanceRun, beginRun, readUntil, stopRun, unfinishedRun } from "./runRows.ts"
import type { NewStatementRun } from "./runRows.ts"
import { readPayout } from "./payouts.ts"
import type { StatementPayout } from "./payouts.ts"
import { listDifferences, listLastRuns, listMovements, listRuns } from "./statementLists.ts"
import type {
  DifferenceQuery,
  ListedDifference,
  ListedMovement,
  MovementQuery,
  RunQuery,
  StatementList
} from "./statementLists.ts"
import type { RunLost, StatementCursorInvalid } from "./StatementRefused.ts"
import type { StatementRules, StatementRun } from "./StatementRun.ts"

export class Statements extends Context.Service<
  Statements,
  {
    readonly begin: (run: NewStatementRun) => Effect.Effect<StatementRun, StoreUnavailable>
    /** Finds the run of the provider's own statement that was left unfinished. */
    readonly unfinished: (place: StatementPlace) => Effect.Effect<StatementRun | null, StoreUnavailable>
    /**
     * The end of the period that was read from the provider's own statement without a gap, ms UTC; `null`: nothing was
     * read.
     */
    readonly readUntil: (place: StatementPlace) => Effect.Effect<number | null, StoreUnavailable>
    /** Stores the next page of a run in the status `reading`. */
    readonly enter: (
      run: StatementRun,
      page: StatementPage,
      rules: StatementRules
    ) => Effect.Effect<StatementRun, RunLost | StoreUnavailable>
    /** Compares the next operations of a run in the status `comparing`. */
    readonly compare: (
      run: StatementRun,
      rules: StatementRules
    ) => Effect.Effect<StatementRun, RunLost | StoreUnavailable>
    /** Fails a run without a search for missing movements, because its period was not read completely. */
    readonly end: (run: StatementRun) => Effect.Effect<StatementRun, RunLost | StoreUnavailable>
    /** Cancels a run. Its entries are kept. `false`: the run has ended already. */
    readonly stop: (
      run: Pick<StatementRun, "id" | "livemode">,
      state: "canceled" | "failed",
      problem: string | null
    ) => Effect.Effect<boolean, StoreUnavailable>
    readonly runs: (
      livemode: boolean,
      query: RunQuery
    ) => Effect.Effect<StatementList<StatementRun>, StatementCursorInvalid | StoreUnavailable>
    /** The latest run of each provider, of any source and outcome. */
    readonly lastRuns: (livemode: boolean) => Effect.Effect<ReadonlyArray<StatementRun>, StoreUnavailable>
    readonly differences: (
      livemode: boolean,
      query: DifferenceQuery
    ) => Effect.Effect<StatementList<ListedDifference>, StatementCursorInvalid | StoreUnavailable>
    readonly movements: (
      query: MovementQuery
    ) => Effect.Effect<StatementList<ListedMovement>, StatementCursorInvalid | StoreUnavailable>
    /** The payout with its parts; `null`: no movement names the payout. */
    readonly payout: (provider: string, payout: string) => Effect.Effect<StatementPayout | null, StoreUnavailable>
  }
>()("@paymux/sql/Statements") {
  static readonly layer: Layer.Layer<Statements, never, SqlClient.SqlClient | PaymentStore> = Layer.effect(
    Statements,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { now } = yield* PaymentStore
      const own = yield* ownIds
      const idsOf = yield* InstanceIds
      const at = <A, E>(work: (now: number) => Effect.Effect<A, E | SqlError>) =>
        Effect.provideService(unavailable(Effect.flatMap(now, work)), InstanceIds, idsOf)
      const inOne = <A, E>(work: (now: number) => Effect.Effect<A, E | SqlError>) =>
        at((time) => sql.withTransaction(work(time)))
      return Statements.of({
        begin: (run) => at((time) => beginRun(sql, run, time)),
        unfinished: (place) => unavailable(unfinishedRun(sql, place)),
        readUntil: (place) => at(() => readUntil(sql, place)),
        enter: (run, page, { paymentsInParts }) =>
          inOne((time) => enterPage(sql, run, page, { now: time, rules: { ownIds: own, paymentsInParts } })),
        compare: (run, rules) => inOne((time) => compareStretch(sql, run, rules, time)),
        end: (run) => at((time) => advanceRun(sql, run, { ...run, cursor: null, state: "complete" }, time)),
        stop: (run, state, problem) => at((time) => stopRun(sql, run, state, problem, time)),
        runs: (livemode, query) => listRuns(sql, livemode, query),
        lastRuns: (livemode) => unavailable(listLastRuns(sql, livemode)),
        differences: (livemode, query) => listDifferences(sql, livemode, query),
        movements: (query) => listMovements(sql, query),
        payout: (provider, payout) => unavailable(readPayout(sql, provider, payout))
      })
    })
  )
}
