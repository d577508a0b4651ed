/** `paymux review resolve`: answers one review, or corrects the outcome of one operation. */
import { ReviewRefused, Reviews } from "@paymux/core"
import type { PaymentId, PaymentRecord, Statement, Tenant } from "@paymux/core"
import { resolutions } from "@paymux/core/store"
import { iso, noHostedPage, paymentJson } from "@paymux/core/wire"
import { Console, Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { onExistingDatabase } from "../database.ts"
import { asPaymentId, paymentArgument, paymentNotFound, reviewText, where } from "./reviewShared.ts"
import { reviews } from "../../Audited.ts"
import { userError } from "../userError.ts"

export const resolve = Command.make(
  "resolve",
  {
    payment: paymentArgument,
    review: Argument.String("review").pipe(
      Argument.withDescription(
        "rev_…, as `paymux review list` shows it; optional if the payment has exactly one review"
      ),
      Argument.optional
    ),
    as: Flag.Literals("as", resolutions).pipe(
      Flag.withDescription(
        "succeeded: the operation was executed. not_done: it was not executed, and will not be. given_back: the money was refunded, or the hold released, at the provider. dismissed: close the review and change nothing else"
      )
    ),
    evidence: Flag.String("evidence").pipe(
      Flag.withDescription(
        "The evidence, such as the provider's reference and who looked it up; required, and stored with the payment"
      ),
      Flag.optional
    ),
    amount: Flag.Int("amount").pipe(
      Flag.withDescription(
        "Minor units, such as 4990 for EUR 49.90: what the provider's dashboard shows, if it is not what was reported. Only with --as succeeded and an amount_mismatch"
      ),
      Flag.optional
    ),
    operation: Flag.String("operation").pipe(
      Flag.withDescription("op_…: correct the outcome of an operation that has no review; succeeded or not_done"),
      Flag.optional
    ),
    ...where
  },
  Effect.fnUntraced(function* ({ account, amount, as, database, evidence, live, operation, payment, review }) {
    const tenant = { account, livemode: live }
    const id = asPaymentId(payment)
    if (id === null) return yield* userError(paymentNotFound(payment, tenant))
    const proof = Option.getOrElse(evidence, () => "").trim()
    if (proof === "") return yield* userError(new Error(missingEvidence))
    const asked = { review: Option.getOrNull(review), operation: Option.getOrNull(operation) }
    const record = yield* onExistingDatabase(
      database,
      reviews,
      resolved(tenant, id, asked, {
        resolution: as,
        evidence: proof,
        ...(Option.isSome(amount) && { amount: amount.value })
      })
    )
    const open = record.payment.reviews.length
    yield* Console.error(
      `Saved. Payment status: ${record.payment.state.status}. ${open === 0 ? "No open reviews." : `Open reviews: ${open}.`}`
    )
    yield* Console.log(JSON.stringify(paymentJson(record, noHostedPage), null, 2))
  })
).pipe(
  Command.withDescription("Resolve one review of a payment, or correct the outcome of one operation"),
  Command.withExamples([
    {
      command: 'paymux review resolve pay_… rev_… --as given_back --evidence "Refunded in the Acme dashboard, re_88"',
      description: "A duplicate was refunded by hand"
    },
    {
      command:
        'paymux review resolve pay_… --operation op_… --as succeeded --evidence "Acme support, ticket 4711: refund arrived"',
      description: "Paymux has a refund as failed that the provider has done"
    }
  ])
)

interface Asked {
  readonly review: string | null
  readonly operation: string | null
}

const missingEvidence =
  "Evidence is missing. Pass --evidence with what proves it, such as the provider's reference and who looked it up."

const resolved = Effect.fnUntraced(function* (
  tenant: Tenant,
  id: PaymentId,
  asked: Asked,
  answer: Omit<Statement, "subject">
) {
  const service = yield* Reviews
  const { record } = yield* Effect.mapError(service.get(tenant, id), (error) =>
    error instanceof ReviewRefused ? paymentNotFound(id, tenant) : error
  )
  const subject = subjectOf(record, asked)
  if (typeof subject === "string") return yield* Effect.fail(new Error(subject))
  return yield* Effect.mapError(service.resolve(tenant, id, { ...answer, subject }), (error) =>
    error instanceof ReviewRefused && error.reason === "does_not_fit"
      ? new Error(doesNotFit(record, subject, answer.resolution, error.fitting ?? []))
      : error
  )
})

/** What the statement is about, or the sentence that says why it is about nothing. */
const subjectOf = (
  { operations, payment }: PaymentRecord,
  { operation, review }: Asked
): Statement["subject"] | string => {
  if (operation !== null && review !== null) return "Pass a review or --operation, not both."
  if (operation !== null) {
    const known = operations.find(({ id }) => id === operation)
    return known === undefined
      ? `Payment ${payment.id} has no operation ${operation}. To list its operations: paymux review show ${payment.id}`
      : { operation: known.id }
  }
  if (review !== null) {
    const isOpen = payment.reviews.some(({ id }) => id === review)
    return isOpen ? { review } : notOpen(payment, review)
  }
  const [only, ...others] = payment.reviews
  if (only === undefined) {
    return `Payment ${payment.id} has no open review. To correct the outcome of an operation, pass --operation op_….`
  }
  return others.length === 0
    ? { review: only.id }
    : `Payment ${payment.id} has ${payment.reviews.length} open reviews. Pass the id of one: ${listed(payment)}.`
}

const notOpen = (payment: PaymentRecord["payment"], review: string): string => {
  const answer = payment.resolutions.findLast((each) => each.review === review)
  const what =
    answer === undefined
      ? `Payment ${payment.id} has no open review ${review}.`
      : `Review ${review} was resolved at ${iso(answer.resolvedAt)} as ${answer.resolution}.`
  return payment.reviews.length === 0
    ? `${what} The payment has no open reviews.`
    : `${what} Open reviews: ${listed(payment)}.`
}

const listed = ({ reviews: open }: PaymentRecord["payment"]): string => open.map(reviewText).join(", ")

const doesNotFit = (
  { payment }: PaymentRecord,
  subject: Statement["subject"],
  resolution: Statement["resolution"],
  fitting: ReadonlyArray<Statement["resolution"]>
): string => {
  const what =
    "operation" in subject
      ? `--as ${resolution} does not fit operation ${subject.operation}.`
      : `--as ${resolution} does not fit review ${subject.review} (${payment.reviews.find(({ id }) => id === subject.review)?.reason}).`
  return fitting.length === 0
    ? `${what} Its outcome cannot be corrected from its current status.`
    : `${what} Pass ${fitting.map((each) => `--as ${each}`).join(" or ")}.`
}
