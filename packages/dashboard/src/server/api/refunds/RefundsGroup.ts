/** The refunds of all payments of an account and mode. `PaymentsGroup` has the endpoint that makes one. */
import { RefundJson } from "@paymux/core/wire"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { MemberAccess } from "../../access/AccessControl.ts"
import { read } from "../../access/Permission.ts"
import { listRefunds } from "../../operations/refunds/listRefunds.ts"
import { described } from "../described.ts"
import { idParams } from "../fields.ts"

export class RefundsGroup extends HttpApiGroup.make("refunds")
  .add(
    listRefunds.endpoint,
    HttpApiEndpoint.get("get", "/refunds/:id", { params: idParams, success: RefundJson })
      .annotateMerge(read)
      .annotateMerge(described("Read a refund"))
  )
  .middleware(MemberAccess)
  .annotateMerge(OpenApi.annotations({ title: "Refunds" })) {}
