import { Cell, otherCellOf, PaymentStore } from "@paymux/core/store"
import { isPaymentId, noHostedPage, paymentJson } from "@paymux/core/wire"
import { Console, Effect, Layer } from "effect"
import { Argument, Command } from "effect/cli"
import { accountFlag, databaseFlag, liveFlag, onExistingDatabase } from "../database.ts"
import { userError } from "../userError.ts"

export const get = Command.make(
  "get",
  {
    id: Argument.String("id").pipe(Argument.withDescription("pay_…")),
    database: databaseFlag,
    account: accountFlag,
    live: liveFlag
  },
  Effect.fnUntraced(function* ({ account, database, id, live }) {
    const missing = (why: string) =>
      userError(new Error(`Payment ${id} not found in account ${account} (${live ? "live" : "test"} mode).${why}`))
    if (!isPaymentId(id)) return yield* missing("")
    const { cell, record } = yield* onExistingDatabase(
      database,
      Layer.empty,
      Effect.all({ cell: Cell, record: PaymentStore.use((store) => store.find({ account, livemode: live }, id)) })
    )
    if (record === null) {
      const other = otherCellOf(id, cell)
      return yield* missing(other === null ? "" : ` It is a payment of cell ${other}: use the database of that cell.`)
    }
    yield* Console.log(JSON.stringify(paymentJson(record, noHostedPage), null, 2))
  })
).pipe(Command.withDescription("Show one payment as JSON"))
