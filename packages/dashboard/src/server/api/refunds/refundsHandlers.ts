/** The handlers of refunds. */
import { Payments } from "@paymux/core"
import { isRefundId, refundJson } from "@paymux/core/wire"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import type { SqlClient } from "effect/sql"
import { CurrentTenant } from "../../access/AccessControl.ts"
import { listRefunds } from "../../operations/refunds/listRefunds.ts"
import { served } from "../../operations/served.ts"
import { ControlApi } from "../ControlApi.ts"
import { control, missing } from "../controlHandler.ts"

export const refundsHandlers = HttpApiBuilder.group(ControlApi, "refunds", (handlers) =>
  Effect.gen(function* () {
    const payments = yield* Payments
    const services = yield* Effect.context<SqlClient.SqlClient>()
    return handlers.handle("list", served(listRefunds, services)).handle("get", ({ params: { id } }) =>
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
