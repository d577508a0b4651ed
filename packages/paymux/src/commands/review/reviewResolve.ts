/** `paymux review resolve`: answers one review, or corrects the outcome of one operation. */
import { ReviewRefused, Reviews } from "@paymux/core"
import type { PaymentId, PaymentRecord, Statement, Tenant } from "@paymux/core"
import type { Acceptance, Consequences } from "@paymux/core/store"
import { resolutions } from "@paymux/core/store"
import { iso, noHostedPage, paymentJson } from "@paymux/core/wire"
import { Console, Effect, Option } from "effect"
import { Argument, Command, Flag, Prompt } from "effect/cli"
import { onExistingDatabase } from "../database.ts"
import { asPaymentId, paymentArgument, paymentNotFound, reviewText, where } from "./reviewShared.ts"
import { reviews } from "../../Audited.ts"
import { consequenceLines } from "./consequenceText.ts"
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
        "succeeded: captured, refunded or canceled at the provider. not_done: not charged, not refunded, and it will not be. given_back: refunded or released outside of Paymux. dismissed: close the review and change nothing else"
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
    accept: Flag.Int("accept").pipe(
      Flag.withDescription(
        "Minor units: the amount that the provider has, where it is accepted instead of the requested one; with --reason"
      ),
      Flag.optional
    ),
    reason: Flag.String("reason").pipe(
      Flag.withDescription("Why the amount of --accept is enough; kept in the audit log, so without customer data"),
      Flag.optional
    ),
    yes: Flag.Boolean("yes").pipe(Flag.withDescription("Do not ask for confirmation"), Flag.withDefault(false)),
    operation: Flag.String("operation").pipe(
      Flag.withDescription("op_…: correct the outcome of an operation that has no review; succeeded or not_done"),
      Flag.optional
    ),
    ...where
  },
  Effect.fnUntraced(function* (flags) {
    const { account, amount, as, database, evidence, live, operation, payment, review, yes } = flags
    const tenant = { account, livemode: live }
    const id = asPaymentId(payment)
    if (id === null) return yield* userError(paymentNotFound(payment, tenant))
    const proof = Option.getOrElse(evidence, () => "").trim()
    if (proof === "") return yield* userError(new Error(missingEvidence))
    const acceptance = acceptanceOf(flags)
    if (acceptance instanceof Error) return yield* userError(acceptance)
    if (!yes && (!process.stdin.isTTY || !process.stdout.isTTY)) return yield* userError(new Error(notInteractive))
    const asked = { review: Option.getOrNull(review), operation: Option.getOrNull(operation), yes }
    const record = yield* onExistingDatabase(
      database,
      reviews,
      resolved(tenant, id, asked, {
        resolution: as,
        evidence: proof,
        ...(Option.isSome(amount) && { amount: amount.value }),
        ...(acceptance !== null && { acceptance })
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
      command:
        'paymux review resolve pay_… rev_… --as given_back --evidence "Refunded in the Acme dashboard, re_88" --yes',
      description: "A duplicate was refunded by hand"
    },
    {
      command:
        'paymux review resolve pay_… --operation op_… --as succeeded --evidence "Acme support, ticket 4711: refund arrived" --yes',
      description: "Paymux has a refund as failed that the provider has done"
    },
    {
      command:
        'paymux review resolve pay_… --as succeeded --accept 4990 --reason "Fee of the payer\'s bank" --evidence "Acme dashboard, ch_812"',
      description: "Accept EUR 49.90 of the requested EUR 50.00"
    }
  ])
)

interface Asked {
  readonly review: string | null
  readonly operation: string | null
  /** Without a question. */
  readonly yes: boolean
}

const notInteractive = "A resolution cannot be undone. Not an interactive terminal: pass --yes to confirm."

/** `null`: nothing is accepted. */
const acceptanceOf = ({
  accept,
  reason
}: {
  readonly accept: Option.Option<number>
  readonly reason: Option.Option<string>
}): Acceptance | null | Error => {
  if (Option.isNone(accept) && Option.isNone(reason)) return null
  return Option.isSome(accept) && Option.isSome(reason)
    ? { amount: accept.value, reason: reason.value }
    : new Error("Pass --accept and --reason together.")
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
  const inWords = (error: Error) =>
    error instanceof ReviewRefused && error.reason === "does_not_fit"
      ? new Error(doesNotFit(record, subject, answer.resolution, error.fitting ?? []))
      : error
  const { evidence: _, ...intended } = { ...answer, subject }
  const { consequences, version } = yield* Effect.mapError(service.consequences(tenant, id, intended), inWords)
  yield* Console.error(["Consequences:", ...consequenceLines(consequences).map((line) => `  ${line}`)].join("\n"))
  const acceptance = answer.acceptance ?? (asked.yes ? undefined : yield* askAcceptance(consequences))
  if (!asked.yes && !(yield* confirmed)) return yield* Effect.fail(new Error("Nothing was changed."))
  const statement = {
    ...answer,
    subject,
    ...(acceptance !== undefined && { acceptance }),
    // A person has read the consequences, which are of this version.
    ...(!asked.yes && { version })
  }
  return yield* Effect.mapError(service.resolve(tenant, id, statement), inWords)
})

const quit = Effect.fail(new Error("Nothing was changed."))

const confirmed = Prompt.run(Prompt.Confirm({ message: "Resolve? This cannot be undone." })).pipe(
  Effect.catchTag("QuitError", () => Effect.succeed(false))
)

/** Another amount than requested is typed, as it is refused without. */
const askAcceptance = Effect.fnUntraced(
  function* ({ acceptance, currency }: Consequences) {
    if (acceptance === null) return undefined
    const amount = yield* Prompt.Int({
      message: `Type the amount to accept, in minor units of ${currency}`
    })
    const reason = yield* Prompt.String({ message: "Why is this amount enough? Kept in the audit log" })
    return { amount, reason }
  },
  Effect.catchTag("QuitError", () => quit)
)

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
