/** `paymux refunds`: the refunds of all payments. */
import { refundStatuses } from "@paymux/core/store"
import type { RefundJson } from "@paymux/core/wire"
import { refundPage } from "@paymux/dashboard"
import { Effect, Layer } from "effect"
import { Command, Flag } from "effect/cli"
import { accountFlag, databaseFlag, liveFlag, onExistingDatabase } from "./database.ts"
import { given, listFlags, listQuery, textFlag } from "./listFlags.ts"
import { amountText } from "./amountText.ts"
import { printPage } from "./table.ts"

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
    payment: textFlag("payment", "Only refunds of this payment: pay_…"),
    provider: textFlag("provider", "Only refunds at this provider instance"),
    ...listFlags("refunds")
  },
  Effect.fnUntraced(function* ({ account, database, json, live, payment, provider, status, ...page }) {
    const query = {
      ...(status.length > 0 && { statuses: status }),
      ...given({ paymentId: payment, provider }),
      ...(yield* listQuery(page))
    }
    const { next, data: refunds } = yield* onExistingDatabase(
      database,
      Layer.empty,
      refundPage({ account, livemode: live }, query)
    )
    const head = ["id", "created", "amount", "status", "payment", "provider", "reference"]
    yield* printPage({ next, entries: refunds, json, none: "No refunds.", head, row: cells })
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
  amountText(amount, currency),
  failure === null ? status : `${status} (${failure.code})`,
  payment,
  provider,
  reference ?? ""
]

export const refunds = Command.make("refunds").pipe(
  Command.withDescription("Show refunds of all payments"),
  Command.withSubcommands([list])
)
