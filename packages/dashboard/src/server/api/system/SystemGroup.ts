/** The control API's own description. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { PersonalAccess } from "../../access/AccessControl.ts"
import { signedIn } from "../../access/Permission.ts"
import { described } from "../described.ts"

export class SystemGroup extends HttpApiGroup.make("system")
  .add(
    HttpApiEndpoint.get("openapi", "/openapi.json", { success: Schema.Record(Schema.String, Schema.Json) })
      .annotateMerge(signedIn)
      .annotateMerge(described("The OpenAPI document", "Of the control API: this document."))
  )
  .middleware(PersonalAccess)
  .annotateMerge(OpenApi.annotations({ title: "System" })) {}
