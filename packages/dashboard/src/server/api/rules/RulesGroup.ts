/** Routing rules: what is in force, drafts, versions, and backtests. The rules are those of all accounts and modes. */
import { bodyOfAtMost } from "@paymux/http"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { MemberAccess } from "../../access/AccessControl.ts"
import { everyMode, read, sensitiveWrite, write } from "../../access/Permission.ts"
import { changesVersion, described, sendsVersion } from "../described.ts"
import { idParams, pageOf, pageQuery, tenantParams, Text, whole } from "../fields.ts"
import { Backtest, NewBacktest } from "./backtestShapes.ts"
import {
  Checked,
  Current,
  Draft,
  Explain,
  Explained,
  MOST_VERSION,
  Publication,
  Rollback,
  Version,
  VersionText,
  Vocabulary
} from "./rulesShapes.ts"

const VersionParameter = whole(1, MOST_VERSION)

/** Bytes: the longest rules, and what JSON adds to them. */
const longestBody = 600 * 1024

export class RulesGroup extends HttpApiGroup.make("rules")
  .add(
    HttpApiEndpoint.get("current", "/rules", { params: tenantParams, success: Current })
      .annotateMerge(read)
      .annotateMerge(sendsVersion)
      .annotateMerge(
        described("Get the current routing rules", "Of rules in the database, the `ETag` is what publishing requires.")
      ),
    HttpApiEndpoint.get("vocabulary", "/rules/vocabulary", { params: tenantParams, success: Vocabulary })
      .annotateMerge(read)
      .annotateMerge(described("Get what an editor of rules completes")),
    HttpApiEndpoint.get("history", "/rules/versions", {
      params: tenantParams,
      query: {
        ruleset: Schema.optionalKey(Text.annotate({ description: "Only versions with it, as a payment names it." })),
        ...pageQuery
      },
      success: pageOf(Version)
    })
      .annotateMerge(read)
      .annotateMerge(described("List the versions of the routing rules")),
    HttpApiEndpoint.get("get", "/rules/versions/:id", { params: idParams, success: VersionText })
      .annotateMerge(read)
      .annotateMerge(described("Get a version of the routing rules", "By its number.")),
    HttpApiEndpoint.get("diff", "/rules/diff", {
      params: tenantParams,
      query: { from: VersionParameter, to: VersionParameter },
      success: Schema.Struct({
        diff: Schema.String.annotate({ description: "Unified; empty: the texts are the same." })
      })
    })
      .annotateMerge(read)
      .annotateMerge(described("Compare two versions of the routing rules"))
  )
  .add(
    HttpApiEndpoint.post("check", "/rules/check", { params: tenantParams, payload: Draft, success: Checked })
      .annotateMerge(write("routing"))
      .annotateMerge(bodyOfAtMost(longestBody))
      .annotateMerge(described("Check a draft of the routing rules", "Against the providers. Nothing is stored.")),
    HttpApiEndpoint.post("explain", "/rules/explain", { params: tenantParams, payload: Explain, success: Explained })
      .annotateMerge(write("routing"))
      .annotateMerge(bodyOfAtMost(longestBody))
      .annotateMerge(
        described("Explain how a payment is routed", "Nothing is stored, and nothing is sent to a provider.")
      ),
    HttpApiEndpoint.post("publish", "/rules/publish", {
      params: tenantParams,
      payload: Publication,
      success: Version
    })
      .annotateMerge(everyMode(sensitiveWrite("routing")))
      .annotateMerge(bodyOfAtMost(longestBody))
      .annotateMerge(changesVersion)
      .annotateMerge(sendsVersion)
      .annotateMerge(
        described(
          "Publish routing rules",
          "For all accounts and modes. `If-Match` has the version that the change is based on; if another is the newest, `current` of the problem has its `version`, and the `diff` from it to the text. Of a text that is not valid, each of `errors` has its `line` and `column`."
        )
      ),
    HttpApiEndpoint.post("rollback", "/rules/rollback", {
      params: tenantParams,
      payload: Rollback,
      success: Version
    })
      .annotateMerge(everyMode(sensitiveWrite("routing")))
      .annotateMerge(changesVersion)
      .annotateMerge(sendsVersion)
      .annotateMerge(described("Roll back the routing rules", "Publishes the text of a former version as a new one."))
  )
  .add(
    HttpApiEndpoint.post("startBacktest", "/rules/backtests", {
      params: tenantParams,
      payload: NewBacktest,
      success: Backtest.pipe(HttpApiSchema.status(202))
    })
      .annotateMerge(write("routing"))
      .annotateMerge(bodyOfAtMost(longestBody))
      .annotateMerge(
        described(
          "Start a backtest",
          "Replays stored payments against a draft, in the background of this process, and ends with it. Nothing is sent to a provider."
        )
      ),
    HttpApiEndpoint.get("getBacktest", "/rules/backtests/:id", { params: idParams, success: Backtest })
      .annotateMerge(read)
      .annotateMerge(
        described(
          "Get a backtest",
          "In the process that started it. Once it has ended, for an hour, and of the last 20."
        )
      ),
    HttpApiEndpoint.delete("cancelBacktest", "/rules/backtests/:id", { params: idParams, success: Backtest })
      .annotateMerge(write("routing"))
      .annotateMerge(described("Cancel a backtest", "One that has ended stays as it is."))
  )
  .middleware(MemberAccess)
  .annotateMerge(OpenApi.annotations({ title: "Routing rules" })) {}
