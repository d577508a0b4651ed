/** The circuit breakers of a mode. They belong to provider instances, and name hosts of the installation. */
import { HttpApiGroup, OpenApi } from "effect/http-api"
import { MemberAccess } from "../../access/AccessControl.ts"
import { breakerHistory } from "../../operations/breakers/breakerHistory.ts"
import { listBreakers } from "../../operations/breakers/listBreakers.ts"

export class BreakersGroup extends HttpApiGroup.make("breakers")
  .add(listBreakers.endpoint, breakerHistory.endpoint)
  .middleware(MemberAccess)
  .annotateMerge(OpenApi.annotations({ title: "Circuit breakers" })) {}
