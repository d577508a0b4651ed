/** `paymux rules check --database`: the rules against the payments of the last 30 days. */
import type { Tenant } from "@paymux/core"
import { facts, RulesUsage, usageWarnings } from "@paymux/routing"
import { isErased, PaymentStore } from "@paymux/core/store"
import type { RoutedPayment } from "@paymux/core/store"
import { iso } from "@paymux/core/wire"
import { Clock, Effect, Layer, Option } from "effect"
import { eachStoredPayment } from "../../rules/storedPayments.ts"
import type { PlacedFault } from "../../rules/RulesDocument.ts"
import { configOf, warningsOf } from "../../rules/RulesInForce.ts"
import { onExistingDatabase } from "../database.ts"
import { progressBar } from "../progressBar.ts"
import type { CheckedRules } from "./rulesFlags.ts"

/** Payments that rules were compared with. */
export interface Compared extends Tenant {
  /** ISO 8601 */
  readonly since: string
  readonly until: string
  readonly payments: number
}

interface Comparison {
  readonly compared: Compared
  readonly warnings: ReadonlyArray<PlacedFault>
}

const MONTH = 30 * 86_400_000

export const comparison = Effect.fnUntraced(function* (
  { routing, source }: CheckedRules,
  database: string,
  tenant: Tenant
) {
  const until = yield* Clock.currentTimeMillis
  const from = until - MONTH
  const written = configOf(source)
  const usage = RulesUsage.make(written, routing)
  const count = ({ payment }: RoutedPayment) => {
    // It has lost what rules ask for.
    if (!isErased(payment)) usage.add(facts(payment, payment, payment.id, payment.createdAt))
  }
  yield* onExistingDatabase(
    Option.some(database),
    Layer.empty,
    progressBar("Reading payments", (show) =>
      PaymentStore.use(({ routed }) => eachStoredPayment(routed, tenant, { from, until }, count, show))
    )
  )
  const report = usage.report()
  const warnings = usageWarnings(written, report, dayOf(iso(from)))
  const compared = { ...tenant, since: iso(from), until: iso(until), payments: report.payments }
  return { compared, warnings: warningsOf(source, warnings) } satisfies Comparison
})

export const comparedText = ({ account, livemode, payments, since }: Compared): string => {
  const mode = livemode ? "live" : "test"
  if (payments > 0) {
    const noun = payments === 1 ? "payment" : "payments"
    return `compared with ${payments.toLocaleString("en-US")} ${mode} ${noun} of account ${account} since ${dayOf(since)}`
  }
  const other = livemode ? "without --live, test payments are compared" : "--live compares live payments"
  return `nothing to compare with: account ${account} has no ${mode} payments since ${dayOf(since)} (${other})`
}

const dayOf = (time: string): string => time.slice(0, 10)
