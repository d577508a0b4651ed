/** Gives stored payments to a backtest. */
import type { Tenant } from "@paymux/core"
import type { Backtest } from "@paymux/routing"
import type { PaymentStore } from "@paymux/core/store"
import { Effect } from "effect"
import { eachStoredPayment } from "./storedPayments.ts"
import type { TimeRange } from "./storedPayments.ts"

/** From as far back as the draft's success rates reach: what is before the range is learned from, and not counted. */
export const replay = (
  routed: PaymentStore["Service"]["routed"],
  backtest: Backtest.Backtest,
  tenant: Tenant,
  { from, until }: TimeRange,
  show: (done: number) => Effect.Effect<void>
) =>
  eachStoredPayment(
    routed,
    tenant,
    { from: Math.max(0, from - backtest.learnsFromMs), until },
    (each) => {
      if (each.payment.createdAt < from) backtest.learn(each)
      else backtest.add(each)
    },
    show
  ).pipe(Effect.map(() => backtest.report()))
