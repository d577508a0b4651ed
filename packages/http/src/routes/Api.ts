/**
 * The declaration of the API with `effect/http-api`: paths, authentication and schemas. The OpenAPI document is
 * generated from it. At run time, these schemas neither decode nor encode, because the handlers read and serialize JSON
 * themselves.
 */
import {
  CapturePaymentJson,
  CreatePaymentJson,
  CreateRefundJson,
  EventJson,
  PaymentJson,
  RefundJson
} from "@paymux/core/wire"
import { Schema } from "effect"
import { HttpApi, HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Authentication } from "../auth/Authentication.ts"
import { EventListJson } from "./EventList.ts"
import { PaymentListJson } from "./PaymentList.ts"
import { RefundListJson } from "./RefundList.ts"
import { bodyOfAtMost } from "../server/KnownRoute.ts"

/**
 * The scopes of idempotency keys. Each endpoint that accepts a key has its own scope, so the same key can be used at
 * two endpoints.
 */
export const CREATE_PAYMENT = "POST /v1/payments"
export const CAPTURE_PAYMENT = "POST /v1/payments/:id/capture"
export const CANCEL_PAYMENT = "POST /v1/payments/:id/cancel"
export const CREATE_REFUND = "POST /v1/payments/:id/refunds"

const titled = (title: string, description: string) => OpenApi.annotations({ title, description })

const params = { id: Schema.String.annotate({ description: "The id from a response: `pay_…` or `re_…`." }) }

const HealthJson = Schema.Struct({
  status: Schema.Literal("ok").annotate({ description: "The server is running." })
}).annotate({ identifier: "Health" })

class PaymentsGroup extends HttpApiGroup.make("payments")
  .add(
    HttpApiEndpoint.post("create", "/v1/payments", {
      payload: CreatePaymentJson,
      success: PaymentJson.pipe(HttpApiSchema.status(201))
    }),
    HttpApiEndpoint.get("list", "/v1/payments", { success: PaymentListJson }),
    HttpApiEndpoint.get("get", "/v1/payments/:id", { params, success: PaymentJson }),
    HttpApiEndpoint.post("capture", "/v1/payments/:id/capture", {
      params,
      payload: CapturePaymentJson,
      success: PaymentJson
    }),
    HttpApiEndpoint.post("cancel", "/v1/payments/:id/cancel", { params, success: PaymentJson })
      // The limit is set explicitly, because the endpoint declares no payload: the body may be an empty object, or
      // absent.
      .annotateMerge(bodyOfAtMost("default"))
  )
  .middleware(Authentication)
  .annotateMerge(titled("Payments", "Create, read, list, capture and cancel payments.")) {}

class RefundsGroup extends HttpApiGroup.make("refunds")
  .add(
    HttpApiEndpoint.post("create", "/v1/payments/:id/refunds", {
      params,
      payload: CreateRefundJson,
      success: RefundJson.pipe(HttpApiSchema.status(201))
    }),
    HttpApiEndpoint.get("list", "/v1/payments/:id/refunds", { params, success: RefundListJson }),
    HttpApiEndpoint.get("get", "/v1/refunds/:id", { params, success: RefundJson })
  )
  .middleware(Authentication)
  .annotateMerge(titled("Refunds", "Refund payments.")) {}

class EventsGroup extends HttpApiGroup.make("events")
  .add(
    HttpApiEndpoint.get("list", "/v1/events", { success: EventListJson }),
    HttpApiEndpoint.get("get", "/v1/events/:id", {
      params: { id: Schema.String.annotate({ description: "The event's id, as in `data.id`: `evt_…`." }) },
      success: EventJson
    })
  )
  .middleware(Authentication)
  .annotateMerge(titled("Events", "Read the events that webhooks deliver, without missing one.")) {}

class SystemGroup extends HttpApiGroup.make("system")
  .add(
    HttpApiEndpoint.get("openapi", "/v1/openapi.json", {
      success: Schema.Record(Schema.String, Schema.Json)
    }),
    HttpApiEndpoint.get("healthz", "/healthz", { success: HealthJson }),
    HttpApiEndpoint.get("readyz", "/readyz", { success: HealthJson })
  )
  .annotateMerge(titled("System", "Public: no API key is required.")) {}

/** The schema of responses with an HTML page. */
const PageHtml = Schema.String.annotate({ description: "The page." }).pipe(
  HttpApiSchema.asText({ contentType: "text/html" })
)

class DocsGroup extends HttpApiGroup.make("docs")
  .add(
    HttpApiEndpoint.get("reference", "/v1/docs", { success: PageHtml }),
    HttpApiEndpoint.get("referenceFile", "/v1/docs/:file", {
      params: { file: Schema.String },
      success: Schema.String
    }).annotate(OpenApi.Exclude, true),
    HttpApiEndpoint.get("problems", "/docs/problems", { success: PageHtml }),
    HttpApiEndpoint.get("problem", "/docs/problems/:code", {
      params: { code: Schema.String.annotate({ description: "The `code` of the problem." }) },
      success: PageHtml
    })
  )
  .annotateMerge(titled("Documentation", "Public pages: no API key is required.")) {}

export class Api extends HttpApi.make("paymux")
  .add(PaymentsGroup)
  .add(RefundsGroup)
  .add(EventsGroup)
  .add(SystemGroup)
  .add(DocsGroup)
  // Adds the schema of a webhook's body to the document. No endpoint of this API returns it.
  .annotate(HttpApi.AdditionalSchemas, [EventJson])
  .annotateMerge(
    OpenApi.annotations({
      title: "Paymux",
      version: "v1",
      description:
        "One payments API in front of many payment providers. Amounts are integers in the smallest currency unit. Every error has [a page](../docs/problems) that explains what to do.",
      license: { name: "Apache-2.0", url: "https://www.apache.org/licenses/LICENSE-2.0" },
      servers: [{ url: "/" }]
    })
  ) {}
