/** Webhook endpoints of an account and mode. */
import { eventTypes } from "@paymux/core/store"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { MemberAccess } from "../../access/AccessControl.ts"
import { callsOutside, read, sensitiveWrite, write } from "../../access/Permission.ts"
import { answers, described } from "../described.ts"
import { idParams, tenantParams, Time } from "../fields.ts"

const Endpoint = Schema.Struct({
  id: Schema.String,
  account: Schema.String,
  livemode: Schema.Boolean,
  url: Schema.String.annotate({ description: "`process:` is the program that embeds Paymux." }),
  events: Schema.NullOr(Schema.Array(Schema.String)).annotate({ description: "Types it receives; `null`: all." }),
  createdAt: Time,
  failingSince: Schema.NullOr(Time).annotate({ description: "Every attempt since then has failed." }),
  disabledAt: Schema.NullOr(Time),
  disabledReason: Schema.NullOr(Schema.Literals(["gone", "failing", "operator"]))
}).annotate({ identifier: "WebhookEndpoint" })

const Events = Schema.NonEmptyArray(Schema.Literals(eventTypes))

export const NewEndpoint = Schema.Struct({
  url: Schema.String,
  events: Schema.optionalKey(Events).annotate({ description: "Default: all." })
}).annotate({ identifier: "NewWebhookEndpoint" })

const AddedEndpoint = Schema.Struct({
  ...Endpoint.fields,
  secret: Schema.String.annotate({ description: "Verifies what is sent there. It is in this response only." })
}).annotate({ identifier: "AddedWebhookEndpoint" })

export const EndpointEdit = Schema.Struct({
  url: Schema.optionalKey(Schema.String),
  events: Schema.optionalKey(Schema.NullOr(Events)).annotate({ description: "`null`: all." })
}).annotate({ identifier: "WebhookEndpointEdit" })

export const SecretRotation = Schema.Struct({
  overlapMs: Schema.optionalKey(Schema.Number).annotate({
    description: "For how long the former secret signs too. Default: 24 h. 0 if it has leaked."
  })
}).annotate({ identifier: "WebhookSecretRotation" })

const RotatedSecret = Schema.Struct({
  secret: Schema.String.annotate({ description: "It is in this response only." }),
  formerUntil: Schema.NullOr(Time).annotate({ description: "Until then the former secret signs too." })
}).annotate({ identifier: "RotatedWebhookSecret" })

const TestResult = Schema.Struct({
  delivered: Schema.Boolean,
  duration: Schema.Number.annotate({ description: "ms" }),
  status: Schema.NullOr(Schema.Int).annotate({ description: "The HTTP status; `null`: no response." }),
  error: Schema.NullOr(Schema.String),
  answer: Schema.NullOr(Schema.String).annotate({ description: "The beginning of the response body." })
}).annotate({ identifier: "TestEventResult" })

export class EndpointsGroup extends HttpApiGroup.make("endpoints")
  .add(
    HttpApiEndpoint.get("list", "/endpoints", {
      params: tenantParams,
      success: Schema.Struct({ data: Schema.Array(Endpoint) })
    })
      .annotateMerge(read)
      .annotateMerge(described("List webhook endpoints", "Oldest first, including disabled ones.")),
    HttpApiEndpoint.post("add", "/endpoints", {
      params: tenantParams,
      payload: NewEndpoint,
      success: AddedEndpoint.pipe(HttpApiSchema.status(201))
    })
      .annotateMerge(sensitiveWrite("developer"))
      .annotateMerge(described("Add a webhook endpoint")),
    HttpApiEndpoint.patch("update", "/endpoints/:id", { params: idParams, payload: EndpointEdit, success: Endpoint })
      .annotateMerge(sensitiveWrite("developer"))
      .annotateMerge(described("Edit a webhook endpoint", "Applies to events sent from then on. The secret stays.")),
    HttpApiEndpoint.post("enable", "/endpoints/:id/enable", { params: idParams, success: HttpApiSchema.NoContent })
      .annotateMerge(write("developer"))
      .annotateMerge(described("Enable a webhook endpoint")),
    HttpApiEndpoint.post("disable", "/endpoints/:id/disable", { params: idParams, success: HttpApiSchema.NoContent })
      .annotateMerge(write("developer"))
      .annotateMerge(described("Disable a webhook endpoint", "Its pending deliveries are canceled.")),
    HttpApiEndpoint.post("rotate", "/endpoints/:id/rotate", {
      params: idParams,
      payload: SecretRotation,
      success: RotatedSecret
    })
      .annotateMerge(sensitiveWrite("developer"))
      .annotateMerge(described("Replace the secret of a webhook endpoint")),
    HttpApiEndpoint.post("test", "/endpoints/:id/test", { params: idParams, success: TestResult })
      .annotateMerge(write("developer"))
      .annotateMerge(callsOutside)
      .annotateMerge(answers("rate_limited"))
      .annotateMerge(described("Send a test event", "One signed event of the type `webhook.test`.")),
    HttpApiEndpoint.delete("remove", "/endpoints/:id", { params: idParams, success: HttpApiSchema.NoContent })
      .annotateMerge(sensitiveWrite("developer"))
      .annotateMerge(described("Remove a webhook endpoint", "Its pending deliveries are canceled."))
  )
  .middleware(MemberAccess)
  .annotateMerge(OpenApi.annotations({ title: "Webhook endpoints" })) {}
