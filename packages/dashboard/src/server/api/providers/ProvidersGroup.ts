/** The provider instances of a mode. They belong to no account. */
import { rails } from "@paymux/core"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { MemberAccess } from "../../access/AccessControl.ts"
import { callsOutside, everyAccount, read, write } from "../../access/Permission.ts"
import { described } from "../described.ts"
import { idParams, tenantParams, Time } from "../fields.ts"

const texts = Schema.Array(Schema.String)

const Method = Schema.Struct({
  currencies: Schema.Union([texts, Schema.Literal("any")]),
  flows: Schema.Record(
    Schema.String,
    Schema.Struct({
      requires: Schema.optionalKey(texts),
      captureMethods: Schema.optionalKey(texts),
      cancelable: Schema.optionalKey(Schema.Boolean)
    })
  ),
  amounts: Schema.optionalKey(
    Schema.Array(
      Schema.Struct({
        currency: Schema.String,
        min: Schema.optionalKey(Schema.String),
        max: Schema.optionalKey(Schema.String)
      })
    ).annotate({ description: "The limits by currency, in major units, such as `0.50`." })
  ),
  phoneCodes: Schema.optionalKey(texts),
  captureMethods: Schema.optionalKey(texts),
  networks: Schema.optionalKey(texts),
  assets: Schema.optionalKey(Schema.Array(Schema.Struct({ asset: Schema.String, network: Schema.String })))
}).annotate({ identifier: "ProviderMethod" })

const Milliseconds = Schema.Number.annotate({ description: "ms" })

const Operation = Schema.Struct({
  idempotency: Schema.Struct({
    by: Schema.Literals(["header", "body", "reference", "lookup", "none"]),
    lifetimeMs: Milliseconds
  }),
  canInquire: Schema.Boolean,
  inquiresByName: Schema.Boolean.annotate({
    description:
      "Whether an inquiry needs nothing but the names of Paymux, so that it finds what the database has lost."
  }),
  costlyInquiry: Schema.Boolean,
  notFoundIsFinalAfterMs: Schema.NullOr(Milliseconds),
  lookBackMs: Schema.Array(Milliseconds),
  reports: Schema.Literals(["movement", "total"]),
  rateLimitIsNotExecuted: Schema.Boolean,
  declineIsFinal: Schema.Boolean,
  cancelIsFinal: Schema.Boolean,
  chargesByReference: Schema.Boolean.annotate({
    description: "Whether each charge of a page that is paid more than once can be inquired about and refunded."
  }),
  abandonedAfterMs: Schema.NullOr(Milliseconds),
  partial: Schema.Boolean
}).annotate({ identifier: "ProviderOperation" })

const Instance = Schema.Struct({
  id: Schema.String.annotate({ description: "As routing rules name it." }),
  mode: Schema.Literals(["test", "live"]),
  retired: Schema.Boolean.annotate({
    description:
      "Whether it takes no new payments. It still serves inquiries, webhooks, captures and refunds of earlier ones."
  }),
  formerly: Schema.Array(Schema.String).annotate({
    description: "The ids that it had before, oldest first: earlier payments have them."
  }),
  adapter: Schema.NullOr(Schema.String).annotate({ description: "Such as `stripe`." }),
  specVersion: Schema.Int.annotate({ description: "The version of the provider contract." }),
  webhookUrl: Schema.NullOr(Schema.String).annotate({
    description: "The address to enter at the provider. `null`: it sends no webhooks."
  }),
  methods: Schema.Record(Schema.String, Method),
  operations: Schema.Record(Schema.String, Operation)
}).annotate({ identifier: "ProviderInstance" })

const Finding = Schema.Struct({
  grade: Schema.Literals(["ok", "warning", "fault"]),
  name: Schema.String.annotate({ description: "What was checked." }),
  text: Schema.String.annotate({ description: "What was found; of a warning or fault also what to do." })
}).annotate({ identifier: "Finding" })

const AccountRefusal = Schema.Struct({
  paymentMethod: Schema.Literals(rails),
  flow: Schema.String.annotate({ description: "As the merchant requested it." }),
  currency: Schema.String,
  code: Schema.Literals(["account_not_enabled", "details_required"]),
  vendorCode: Schema.NullOr(Schema.String).annotate({ description: "The provider's own code." }),
  help: Schema.String.annotate({ description: "What to do about it." }),
  count: Schema.Int.annotate({ description: "How often, of the latest 1,000 refusals." }),
  lastAt: Time
}).annotate({ identifier: "AccountRefusal" })

const Findings = Schema.Struct({ data: Schema.Array(Finding) })

export class ProvidersGroup extends HttpApiGroup.make("providers")
  .add(
    HttpApiEndpoint.get("list", "/providers", {
      params: tenantParams,
      success: Schema.Struct({ data: Schema.Array(Instance) })
    })
      .annotateMerge(read)
      .annotateMerge(described("List provider instances", "Of the mode, in the order of the configuration.")),
    HttpApiEndpoint.get("account", "/providers/:id/account", {
      params: idParams,
      success: Schema.Struct({ data: Schema.Array(AccountRefusal) })
    })
      .annotateMerge(read)
      .annotateMerge(
        described(
          "List what the account at a provider is not enabled for",
          "As the payments of the last seven days show it, the latest first."
        )
      ),
    HttpApiEndpoint.post("check", "/providers/:id/check", { params: idParams, success: Findings })
      .annotateMerge(write("developer"))
      .annotateMerge(callsOutside)
      .annotateMerge(described("Check a provider instance", "Sends a harmless inquiry. It moves no money.")),
    HttpApiEndpoint.post("doctor", "/doctor", { params: tenantParams, success: Findings })
      .annotateMerge(everyAccount(write("developer")))
      .annotateMerge(callsOutside)
      .annotateMerge(described("Check the server", "Its configuration, database, rules, providers and public URL."))
  )
  .middleware(MemberAccess)
  .annotateMerge(OpenApi.annotations({ title: "Providers" })) {}
