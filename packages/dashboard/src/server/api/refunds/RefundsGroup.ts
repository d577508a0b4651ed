/** The refunds of all payments of an account and mode. `PaymentsGroup` has the endpoint that makes one. */
import { refundStatuses } from "@paymux/core/store"
import { RefundJson } from "@paymux/core/wire"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { MemberAccess } from "../../access/AccessControl.ts"
import { read } from "../../access/Permission.ts"
import { described } from "../described.ts"
import { idParams, pageOf, pageQuery, tenantParams, Text, timeQuery } from "../fields.ts"

export class RefundsGroup extends HttpApiGroup.make("refunds")
  .add(
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
    HttpApiEndpoint.get("get", "/refunds/:id", { params: idParams, success: RefundJson })
      .annotateMerge(read)
      .annotateMerge(described("Read a refund"))
  )
  .middleware(MemberAccess)
  .annotateMerge(OpenApi.annotations({ title: "Refunds" })) {}
