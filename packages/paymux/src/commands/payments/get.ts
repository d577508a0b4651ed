import { PaymentStore } from "@paymux/core/store"
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
