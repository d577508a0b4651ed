/** The shapes of backtests: how one is asked for, how it stands, and what it found. */
import { Schema } from "effect"
import { Time, TimeOfBody } from "../fields.ts"
import { Diagnostic } from "./rulesShapes.ts"

export const NewBacktest = Schema.Struct({
  text: Schema.optionalKey(Schema.String).annotate({ description: "The draft. Default: the current rules." }),
  from: TimeOfBody.annotate({ description: "ms UTC, inclusive." }),
  until: Schema.optionalKey(TimeOfBody).annotate({ description: "ms UTC, exclusive. Default: now." })
}).annotate({ identifier: "NewBacktest" })

const Count = Schema.Int
const Share = Schema.Finite
const Rate = Schema.NullOr(Schema.Finite)
const ProviderOrNone = Schema.NullOr(Schema.String).annotate({ description: "`null`: no route." })

const Measured = Schema.Struct({ rate: Rate, counted: Count })
const Range = Schema.Struct({ low: Schema.Finite, high: Schema.Finite })
const Expected = Schema.Struct({
  rate: Rate,
  range: Schema.NullOr(Range).annotate({ description: "Nine times out of ten the rate lies in it." }),
  coverage: Share.annotate({
    description: "The payments that have an estimate: all others are of a kind that the provider has never had."
  })
})
const Side = Schema.Struct({ payments: Count, share: Share, expected: Expected })
const Sums = Schema.Struct({
  payments: Count,
  amount: Schema.Finite.annotate({ description: "Minor units." }),
  cost: Schema.Finite.annotate({ description: "Minor units, by the draft's fees." }),
  feeUnknown: Count
})
const OfCurrency = Schema.Struct({ currency: Schema.String, before: Sums, after: Sums })

const Changes = Schema.Struct({
  payments: Count,
  share: Share,
  providers: Schema.Array(Schema.Struct({ before: Schema.String, after: ProviderOrNone, payments: Count })),
  rules: Schema.Array(Schema.Struct({ before: Schema.String, after: Schema.String, payments: Count }))
})

const NoRoute = Schema.Struct({
  payments: Count,
  share: Share,
  dropped: Schema.Array(
    Schema.Struct({
      rule: Schema.String,
      provider: Schema.String,
      reason: Schema.String,
      payments: Count
    })
  )
})

const Rule = Schema.Struct({
  name: Schema.String,
  takes: Count.annotate({ description: "Payments that it decides." }),
  matches: Count.annotate({ description: "Payments that its conditions hold for, whichever rule decides them." }),
  exact: Schema.Boolean.annotate({ description: "`false`: `matches` is the least it can be." }),
  state: Schema.Literals(["used", "shadowed", "dead", "unknown"]),
  shadowedBy: Schema.Array(Schema.Struct({ rule: Schema.String, payments: Count }))
})

const Report = Schema.Struct({
  estimate: Schema.Literal(true),
  usesLearnedRates: Schema.Boolean,
  period: Schema.NullOr(Schema.Struct({ from: Time, to: Time })).annotate({
    description: "When the first and the last payment were made; `null`: there were none."
  }),
  payments: Count,
  ruleset: Schema.String,
  rulesetsBefore: Schema.Array(Schema.Struct({ ruleset: Schema.String, payments: Count })),
  changes: Changes,
  noRoute: NoRoute,
  acceptance: Schema.Struct({ measured: Measured, before: Expected, after: Expected }),
  providers: Schema.Array(
    Schema.Struct({
      provider: Schema.String,
      measured: Measured,
      before: Side,
      after: Side,
      currencies: Schema.Array(OfCurrency)
    })
  ),
  currencies: Schema.Array(OfCurrency),
  rules: Schema.Array(Rule),
  default: Schema.Struct({ payments: Count, share: Share })
}).annotate({ identifier: "BacktestReport" })

const Moved = Schema.Struct({
  paymentId: Schema.String,
  createdAt: Time,
  before: Schema.String,
  after: ProviderOrNone,
  rule: Schema.String
})

export const Backtest = Schema.Struct({
  id: Schema.String,
  state: Schema.Literals(["running", "done", "canceled", "failed"]),
  progress: Schema.Finite.annotate({ description: "0 to 1." }),
  startedAt: Time,
  endedAt: Schema.NullOr(Time),
  result: Schema.NullOr(
    Schema.Struct({
      report: Report,
      moved: Schema.Array(Moved).annotate({ description: "The first 1000 payments that change, by time." })
    })
  ).annotate({ description: "Of one that is `done`." }),
  failure: Schema.NullOr(Schema.Struct({ message: Schema.String, problems: Schema.Array(Diagnostic) })).annotate({
    description: "Of one that `failed`. `problems`: of a draft that is not valid."
  })
}).annotate({ identifier: "Backtest" })
