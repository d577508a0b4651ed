import { everyPayment, PaymentStore, paymentStatuses } from "@paymux/core/store"
import { isPaymentId, noHostedPage, paymentJson } from "@paymux/core/wire"
import { Console, Effect, Layer, Schema } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { accountFlag, databaseFlag, jsonFlag, liveFlag, onExistingDatabase } from "./database.ts"
import { paymentRow } from "./paymentRow.ts"
import { userError } from "./userError.ts"
import { printTable } from "./table.ts"

const get = Command.make(
  "get",
  {
    id: Argument.String("id").pipe(Argument.withDescription("pay_…")),
    database: databaseFlag,
    account: accountFlag,
    live: liveFlag
  },
  Effect.fnUntraced(function* ({ account, database, id, live }) {
    const missing = userError(
      new Error(`Payment ${id} not found in account ${account} (${live ? "live" : "test"} mode).`)
    )
    if (!isPaymentId(id)) return yield* missing
    const record = yield* onExistingDatabase(
      database,
      Layer.empty,
      PaymentStore.use((store) => store.find({ account, livemode: live }, id))
    )
    if (record === null) return yield* missing
    yield* Console.log(JSON.stringify(paymentJson(record, noHostedPage), null, 2))
  })
).pipe(Command.withDescription("Show one payment as JSON"))

const list = Command.make(
  "list",
  {
    database: databaseFlag,
    account: accountFlag,
    live: liveFlag,
    json: jsonFlag,
    limit: Flag.Int("limit").pipe(
      Flag.withDescription("1 to 100"),
      Flag.withSchema(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 100 }))),
      Flag.withDefault(20)
    ),
    status: Flag.Literals("status", paymentStatuses).pipe(
      Flag.withDescription("Only these; repeatable"),
      Flag.atLeast(0)
    )
  },
  Effect.fnUntraced(function* ({ account, database, json, limit, live, status }) {
    const page = yield* onExistingDatabase(
      database,
      Layer.empty,
      PaymentStore.use((store) => store.list({ account, livemode: live }, { ...everyPayment, limit, status }))
    )
    if (json)
      return yield* Console.log(
        JSON.stringify(
          page.records.map((record) => paymentJson(record, noHostedPage)),
          null,
          2
        )
      )
    if (page.records.length === 0) return yield* Console.error("No payments.")
    yield* printTable(
      ["id", "created", "amount", "method", "status", "provider", "attempts"],
      page.records.map((record) => {
        const { amount, attempts, created, id, method, provider, status } = paymentRow(record)
        return [id, created, amount, method, status, provider, attempts]
      })
    )
    if (page.hasMore) yield* Console.error(`There are more: --limit ${Math.min(100, limit * 2)}`)
  })
).pipe(Command.withDescription("List payments, newest first"))

export const payments = Command.make("payments").pipe(
  Command.withDescription("Look at payments"),
  Command.withSubcommands([get, list])
)
