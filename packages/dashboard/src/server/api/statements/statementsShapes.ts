/** What endpoints of providers' statements answer. */
import { differenceKinds, movementTypes } from "@paymux/core/engine"
import { statementRunStates } from "@paymux/sql"
import { Schema } from "effect"
import { Time } from "../fields.ts"

const NullableText = Schema.NullOr(Schema.String)

const Counted = Schema.Int

export const Run = Schema.Struct({
  id: Schema.Int,
  provider: Schema.String,
  livemode: Schema.Boolean,
  source: Schema.String.annotate({ description: "`provider`, or `file:` and the name of a file." }),
  since: Time.annotate({ description: "ms UTC, inclusive." }),
  until: Time.annotate({ description: "ms UTC, exclusive. Equal to `since`: a file without a stated time." }),
  cursor: NullableText.annotate({ description: "Where the run continues." }),
  pages: Schema.Int,
  state: Schema.Literals(statementRunStates),
  counts: Schema.Struct({
    matched: Counted,
    differs: Counted,
    foreign: Counted,
    account: Counted,
    repeated: Counted,
    differences: Schema.Record(Schema.String, Counted)
  }).annotate({
    description: "Movements by result; a movement that an earlier run has entered counts as repeated only."
  }),
  problem: NullableText.annotate({ description: "Why it failed." }),
  startedAt: Time,
  updatedAt: Time,
  endedAt: Schema.NullOr(Time)
}).annotate({ identifier: "StatementRun" })

export const Statement = Schema.Struct({
  provider: Schema.String,
  hasStatement: Schema.Boolean.annotate({
    description: "Whether its adapter has a statement, which a running server reads once a day. `false`: files only."
  }),
  readUntil: Schema.NullOr(Time).annotate({
    description: "ms UTC, up to where the provider's own statement was read without a gap. `null`: never."
  }),
  lastRun: Schema.NullOr(Run)
}).annotate({ identifier: "ProviderStatement" })

const Money = Schema.Struct({
  minorUnits: Schema.Int.annotate({ description: "In the smallest unit of `currency`." }),
  currency: Schema.String
}).annotate({ identifier: "StatementMoney" })

/** Of the payment that a movement or difference is about. */
const account = NullableText.annotate({ description: "Of the payment; `null`: it is not in the database." })

export const Difference = Schema.Struct({
  id: Schema.Int,
  provider: Schema.String,
  kind: Schema.Literals(differenceKinds),
  movement: NullableText.annotate({
    description: "The provider's id of the movement; `null`: the statement has none."
  }),
  operationId: NullableText,
  paymentId: NullableText,
  account,
  isInReview: Schema.Boolean.annotate({ description: "Whether the payment has an open review." }),
  expected: Schema.NullOr(Money).annotate({ description: "What the books have." }),
  found: Schema.NullOr(Money).annotate({ description: "What the statement has." }),
  run: Schema.Int.annotate({ description: "The run that found it first." }),
  foundAt: Time,
  resolvedAt: Schema.NullOr(Time).annotate({
    description: "ms UTC; when a later statement had what this one was without."
  })
}).annotate({ identifier: "StatementDifference" })

const direction = Schema.Literals(["in", "out"]).annotate({ description: "`in`: the account gained it." })

const type = Schema.Literals(movementTypes)

export const Movement = Schema.Struct({
  id: Schema.String.annotate({ description: "The provider's id of the booking." }),
  type,
  operation: NullableText.annotate({ description: "The id of an operation that the provider returned." }),
  reference: NullableText,
  original: NullableText.annotate({
    description: "The provider's reference of the payment that a capture, refund or dispute belongs to."
  }),
  amount: Money.annotate({ description: "Above zero, before fees." }),
  direction,
  fee: Schema.NullOr(Money).annotate({ description: "The fee of the provider; negative if a fee was given back." }),
  net: Schema.NullOr(Money),
  payout: NullableText.annotate({ description: "The provider's id of the payout that contains it." }),
  bookedAt: Time,
  result: Schema.Literals(["matched", "differs", "foreign", "account"]),
  operationId: NullableText.annotate({ description: "The operation that it is about." }),
  paymentId: NullableText,
  account
}).annotate({ identifier: "StatementMovement" })

const sum = Schema.String.annotate({ description: "Minor units as text: the sum may exceed 2^53." })

export const Payout = Schema.Struct({
  id: Schema.String.annotate({ description: "The provider's id of the payout." }),
  provider: Schema.String,
  transfers: Schema.Array(Movement).annotate({
    description: "What was transferred to the bank, or returned by it. Empty: the statement has no such movement."
  }),
  parts: Schema.Array(
    Schema.Struct({ type, direction, currency: Schema.String, count: Schema.Int, amount: sum })
  ).annotate({
    description: "The other movements of the payout, by type, direction and currency, before fees."
  }),
  nets: Schema.Array(Schema.Struct({ currency: Schema.String, amount: sum })).annotate({
    description: "What the parts have added to the balance."
  }),
  withoutNet: Schema.Int.annotate({ description: "Parts without a known net amount." })
}).annotate({ identifier: "StatementPayout" })
