/**
 * Calls the backtest of a draft over the stored payments, and reads its report. The only file here that knows their form:
 * when the report changes, this file changes with it, and the worlds and their verdicts stay.
 */
import type { Provider as CoreProvider } from "@paymux/core"
import { PaymentStore } from "@paymux/core/store"
import { Backtest, compile } from "@paymux/routing"
import type { BacktestReport } from "@paymux/routing"
import { Clock, Effect } from "effect"
import { replay } from "../../packages/paymux/src/rules/replay.ts"
import { firstPaymentAt } from "./population.ts"
import { tenant } from "./period.ts"
import { draftOf } from "./truth.ts"
import type { World } from "./World.ts"

/** Rates and shares are 0 to 1, costs minor units. */
export interface Reading {
  /** What is expected of the draft, as a 90 % range; `null`: the report gives no number. */
  readonly rate: { readonly low: number; readonly estimate: number; readonly high: number } | null
  /** What the draft's rate has to be compared with. */
  readonly was: number
  /** The share of the payments for which the draft's result is estimated. */
  readonly coverage: number
  /** The report says that a provider never had payments of a kind that the draft sends to it. */
  readonly neverHad: boolean
  /** `null`: the world has no fees. */
  readonly cost: { readonly was: number; readonly estimate: number } | null
}

export const readBacktest = Effect.fnUntraced(function* (world: World, providers: ReadonlyArray<CoreProvider>) {
  const { routed } = yield* PaymentStore
  const backtest = Backtest.make(yield* compile(draftOf(world), providers))
  const range = { from: firstPaymentAt, until: yield* Clock.currentTimeMillis }
  const report = yield* replay(routed, backtest, tenant, range, () => Effect.void)
  return readingOf(world, report)
})

const readingOf = (world: World, { acceptance: { after, before, measured }, currencies }: BacktestReport): Reading => {
  const sum = (side: "before" | "after") => currencies.reduce((total, one) => total + one[side].cost, 0)
  const { range, rate } = after
  return {
    rate: rate === null || range === null ? null : { low: range.low, estimate: rate, high: range.high },
    was: before.rate ?? measured.rate ?? 0,
    coverage: after.coverage,
    neverHad: after.coverage < 0.99,
    cost: world.fees === undefined ? null : { was: sum("before"), estimate: sum("after") }
  }
}
