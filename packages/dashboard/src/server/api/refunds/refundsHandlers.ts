/** The handlers of refunds. */
import { Payments } from "@paymux/core"
import { isRefundId, refundJson } from "@paymux/core/wire"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import type { SqlClient } from "effect/sql"
import { CurrentTenant } from "../../access/AccessControl.ts"
import { refundPage } from "../../payments/refundPage.ts"
import { ControlApi } from "../ControlApi.ts"
import { control, invalidCursor, missing } from "../controlHandler.ts"
import { defaultLimit } from "../fields.ts"

export const refundsHandlers = HttpApiBuilder.group(ControlApi, "refunds", (handlers) =>
  Effect.gen(function* () {
    const payments = yield* Payments
    const services = yield* Effect.context<SqlClient.SqlClient>()
    return handlers
      .handle("list", ({ query }) =>
        control(
          Effect.flatMap(CurrentTenant, (tenant) => refundPage(tenant, { limit: defaultLimit, ...query })).pipe(
            Effect.map(({ next, refunds }) => ({ data: refunds, next })),
            Effect.catchTag("RefundCursorInvalid", invalidCursor),
            Effect.provideContext(services)
          )
        )
      )
      .handle("get", ({ params: { id } }) =>
        control(
          Effect.gen(function* () {
            if (!isRefundId(id)) return yield* missing("refund")
            const { operation, record } = yield* payments.findRefund(yield* CurrentTenant, id)
            return refundJson(record, operation)
          })
        )
      )
  })
)
