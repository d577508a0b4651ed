/** Numbers over time of an account and mode, and what needs attention now. */
import { countedObjects, statisticsGroups, steps } from "@paymux/sql"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { MemberAccess } from "../../access/AccessControl.ts"
import { read } from "../../access/Permission.ts"
import { described } from "../described.ts"
import { tenantParams, Text, Time, timeQuery } from "../fields.ts"

const Amounts = Schema.Struct({
  currency: Schema.String,
  amount: Schema.String.annotate({ description: "Of all that are counted: minor units, as decimal digits." }),
  succeeded: Schema.String.annotate({
    description: "What was captured of payments; of attempts or refunds that succeeded. Minor units, as decimal digits."
  })
})

const Duration = Schema.Struct({ count: Schema.Int, p50: Schema.Number, p95: Schema.Number, p99: Schema.Number })

const numbers = {
  group: Schema.NullOr(Schema.String).annotate({
    description: "The value of `groupBy`. `null`: without `groupBy`, or without a failure code."
  }),
  count: Schema.Int,
  outcomes: Schema.Record(Schema.String, Schema.Int).annotate({ description: "By status." }),
  successRate: Schema.NullOr(Schema.Number).annotate({
    description: "0 to 1, of those that are decided. `null`: none is, or the query is by outcome or failure code."
  }),
  amounts: Schema.Array(Amounts),
  duration: Schema.NullOr(Duration).annotate({
    description: "Of attempts that have ended: ms from start to end, at most 4.9 % off."
  })
}

const Numbers = Schema.Struct(numbers).annotate({ identifier: "Numbers" })
const SeriesPoint = Schema.Struct({ start: Time, ...numbers }).annotate({ identifier: "SeriesPoint" })

const period = { of: Schema.Literals(countedObjects), from: Time, until: Time }
const uncountedSince = Schema.NullOr(Time).annotate({
  description: "When the oldest event happened that is not counted yet; `null`: all are counted."
})

/** One or several values: the parameter may be repeated. */
const List = Schema.optionalKey(
  Schema.ArrayEnsure(Text)
    .check(Schema.isMaxLength(100))
    .annotate({ description: "Any of these values; repeatable. Default: all." })
)

const query = {
  of: Schema.optionalKey(Schema.Literals(countedObjects)).annotate({ description: "Default: `payments`." }),
  ...timeQuery,
  groupBy: Schema.optionalKey(Schema.Literals(statisticsGroups)),
  providers: List,
  methods: List,
  currencies: List,
  outcomes: List,
  failureCodes: List
}

const Attention = Schema.Struct({
  pending: Schema.Int.annotate({ description: "Pending payments; 10000 stands for 10,000 or more." }),
  inReview: Schema.Int.annotate({ description: "Payments with an open review; 10000 stands for 10,000 or more." }),
  failingEndpoints: Schema.Int.annotate({ description: "Webhook endpoints whose last attempt failed." }),
  disabledEndpoints: Schema.Int.annotate({ description: "Webhook endpoints that receive nothing." }),
  openBreakers: Schema.Array(
    Schema.Struct({ provider: Schema.String, operation: Schema.String, state: Schema.String, since: Time })
  ).annotate({ description: "Circuit breakers of this process that are not closed." })
}).annotate({ identifier: "Attention" })

export class StatisticsGroup extends HttpApiGroup.make("statistics")
  .add(
    HttpApiEndpoint.get("series", "/statistics/series", {
      params: tenantParams,
      query: {
        ...query,
        step: Schema.optionalKey(Schema.Literals(steps)).annotate({ description: "Of UTC. Default: `day`." })
      },
      success: Schema.Struct({
        ...period,
        step: Schema.Literals(steps),
        points: Schema.Array(SeriesPoint),
        uncountedSince
      })
    })
      .annotateMerge(read)
      .annotateMerge(
        described(
          "Get numbers for each hour or day",
          "Payments by their creation, attempts by their start, refunds by their request, each with its current status. Default: the last 30 days. Steps without anything to count are left out."
        )
      ),
    HttpApiEndpoint.get("totals", "/statistics/totals", {
      params: tenantParams,
      query,
      success: Schema.Struct({ ...period, groups: Schema.Array(Numbers), uncountedSince })
    })
      .annotateMerge(read)
      .annotateMerge(described("Get numbers of a period", "As for each hour or day, for the whole period.")),
    HttpApiEndpoint.get("attention", "/statistics/attention", { params: tenantParams, success: Attention })
      .annotateMerge(read)
      .annotateMerge(described("Get what needs attention", "Counts of open work, for the first page of a dashboard."))
  )
  .middleware(MemberAccess)
  .annotateMerge(OpenApi.annotations({ title: "Statistics" })) {}
