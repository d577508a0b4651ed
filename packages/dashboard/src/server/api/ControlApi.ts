/**
 * The control API: everything that the dashboard does, at `{basePath}/dashboard/api`. It is for browsers of people who signed
 * in; merchants' programs use `/v1`, and programs on the server the library.
 *
 * A group belongs to one service and is two files in a folder of its own: `…Group.ts` declares addresses, shapes and who may
 * call them, `…Handlers.ts` calls the service. To add one:
 *
 * 1. Declare it with paths below `/{account}/{mode}` and the middleware `MemberAccess` (or `PersonalAccess`, for what belongs to
 *    a person). Give each endpoint a permission (`read`, `write`, `sensitiveWrite`; `everyAccount` of these for what belongs to no account) and
 *    a summary (`described`).
 * 2. Write the handlers with `handle`, or with `handleRaw` and `bodyOf` where there is a body. `control` turns errors into problems:
 *    map those of the service to an `ApiProblem` before. A result is encoded by the schema of the endpoint, so it has the shape
 *    that the library returns: camelCase, times in ms UTC, amounts in minor units.
 *    A group whose operations are declared (see `operations/Operation.ts`) takes its endpoints and handlers from them.
 * 3. Add both here and in `controlApiLayer.ts`. What several people change sends `withVersion`, and its writes read
 *    `expectedVersion`.
 */
import { HttpApi, OpenApi } from "effect/http-api"
import { AuditGroup } from "./audit/AuditGroup.ts"
import { BreakersGroup } from "./breakers/BreakersGroup.ts"
import { DeliveriesGroup } from "./deliveries/DeliveriesGroup.ts"
import { DisputesGroup } from "./disputes/DisputesGroup.ts"
import { EndpointsGroup } from "./endpoints/EndpointsGroup.ts"
import { EventsGroup } from "./events/EventsGroup.ts"
import { KeysGroup } from "./keys/KeysGroup.ts"
import { PaymentsGroup } from "./payments/PaymentsGroup.ts"
import { RefundsGroup } from "./refunds/RefundsGroup.ts"
import { RequestsGroup } from "./requests/RequestsGroup.ts"
import { ReportsGroup } from "./reports/ReportsGroup.ts"
import { ReviewsGroup } from "./reviews/ReviewsGroup.ts"
import { RulesGroup } from "./rules/RulesGroup.ts"
import { StatementsGroup } from "./statements/StatementsGroup.ts"
import { StatisticsGroup } from "./statistics/StatisticsGroup.ts"
import { ProvidersGroup } from "./providers/ProvidersGroup.ts"
import { SessionGroup } from "./session/SessionGroup.ts"
import { SignInGroup } from "./session/SignInGroup.ts"
import { SystemGroup } from "./system/SystemGroup.ts"
import { TeamGroup } from "./team/TeamGroup.ts"

/** Of everything that belongs to an account and mode. */
const tenantPath = "/dashboard/api/:account/:mode"

const controlPath = "/dashboard/api"

export class ControlApi extends HttpApi.make("dashboard")
  .add(KeysGroup.prefix(tenantPath))
  .add(EndpointsGroup.prefix(tenantPath))
  .add(PaymentsGroup.prefix(tenantPath))
  .add(RefundsGroup.prefix(tenantPath))
  .add(EventsGroup.prefix(tenantPath))
  .add(DeliveriesGroup.prefix(tenantPath))
  .add(ReviewsGroup.prefix(tenantPath))
  .add(DisputesGroup.prefix(tenantPath))
  .add(ReportsGroup.prefix(tenantPath))
  .add(StatementsGroup.prefix(tenantPath))
  .add(AuditGroup.prefix(tenantPath))
  .add(RequestsGroup.prefix(tenantPath))
  .add(StatisticsGroup.prefix(tenantPath))
  .add(BreakersGroup.prefix(tenantPath))
  .add(ProvidersGroup.prefix(tenantPath))
  .add(RulesGroup.prefix(tenantPath))
  .add(TeamGroup.prefix(tenantPath))
  .add(SignInGroup.prefix(controlPath))
  .add(SessionGroup.prefix(controlPath))
  .add(SystemGroup.prefix(controlPath))
  .annotate(HttpApi.ParseOptions, { errors: "all", onExcessProperty: "error" })
  .annotateMerge(
    OpenApi.annotations({
      title: "Paymux control API",
      version: "1",
      description:
        "For the dashboard, and for browsers of people who signed in. Times are ms UTC, amounts integers in the smallest currency unit. Merchants' programs use `/v1`.",
      license: { name: "Apache-2.0", url: "https://www.apache.org/licenses/LICENSE-2.0" },
      servers: [{ url: "/" }]
    })
  ) {}
