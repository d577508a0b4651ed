import { refundStatuses } from "@paymux/core/store"
import { RefundJson } from "@paymux/core/wire"
import { Effect, Schema } from "effect"
import { HttpApiEndpoint } from "effect/http-api"
import { CurrentTenant } from "../../access/AccessControl.ts"
import { read } from "../../access/Permission.ts"
import { described } from "../../api/described.ts"
import { defaultLimit, pageOf, pageQuery, tenantParams, Text, timeQuery } from "../../api/fields.ts"
import { refundPage } from "../../payments/refundPage.ts"
import * as Operation from "../Operation.ts"

/** Lists the refunds of all payments of an account and mode. */
export const listRefunds = Operation.make(
  HttpApiEndpoint.get("list", "/refunds", {
    params: tenantParams,
    query: {
      statuses: Schema.optionalKey(Schema.NonEmptyArray(Schema.Literals(refundStatuses))),
      paymentId: Schema.optionalKey(Text),
      provider: Schema.optionalKey(Text),
      ...timeQuery,
      ...pageQuery
    },
    success: pageOf(RefundJson)
  })
    .annotateMerge(read)
    .annotateMerge(described("List refunds", "Newest first, without automatic reversals.")),
  Effect.fnUntraced(function* ({ limit = defaultLimit, ...query }) {
    return yield* refundPage(yield* CurrentTenant, { ...query, limit }).pipe(
      Effect.catchTag("RefundCursorInvalid", Operation.refuseCursor)
    )
  }),
  {}
)
