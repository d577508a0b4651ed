/** API keys of an account and mode. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { MemberAccess } from "../../access/AccessControl.ts"
import { read, sensitiveWrite } from "../../access/Permission.ts"
import { described } from "../described.ts"
import { idParams, tenantParams, Time } from "../fields.ts"

const Key = Schema.Struct({
  keyId: Schema.String,
  account: Schema.String,
  livemode: Schema.Boolean,
  name: Schema.String,
  display: Schema.String.annotate({ description: "The key, shortened: `pmx_test_…wxyz`." }),
  createdAt: Time,
  revokedAt: Schema.NullOr(Time),
  expiresAt: Schema.NullOr(Time).annotate({ description: "From then on a rotated key is refused." }),
  lastUsedAt: Schema.NullOr(Time).annotate({ description: "Up to a minute late." })
}).annotate({ identifier: "ApiKey" })

export const NewKey = Schema.Struct({ name: Schema.String }).annotate({ identifier: "NewApiKey" })

const MadeKey = Schema.Struct({
  id: Schema.String,
  key: Schema.String.annotate({ description: "The secret key. It is in this response only." })
}).annotate({ identifier: "CreatedApiKey" })

export const Rotation = Schema.Struct({
  overlapMs: Schema.optionalKey(Schema.Number).annotate({
    description: "For how long the former key is accepted too. Default: 24 h. 0 if it has leaked."
  })
}).annotate({ identifier: "ApiKeyRotation" })

const RotatedKey = Schema.Struct({ ...MadeKey.fields, formerExpiresAt: Time }).annotate({
  identifier: "RotatedApiKey"
})

export class KeysGroup extends HttpApiGroup.make("keys")
  .add(
    HttpApiEndpoint.get("list", "/keys", {
      params: tenantParams,
      success: Schema.Struct({ data: Schema.Array(Key) })
    })
      .annotateMerge(read)
      .annotateMerge(described("List API keys", "All of them, newest first, also those that are no longer accepted.")),
    HttpApiEndpoint.post("create", "/keys", {
      params: tenantParams,
      payload: NewKey,
      success: MadeKey.pipe(HttpApiSchema.status(201))
    })
      .annotateMerge(sensitiveWrite("developer"))
      .annotateMerge(described("Create an API key")),
    HttpApiEndpoint.post("rotate", "/keys/:id/rotate", { params: idParams, payload: Rotation, success: RotatedKey })
      .annotateMerge(sensitiveWrite("developer"))
      .annotateMerge(described("Replace an API key", "The former key is accepted too until `formerExpiresAt`.")),
    HttpApiEndpoint.post("revoke", "/keys/:id/revoke", { params: idParams, success: Key })
      .annotateMerge(sensitiveWrite("developer"))
      .annotateMerge(described("Revoke an API key", "It is refused from then on. Revoking it again changes nothing."))
  )
  .middleware(MemberAccess)
  .annotateMerge(OpenApi.annotations({ title: "API keys" })) {}
