/** Disputes that an operator records. Those that a provider reports are recorded automatically. */
import { HttpApiGroup, OpenApi } from "effect/http-api"
import { MemberAccess } from "../../access/AccessControl.ts"
import { recordDispute } from "../../operations/disputes/recordDispute.ts"

export class DisputesGroup extends HttpApiGroup.make("disputes")
  .add(recordDispute.endpoint)
  .middleware(MemberAccess)
  .annotateMerge(OpenApi.annotations({ title: "Disputes" })) {}
