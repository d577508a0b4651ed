/** The audit log of an account and mode. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { MemberAccess } from "../../access/AccessControl.ts"
import { read } from "../../access/Permission.ts"
import { roles } from "../../audit/Actor.ts"
import { auditActions, auditOutcomes } from "../../audit/AuditLog.ts"
import { described } from "../described.ts"
import { pageOf, pageQuery, tenantParams, Text, Time, timeQuery } from "../fields.ts"

const Fields = Schema.NullOr(
  Schema.Record(
    Schema.String,
    Schema.Union([Schema.String, Schema.Number, Schema.Boolean, Schema.Null, Schema.Array(Schema.String)])
  )
)

const Entry = Schema.Struct({
  id: Schema.Int,
  at: Time,
  account: Schema.String,
  livemode: Schema.Boolean,
  actor: Schema.Struct({
    kind: Schema.Literals(["user", "command", "program"]),
    id: Schema.String,
    name: Schema.NullOr(Schema.String),
    role: Schema.NullOr(Schema.Literals(roles)),
    address: Schema.NullOr(Schema.String)
  }),
  action: Schema.String,
  target: Schema.NullOr(Schema.String),
  outcome: Schema.Literals(auditOutcomes),
  before: Fields,
  after: Fields
}).annotate({ identifier: "AuditEntry" })

export class AuditGroup extends HttpApiGroup.make("audit")
  .add(
    HttpApiEndpoint.get("list", "/audit", {
      params: tenantParams,
      query: {
        action: Schema.optionalKey(Schema.Literals(auditActions)),
        actorId: Schema.optionalKey(Text),
        target: Schema.optionalKey(Text),
        outcome: Schema.optionalKey(Schema.Literals(auditOutcomes)),
        ...timeQuery,
        ...pageQuery
      },
      success: pageOf(Entry)
    })
      .annotateMerge(read)
      .annotateMerge(
        described(
          "List administrative actions",
          "Newest first: who did what, from where. Only owners get email addresses and the addresses of clients."
        )
      )
  )
  .middleware(MemberAccess)
  .annotateMerge(OpenApi.annotations({ title: "Audit log" })) {}
