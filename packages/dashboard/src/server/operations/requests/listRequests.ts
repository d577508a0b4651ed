import { mostRequestsOfPage, RequestLog, statusClasses } from "@paymux/http"
import { Effect, Schema } from "effect"
import { HttpApiEndpoint } from "effect/http-api"
import { CurrentTenant } from "../../access/AccessControl.ts"
import { read } from "../../access/Permission.ts"
import { described } from "../../api/described.ts"
import { defaultLimit, limitTo, pageOf, pageQuery, tenantParams, Text, timeQuery } from "../../api/fields.ts"
import * as Operation from "../Operation.ts"
import { Request } from "./requestShapes.ts"

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

/** Lists the merchant's calls of `/v1`. */
export const listRequests = Operation.make(
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
  Effect.fnUntraced(function* ({ limit = defaultLimit, ...query }) {
    const tenant = yield* CurrentTenant
    return yield* RequestLog.use((log) => log.list(tenant, { ...query, limit })).pipe(
      Effect.catchTag("RequestCursorInvalid", Operation.refuseCursor)
    )
  }),
  {}
)
