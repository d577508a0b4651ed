/** `paymux refunds`: the refunds of all payments. */
import { refundStatuses } from "@paymux/core/store"
import type { RefundJson } from "@paymux/core/wire"
import { Currency, Money } from "@paymux/core"
import { refundPage } from "@paymux/dashboard"
import { Console, Effect, Layer, Option, Schema } from "effect"
import { Command, Flag } from "effect/cli"
import { accountFlag, databaseFlag, jsonFlag, liveFlag, onExistingDatabase } from "./database.ts"
import { printTable } from "./table.ts"
import { momentOf } from "./timeRange.ts"

const text = (name: string, description: string) =>
  Flag.String(name).pipe(Flag.withDescription(description), Flag.optional)

const list = Command.make(
  "list",
  {
    database: databaseFlag,
    account: accountFlag,
    live: liveFlag,
    status: Flag.Literals("status", refundStatuses).pipe(
      Flag.withDescription("Only refunds with this status; repeatable. Default: all"),
      Flag.atLeast(0)
    ),
    payment: text("payment", "Only refunds of this payment: pay_…"),
    provider: text("provider", "Only refunds at this provider instance"),
    since: text("since", "Only refunds since this time: 12h, 3d, 2026-10-01 or 2026-10-01T08:00:00Z"),
    until: text("until", "Only refunds before this time, in the same format"),
    after: text("after", "The cursor that the page before printed: continue there"),
    limit: Flag.Int("limit").pipe(
      Flag.withDescription("1 to 1000"),
      Flag.withSchema(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 1000 }))),
      Flag.withDefault(20)
    ),
    json: jsonFlag
  },
  Effect.fnUntraced(function* (asked) {
    const { account, after, database, json, limit, live, payment, provider, since, status, until } = asked
    const query = {
      ...(status.length > 0 && { statuses: status }),
      ...(Option.isSome(payment) && { paymentId: payment.value }),
      ...(Option.isSome(provider) && { provider: provider.value }),
      ...(Option.isSome(since) && { from: yield* momentOf("--since", since.value) }),
      ...(Option.isSome(until) && { until: yield* momentOf("--until", until.value) }),
      ...(Option.isSome(after) && { after: after.value }),
      limit
    }
    const { next, refunds } = yield* onExistingDatabase(
      database,
      Layer.empty,
      refundPage({ account, livemode: live }, query)
    )
    if (next !== null) yield* Console.error(`There are more: --after ${next}`)
    if (json) return yield* Console.log(JSON.stringify(refunds, null, 2))
    if (refunds.length === 0) return yield* Console.error("No refunds.")
    yield* printTable(["id", "created", "amount", "status", "payment", "provider", "reference"], refunds.map(cells))
  })
).pipe(
  Command.withDescription("List the refunds of all payments, newest first"),
  Command.withExamples([
    { command: "paymux refunds list --status failed --since 1d", description: "Refunds of the last day that failed" }
  ])
)

const cells = ({ amount, created_at, currency, failure, id, payment, provider, reference, status }: RefundJson) => [
  id,
  created_at,
  money(amount, currency),
  failure === null ? status : `${status} (${failure.code})`,
  payment,
  provider,
  reference ?? ""
]

const money = (minorUnits: number, currency: string): string =>
  Currency.isCurrency(currency)
    ? Money.format({ minorUnits, currency }, Currency.exponent(currency))
    : `${currency} ${minorUnits}`

export const refunds = Command.make("refunds").pipe(
  Command.withDescription("Show refunds of all payments"),
  Command.withSubcommands([list])
)
