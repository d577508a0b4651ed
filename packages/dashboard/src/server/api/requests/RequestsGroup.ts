/** The merchant's calls of `/v1`, of an account and mode. */
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { MemberAccess } from "../../access/AccessControl.ts"
import { read } from "../../access/Permission.ts"
import { listRequests } from "../../operations/requests/listRequests.ts"
import { Details } from "../../operations/requests/requestShapes.ts"
import { described } from "../described.ts"
import { idParams } from "../fields.ts"

export class RequestsGroup extends HttpApiGroup.make("requests")
  .add(
    listRequests.endpoint,
    HttpApiEndpoint.get("get", "/requests/:id", { params: idParams, success: Details })
      .annotateMerge(read)
      .annotateMerge(described("Read a request", "With what is kept of its body."))
  )
  .middleware(MemberAccess)
  .annotateMerge(OpenApi.annotations({ title: "Requests" })) {}
