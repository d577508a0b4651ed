/**
 * Backtests that run in the background of this process, asked for by their ids. They are interrupted when it stops; one that
 * has ended is kept for an hour, and only among the last 20.
 */
import type { Tenant } from "@paymux/core"
import { Cause, Clock, Deferred, Effect, Exit, Fiber } from "effect"
import { randomBytes } from "node:crypto"
import type { BacktestQuery, BacktestResult, RoutingRules, RulesDiagnostic } from "./RoutingRules.ts"
import { RulesInvalid, RulesWorkFailed } from "./RulesErrors.ts"

export interface BacktestRun {
  readonly id: string
  readonly state: "running" | "done" | "canceled" | "failed"
  /** 0 to 1. */
  readonly progress: number
  /** ms UTC */
  readonly startedAt: number
  readonly endedAt: number | null
  /** Of one that is done. */
  readonly result: BacktestResult | null
  /** Of one that failed. `problems`: of a draft that is not valid. */
  readonly failure: { readonly message: string; readonly problems: ReadonlyArray<RulesDiagnostic> } | null
}

/** How many that have ended are kept. */
const MOST_ENDED = 20

interface Kept {
  readonly tenant: Tenant
  readonly fiber: Fiber.Fiber<unknown, unknown>
  run: BacktestRun
}

export const make = Effect.fnUntraced(function* (rules: RoutingRules["Service"]) {
  const scope = yield* Effect.scope
  const kept = new Map<string, Kept>()

  const find = ({ account, livemode }: Tenant, id: string): Kept | null => {
    const found = kept.get(id)
    return found?.tenant.account === account && found.tenant.livemode === livemode ? found : null
  }

  const change = (id: string, changes: Partial<BacktestRun>) => {
    const found = kept.get(id)
    if (found !== undefined) found.run = { ...found.run, ...changes }
  }

  const ended = Effect.fnUntraced(function* (id: string, exit: Exit.Exit<BacktestResult, unknown>) {
    change(id, { ...(yield* outcomeOf(exit)), endedAt: yield* Clock.currentTimeMillis })
    const over = [...kept].filter(([, { run }]) => run.state !== "running").slice(0, -MOST_ENDED)
    for (const [oldest] of over) kept.delete(oldest)
    const forget = Effect.sync(() => kept.delete(id))
    yield* Effect.forkIn(Effect.delay(forget, "1 hour"), scope)
  })

  return {
    /** It runs when this returns; a refusal before that is the error. */
    start: Effect.fnUntraced(function* (tenant: Tenant, query: BacktestQuery) {
      const id = `bt_${randomBytes(16).toString("hex")}`
      const begun = yield* Deferred.make<void>()
      const work = rules.backtest(tenant, query, (progress) => {
        change(id, { progress })
        Deferred.doneUnsafe(begun, Effect.void)
      })
      const startedAt = yield* Clock.currentTimeMillis
      const fiber = yield* Effect.forkIn(
        Effect.onExit(work, (exit) => (Deferred.isDoneUnsafe(begun) ? ended(id, exit) : Effect.void)),
        scope
      )
      const run = { id, state: "running", progress: 0, startedAt, endedAt: null, result: null, failure: null } as const
      const entry: Kept = { tenant, fiber, run }
      kept.set(id, entry)
      yield* Effect.raceFirst(Deferred.await(begun), Effect.asVoid(Fiber.join(fiber))).pipe(
        // No response would have its id.
        Effect.onError(() =>
          Effect.andThen(
            Fiber.interrupt(fiber),
            Effect.sync(() => kept.delete(id))
          )
        )
      )
      return entry.run
    }),
    /** `null`: the tenant has no such backtest here. */
    get: (tenant: Tenant, id: string): BacktestRun | null => find(tenant, id)?.run ?? null,
    /** As it is afterwards. One that has ended stays as it is. `null`: as in `get`. */
    cancel: Effect.fnUntraced(function* (tenant: Tenant, id: string) {
      const found = find(tenant, id)
      if (found === null) return null
      yield* Fiber.interrupt(found.fiber)
      return found.run
    })
  }
})

type Outcome = Pick<BacktestRun, "state"> & Partial<BacktestRun>

const outcomeOf = (exit: Exit.Exit<BacktestResult, unknown>): Effect.Effect<Outcome> => {
  if (Exit.isSuccess(exit)) return Effect.succeed({ state: "done", progress: 1, result: exit.value })
  if (Cause.hasInterruptsOnly(exit.cause)) return Effect.succeed({ state: "canceled" })
  const error = Cause.squash(exit.cause)
  if (error instanceof RulesInvalid) return failed("The draft is not valid.", error.problems)
  if (error instanceof RulesWorkFailed) return failed(error.message)
  return Effect.andThen(
    Effect.logError("A backtest failed", exit.cause),
    failed("The backtest could not be completed.")
  )
}

const failed = (message: string, problems: ReadonlyArray<RulesDiagnostic> = []): Effect.Effect<Outcome> =>
  Effect.succeed({ state: "failed", failure: { message, problems } })
