/** The merchant's calls of `/v1`, of an account and mode. */
import { mostRequestsOfPage, statusClasses } from "@paymux/http"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { MemberAccess } from "../../access/AccessControl.ts"
import { read } from "../../access/Permission.ts"
import { described } from "../described.ts"
import { idParams, limitTo, pageOf, pageQuery, tenantParams, Text, Time, timeQuery } from "../fields.ts"

const Request = Schema.Struct({
  id: Schema.String.annotate({ description: "As in the header `Request-Id` of the response." }),
  at: Time,
  method: Schema.String,
  path: Schema.String.annotate({ description: "Without the query." }),
  route: Schema.String.annotate({ description: "Such as `/v1/payments/:id`." }),
  status: Schema.Int,
  problem: Schema.NullOr(Schema.String).annotate({ description: "The code of the problem; `null`: it succeeded." }),
  keyId: Schema.String,
  durationMs: Schema.Number,
  replayed: Schema.Boolean.annotate({
    description: "Whether the response is that of a former request with the same key."
  }),
  paymentId: Schema.NullOr(Schema.String),
  refundId: Schema.NullOr(Schema.String)
}).annotate({ identifier: "LoggedRequest" })

const Details = Schema.Struct({
  ...Request.fields,
  request: Schema.Unknown.annotate({
    description: "Of a failed request, the structure of its body with masked values; otherwise `null`."
  }),
  response: Schema.NullOr(
    Schema.Struct({
      code: Schema.String,
      detail: Schema.String,
      errors: Schema.Array(Schema.Struct({ pointer: Schema.String, message: Schema.String }))
    })
  ).annotate({ description: "Of a failed request, its problem." })
}).annotate({ identifier: "RequestDetails" })

const Status = Schema.Union([
  Schema.Literals(statusClasses),
  Schema.NumberFromString.check(
    Schema.makeFilter(
      (status: number) =>
        (Number.isInteger(status) && status >= 100 && status <= 599) ||
        `must be an HTTP status, or one of ${statusClasses.join(", ")}`
    )
  )
])

export class RequestsGroup extends HttpApiGroup.make("requests")
  .add(
    HttpApiEndpoint.get("list", "/requests", {
      params: tenantParams,
      query: {
        status: Schema.optionalKey(Status.annotate({ description: "Such as `404`, or `2xx`, `4xx` or `5xx`." })),
        method: Schema.optionalKey(Text),
        route: Schema.optionalKey(Text),
        keyId: Schema.optionalKey(Text),
        problem: Schema.optionalKey(Text.annotate({ description: "The code of a problem." })),
        requestId: Schema.optionalKey(Text),
        paymentId: Schema.optionalKey(Text),
        ...timeQuery,
        ...pageQuery,
        limit: Schema.optionalKey(limitTo(mostRequestsOfPage))
      },
      success: pageOf(Request)
    })
      .annotateMerge(read)
      .annotateMerge(described("List requests", "The calls of `/v1`, newest first.")),
    HttpApiEndpoint.get("get", "/requests/:id", { params: idParams, success: Details })
      .annotateMerge(read)
      .annotateMerge(described("Read a request", "With what is kept of its body."))
  )
  .middleware(MemberAccess)
  .annotateMerge(OpenApi.annotations({ title: "Requests" })) {}
