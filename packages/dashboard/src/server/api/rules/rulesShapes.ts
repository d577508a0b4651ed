/** The shapes of routing rules, their versions and explained decisions. */
import type { ExplainedCondition } from "@paymux/routing"
import { Schema } from "effect"
import { Time, TimeOfBody } from "../fields.ts"

/** Larger than any version can be. */
export const MOST_VERSION = 2_147_483_647

const VersionOfBody = Schema.Int.check(
  Schema.isBetween({ minimum: 1, maximum: MOST_VERSION }, { message: "must be the number of a version, from 1" })
)

const Author = Schema.Struct({ kind: Schema.String, id: Schema.String, name: Schema.NullOr(Schema.String) })

const version = {
  version: Schema.Int.annotate({ description: "Ascending." }),
  ruleset: Schema.String.annotate({ description: "As payments name it: `sha256:` and the hex digest." }),
  source: Schema.String.annotate({ description: "`database`, the name of the file, `options` or `default`." }),
  at: Time.annotate({ description: "ms UTC; when it was published, or for the first time in force." }),
  author: Schema.NullOr(Author).annotate({ description: "`null`: of a file, which does not say." }),
  note: Schema.NullOr(Schema.String),
  restores: Schema.NullOr(Schema.Int).annotate({ description: "The version whose text was published again." })
}

export const Version = Schema.Struct(version).annotate({ identifier: "RulesVersion" })

const text = Schema.String.annotate({ description: "As it was written, with comments. Other rules: as YAML." })

export const VersionText = Schema.Struct({ ...version, text }).annotate({ identifier: "RulesVersionText" })

const Origin = Schema.Union([
  Schema.Struct({ kind: Schema.Literal("file"), file: Schema.String }),
  Schema.Struct({ kind: Schema.Literals(["database", "options", "default"]) })
]).annotate({ description: "Where the rules are edited. Only those in the `database` can be published here." })

export const Diagnostic = Schema.Struct({
  line: Schema.NullOr(Schema.Int).annotate({ description: "From 1; `null`: of the text as a whole." }),
  column: Schema.NullOr(Schema.Int).annotate({ description: "From 1, in UTF-16 units." }),
  message: Schema.String
}).annotate({ identifier: "RulesDiagnostic" })

export const Current = Schema.Struct({
  ...version,
  text,
  origin: Origin,
  inForce: Schema.String.annotate({
    description:
      "The ruleset that this process decides by. It differs from `ruleset` while a version spreads, and if that has `problems`."
  }),
  problems: Schema.Array(Diagnostic).annotate({
    description: "Why this version does not fit the providers of this process, which decides by an older one."
  })
}).annotate({ identifier: "CurrentRules" })

export const Vocabulary = Schema.Struct({
  providers: Schema.Array(
    Schema.Struct({ id: Schema.String, mode: Schema.String, methods: Schema.Array(Schema.String) })
  ),
  conditions: Schema.Array(
    Schema.Struct({
      name: Schema.String,
      operators: Schema.Array(Schema.String).annotate({ description: "What may stand in a mapping below it." }),
      values: Schema.Array(Schema.String).annotate({ description: "All that it may be compared with; empty: no list." })
    })
  ).annotate({ description: "`metadata.<key>` comes on top, with the operators of `account`." })
}).annotate({ identifier: "RulesVocabulary" })

export const Draft = Schema.Struct({ text: Schema.String }).annotate({ identifier: "RulesDraft" })

export const Checked = Schema.Union([
  Schema.Struct({
    valid: Schema.Literal(true),
    ruleset: Schema.String,
    rules: Schema.Int.annotate({ description: "How many." }),
    problems: Schema.Tuple([]),
    warnings: Schema.Array(Diagnostic).annotate({
      description: "Parts that do nothing, or something else than they seem to. The rules can be published."
    })
  }),
  Schema.Struct({
    valid: Schema.Literal(false),
    problems: Schema.Array(Diagnostic),
    acceptable: Schema.optionalKey(Schema.Literal(true)).annotate({
      description:
        "All problems are payments that get no provider because of `exclude` or `outages`: `acceptNoRoute` publishes the draft."
    })
  })
]).annotate({ identifier: "CheckedRules" })

export const Explain = Schema.Struct({
  paymentId: Schema.optionalKey(Schema.String).annotate({ description: "A stored payment. This, or `request`." }),
  request: Schema.optionalKey(Schema.Unknown).annotate({ description: "The body of `POST /v1/payments`." }),
  at: Schema.optionalKey(TimeOfBody).annotate({ description: "Of a `request`: ms UTC. Default: now." }),
  text: Schema.optionalKey(Schema.String).annotate({
    description: "A draft. Default: the rules that decided the stored payment, or the current rules."
  })
}).annotate({ identifier: "ExplainRules" })

const Condition = Schema.Struct({
  asked: Schema.String.annotate({
    description: "Such as `amount gte 500000`; `all`, `any` or `not` of those in `of`."
  }),
  holds: Schema.Boolean,
  actual: Schema.NullOr(Schema.Union([Schema.String, Schema.Finite, Schema.Boolean])).annotate({
    description: "What the payment has; `null`: nothing."
  }),
  of: Schema.Array(Schema.suspend((): Schema.Codec<ExplainedCondition> => Condition))
}).annotate({ identifier: "ExplainedCondition" })

const Candidate = Schema.Struct({ provider: Schema.String, reason: Schema.String })

const Answer = Schema.Union([
  Schema.Struct({
    _tag: Schema.Literal("Plan"),
    decision: Schema.Struct({
      rule: Schema.String,
      ruleset: Schema.String,
      reason: Schema.String,
      candidates: Schema.Array(Candidate),
      dropped: Schema.Array(Candidate)
    }),
    candidates: Schema.Array(Candidate).annotate({ description: "In the order to try." })
  }),
  Schema.Struct({
    _tag: Schema.Literal("NoRoute"),
    rule: Schema.String,
    ruleset: Schema.String,
    candidates: Schema.Array(Schema.Struct({ provider: Schema.String, reason: Schema.String }))
  })
])

export const Explained = Schema.Struct({
  explanation: Schema.Struct({
    ruleset: Schema.String,
    summary: Schema.String.annotate({
      description: "The decision in one paragraph, with the numbers that it stores. For people: its words may change."
    }),
    rules: Schema.Array(
      Schema.Struct({ name: Schema.String, matches: Schema.Boolean, conditions: Schema.Array(Condition) })
    ).annotate({ description: "From the first to the one that decided; that is `default` where none matches." }),
    answer: Answer
  }),
  ratesUnknown: Schema.Boolean.annotate({ description: "Success rates could not be read: they are taken as unknown." })
}).annotate({ identifier: "ExplainedDecision" })

const Note = Schema.optionalKey(Schema.NullOr(Schema.String)).annotate({
  description: "Why, for the history: one line of at most 500 characters."
})

const AcceptNoRoute = Schema.optionalKey(Schema.Boolean).annotate({
  description:
    "`true`: publish although `exclude` or `outages` leave payments without a provider. The audit log says so. Default: `false`."
})

export const Publication = Schema.Struct({ text: Schema.String, note: Note, acceptNoRoute: AcceptNoRoute }).annotate({
  identifier: "RulesPublication"
})

export const Rollback = Schema.Struct({
  version: VersionOfBody.annotate({ description: "Whose text is published again." }),
  note: Note,
  acceptNoRoute: AcceptNoRoute
}).annotate({ identifier: "RulesRollback" })
