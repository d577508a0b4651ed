/**
 * What was read of providers' statements, and how it differs from the books. A statement belongs to a provider and to no
 * account: who may see it sees every account.
 */
import { differenceKinds } from "@paymux/core/engine"
import { differenceStates } from "@paymux/sql"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { MemberAccess } from "../../access/AccessControl.ts"
import { everyAccount, read } from "../../access/Permission.ts"
import { described } from "../described.ts"
import { pageOf, pageQuery, tenantParams, Text, whole } from "../fields.ts"
import { Difference, Movement, Payout, Run, Statement } from "./statementsShapes.ts"

const provider = Schema.optionalKey(Text)

const providerParams = {
  ...tenantParams,
  id: Schema.String.annotate({ description: "The provider instance." })
}

export class StatementsGroup extends HttpApiGroup.make("statements")
  .add(
    HttpApiEndpoint.get("list", "/statements", {
      params: tenantParams,
      success: Schema.Struct({ data: Schema.Array(Statement) })
    })
      .annotateMerge(everyAccount(read))
      .annotateMerge(
        described("List the statements of providers", "Up to when each was read, and its last run, for the mode.")
      ),
    HttpApiEndpoint.get("runs", "/statements/runs", {
      params: tenantParams,
      query: { provider, ...pageQuery },
      success: pageOf(Run)
    })
      .annotateMerge(everyAccount(read))
      .annotateMerge(described("List runs that have read statements", "Newest first.")),
    HttpApiEndpoint.get("differences", "/statements/differences", {
      params: tenantParams,
      query: {
        provider,
        kind: Schema.optionalKey(Schema.Literals(differenceKinds)),
        state: Schema.optionalKey(
          Schema.Literals(differenceStates).annotate({
            description: "`resolved`: a later statement has what was missing. `open`: every other one."
          })
        ),
        run: Schema.optionalKey(
          whole(1, Number.MAX_SAFE_INTEGER).annotate({ description: "Those that this run found first." })
        ),
        ...pageQuery
      },
      success: pageOf(Difference)
    })
      .annotateMerge(everyAccount(read))
      .annotateMerge(described("List differences between the books and statements", "Newest first.")),
    HttpApiEndpoint.get("movements", "/statements/:id/movements", {
      params: providerParams,
      query: {
        of: Schema.Literals(["foreign", "payouts", "payout"]).annotate({
          description:
            "`foreign`: of other systems at the account. `payouts`: what was transferred to the bank. `payout`: what `payout` consists of."
        }),
        payout: Schema.optionalKey(Text.annotate({ description: "Required for `payout`: the provider's id of it." })),
        ...pageQuery
      },
      success: pageOf(Movement)
    })
      .annotateMerge(everyAccount(read))
      .annotateMerge(described("List movements of a provider's statement", "Newest first.")),
    HttpApiEndpoint.get("payout", "/statements/:id/payout", {
      params: providerParams,
      // Not in the path: a provider's id may have a slash, which proxies may decode.
      query: { payout: Text.annotate({ description: "The provider's id of the payout." }) },
      success: Payout
    })
      .annotateMerge(everyAccount(read))
      .annotateMerge(described("Get a payout", "What was transferred, and the sums of what it consists of."))
  )
  .middleware(MemberAccess)
  .annotateMerge(OpenApi.annotations({ title: "Statements" })) {}
