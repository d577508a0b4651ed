/** The shapes of the merchant's calls of `/v1`. */
import { Schema } from "effect"
import { Time } from "../../api/fields.ts"

export const Request = Schema.Struct({
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

export const Details = Schema.Struct({
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
