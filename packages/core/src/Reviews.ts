/**
 * The reviews service: lists payments in review, and applies the statements of operators that resolve them.
 *
 * It needs the store but no engine, so it can run in a separate process beside running servers, without providers. A
 * statement is applied like any other evidence: by the same pure transition and the same compare-and-set.
 */
import { Context, Data, Effect, Layer } from "effect"
import type { OperationId, PaymentId } from "./domain/Ids.ts"
import type { PaymentRecord, Tenant } from "./domain/Payment.ts"
import type { ListTimedOut } from "./domain/PaymentError.ts"
import { acceptanceFault, amountFault } from "./domain/books/acceptance.ts"
import type { Acceptance } from "./domain/books/acceptance.ts"
import { consequencesOf } from "./domain/books/consequences.ts"
import type { Consequences } from "./domain/books/consequences.ts"
import { corrected, resolve, takesAmount } from "./domain/books/resolve.ts"
import type { Resolved, StatedAt } from "./domain/books/resolve.ts"
import { resolutions } from "./domain/Review.ts"
import type { Resolution, Review } from "./domain/Review.ts"
import { lateSuccessOf } from "./execution/conclude/lateSuccessOf.ts"
import { recordDispute } from "./execution/conclude/recordDispute.ts"
import type { DisputeRefused, DisputeStatement } from "./execution/conclude/recordDispute.ts"
import * as Money from "./domain/Money.ts"
import { isCommitted, PaymentWriter } from "./execution/conclude/PaymentWriter.ts"
import { everyPayment, PaymentStore } from "./store/PaymentStore.ts"
import type { EvidenceRow, InboxEntry, Page, StoreUnavailable } from "./store/PaymentStore.ts"

/**
 * The refusal of an operator's statement; nothing was written.
 *
 * - `not_found`: the payment does not exist in this account and mode.
 * - `not_in_review`: this review does not exist, or is resolved.
 * - `no_operation`: the payment has no such operation.
 * - `no_evidence`: a resolution needs its evidence, 1 to 10,000 characters without NUL.
 * - `invalid_amount`: an amount is a whole number of minor units, 1 or more.
 * - `amount_does_not_fit`: only `succeeded` for an `amount_mismatch` takes an amount.
 * - `needs_amount`: the provider reported another currency or no amount, so the statement must have the amount.
 * - `amount_below_reports`: the provider has reported more than the amount of the statement.
 * - `operation_in_review`: a review of this operation's amount is open; resolve that review.
 * - `acceptance_required`: an amount that differs from the requested one is accepted only with this amount and a
 *   reason.
 * - `acceptance_differs`: the accepted amount is not the amount that the provider has.
 * - `no_acceptance_reason`: an acceptance needs a reason, 1 to 500 characters without NUL.
 * - `reason_names_customer`: the reason of an acceptance has the customer's name, email address or phone number.
 * - `nothing_to_accept`: the resolution accepts no amount that differs from the requested one.
 * - `does_not_fit`: this resolution does not apply to the review.
 * - `changed`: the payment is not at the version that the statement contains.
 */
export class ReviewRefused extends Data.TaggedError("ReviewRefused")<{
  readonly reason: keyof typeof sentences
  /** The resolutions that apply to the review. Only set for the reason `does_not_fit`. */
  readonly fitting?: ReadonlyArray<Resolution>
  /**
   * The current version of the payment, for an operator whose version may be out of date. Set for the reasons
   * `not_in_review` and `changed`.
   */
  readonly present?: { readonly id: PaymentId; readonly version: number }
  /**
   * The amount that can be accepted, and the requested amount. Set for the reasons `acceptance_required` and
   * `acceptance_differs`.
   */
  readonly acceptable?: { readonly amount: number; readonly requested: number; readonly currency: string }
}> {
  override get message(): string {
    if (this.acceptable !== undefined) {
      const { amount, currency, requested } = this.acceptable
      const [had, asked] = [text(amount, currency), text(requested, currency)]
      return `The provider has ${had}, and ${asked} was requested. ${sentences[this.reason]}`
    }
    const words = this.fitting ?? []
    return words.length === 0 ? sentences[this.reason] : `${sentences[this.reason]} These fit: ${words.join(", ")}.`
  }
}

/** Formats an amount with a plain space after the currency code, so that a text search finds it. */
const text = (minorUnits: number, currency: string): string =>
  Money.format({ minorUnits, currency }, "en-US", "code").replace("\u00a0", " ")

const sentences = {
  not_found: "There is no such payment in this account and mode.",
  not_in_review: "This payment has no such review: it may be resolved already.",
  no_operation: "This payment has no such operation.",
  no_evidence:
    "A resolution needs its evidence, in 1 to 10,000 characters: say what shows it, such as the provider's reference and who saw it.",
  invalid_amount: "An amount is a whole number of minor units, 1 or more: 4990 for EUR 49.90.",
  amount_does_not_fit: "Only the resolution `succeeded` of an `amount_mismatch` takes an amount.",
  needs_amount:
    "No amount was reported in the payment's currency. Pass the amount that the provider's records show, with the resolution `succeeded` of the review `amount_mismatch`.",
  amount_below_reports:
    "The provider has reported more than this amount. Pass at least the reported amount, or return the money at the provider and resolve with `given_back`.",
  operation_in_review: "The amount of this operation is in review. Resolve the review `amount_mismatch` instead.",
  acceptance_required: "To accept it, pass exactly this amount and a reason.",
  acceptance_differs: "The accepted amount must be exactly the amount that the provider has.",
  no_acceptance_reason:
    "Accepting another amount than requested needs a reason, in 1 to 500 characters: say why this amount is enough.",
  reason_names_customer:
    "The reason is kept in the audit log, which is not erased. Leave out the customer's name, email address and phone number.",
  nothing_to_accept:
    "This resolution accepts no other amount than requested. Leave out the accepted amount and its reason.",
  does_not_fit: "This resolution does not fit what is in question for this payment.",
  changed: "The payment has changed since it was read: read it again, and decide on what is known now."
} as const

/** An operator's statement to preview, without its evidence. */
export interface IntendedStatement {
  /**
   * The subject of the statement: a review of the payment by its id, or an operation that the operator saw at the
   * provider.
   */
  readonly subject: { readonly review: string } | { readonly operation: OperationId }
  readonly resolution: Resolution
  /**
   * The amount that the provider has booked, if it differs from the amount in the provider's report. Only for the
   * resolution `succeeded` of a review `amount_mismatch`. Minor units of the payment's currency, 1 or more.
   */
  readonly amount?: number
  /**
   * The operator's acceptance of an amount that differs from the requested one. Required if the preview returns an
   * `acceptance` among the consequences, otherwise refused.
   */
  readonly acceptance?: Acceptance
  /**
   * The version of the payment that the operator has read. The statement is refused if the payment is at another
   * version.
   */
  readonly version?: number
}

/** A statement of an operator. `evidence`: the proof, in the operator's words; required, and stored permanently. */
export interface Statement extends IntendedStatement {
  readonly evidence: string
}

/** A payment with its evidence, and the resolutions that apply to its reviews. */
export interface Reviewed {
  readonly record: PaymentRecord
  /** The last 500 pieces of evidence, in order. The payment's timeline has all of them. */
  readonly evidence: ReadonlyArray<EvidenceRow>
  /** The resolutions that apply to each open review, by the id of the review. */
  readonly fitting: ReadonlyMap<string, ReadonlyArray<FittingResolution>>
}

export interface FittingResolution {
  readonly resolution: Resolution
  /** Whether the statement may include the amount that the provider has booked. */
  readonly takesAmount: boolean
  /** The consequences of a statement without the provider's amount. `null`: the amount is required. */
  readonly consequences: Consequences | null
}

export class Reviews extends Context.Service<
  Reviews,
  {
    /** Lists payments in review, newest first. */
    readonly list: (tenant: Tenant, limit: number) => Effect.Effect<Page, StoreUnavailable | ListTimedOut>
    readonly get: (tenant: Tenant, id: PaymentId) => Effect.Effect<Reviewed, ReviewRefused | StoreUnavailable>
    /**
     * Previews the consequences of a statement for the payment at `version`; nothing is written. An acceptance is
     * optional here: the consequences include it if the statement requires one.
     */
    readonly consequences: (
      tenant: Tenant,
      id: PaymentId,
      intended: IntendedStatement
    ) => Effect.Effect<
      { readonly version: number; readonly consequences: Consequences },
      ReviewRefused | StoreUnavailable
    >
    /** Resolves one review, or states the outcome of one operation (`succeeded` or `not_done`). */
    readonly resolve: (
      tenant: Tenant,
      id: PaymentId,
      statement: Statement
    ) => Effect.Effect<PaymentRecord, ReviewRefused | StoreUnavailable>
    /** Records facts of a dispute that the provider does not report: its existence, amount or result. */
    readonly recordDispute: (
      tenant: Tenant,
      id: PaymentId,
      statement: DisputeStatement
    ) => Effect.Effect<PaymentRecord, DisputeRefused | StoreUnavailable>
    /** Lists stored reports of providers that match no known payment. */
    readonly parked: (limit: number) => Effect.Effect<ReadonlyArray<InboxEntry>, StoreUnavailable>
  }
>()("@paymux/core/Reviews") {
  static readonly layer = Layer.effect(
    Reviews,
    Effect.gen(function* () {
      const store = yield* PaymentStore
      const writer = yield* PaymentWriter

      const find = Effect.fnUntraced(function* (tenant: Tenant, id: PaymentId) {
        return (yield* store.find(tenant, id)) ?? (yield* new ReviewRefused({ reason: "not_found" }))
      })

      const stepOf = ({ payment }: PaymentRecord) =>
        Effect.zipWith(store.now, lateSuccessOf(store, payment, "succeed"), (now, lateSuccess) => ({
          now,
          lateSuccess
        }))

      return Reviews.of({
        list: (tenant, limit) => store.list(tenant, { ...everyPayment, limit, inReview: true }),
        get: Effect.fnUntraced(function* (tenant, id) {
          const record = yield* find(tenant, id)
          const step = yield* stepOf(record)
          const fitting = new Map(record.payment.reviews.map((review) => [review.id, fittingTo(record, review, step)]))
          return { record, evidence: yield* store.evidenceOf(id, mostEvidence), fitting }
        }),
        consequences: Effect.fnUntraced(function* (tenant, id, intended) {
          const record = yield* find(tenant, id)
          const { consequences } = yield* decided(record, intended, yield* stepOf(record))
          if (intended.acceptance !== undefined) yield* checkAcceptance(record, consequences, intended.acceptance)
          return { version: record.payment.version, consequences }
        }),
        resolve: Effect.fnUntraced(function* (tenant, id, { evidence, ...intended }) {
          const document = evidence.trim()
          // Text with NUL is refused, because PostgreSQL cannot store it.
          if (!/^[^\0]{1,10000}$/.test(document)) return yield* new ReviewRefused({ reason: "no_evidence" })
          while (true) {
            const record = yield* find(tenant, id)
            const { consequences, resolved } = yield* decided(record, intended, yield* stepOf(record))
            yield* checkAcceptance(record, consequences, intended.acceptance)
            const cause = { ...resolved.cause, document }
            const written = yield* writer.write(record, resolved.change, { cause, binding: null })
            if (isCommitted(written)) return written.record
          }
        }),
        recordDispute: (tenant, id, statement) => recordDispute(store, writer, tenant, id, statement),
        parked: store.inbox.parked
      })
    })
  )
}

/** The maximum number of pieces of evidence in one response. A provider can report any number about one payment. */
const mostEvidence = 500

const outdated = (reason: "changed" | "not_in_review", { payment: { id, version } }: PaymentRecord) =>
  Effect.fail(new ReviewRefused({ reason, present: { id, version } }))

const fittingTo = (record: PaymentRecord, review: Review, step: StatedAt): ReadonlyArray<FittingResolution> =>
  resolutions.flatMap((resolution) => {
    const resolved = resolve(record, review, { resolution, amount: null }, step)
    if (resolved === null) return []
    const consequences = consequencesOf(record, resolved)
    const isNamed = amountFault(record, resolved, consequences) === null
    return [{ resolution, takesAmount: takesAmount(review, resolution), consequences: isNamed ? consequences : null }]
  })

/** Computes the change that a statement makes, and the change's consequences. */
const decided = Effect.fnUntraced(function* (
  record: PaymentRecord,
  { amount, resolution, subject, version }: IntendedStatement,
  step: StatedAt
) {
  if (version !== undefined && version !== record.payment.version) return yield* outdated("changed", record)
  const answerAs = yield* answersOf(record, subject, amount ?? null, step)
  const unfit = amount === undefined ? null : unfitAmount(record, subject, resolution, amount)
  if (unfit !== null) return yield* new ReviewRefused({ reason: unfit })
  const resolved = answerAs(resolution)
  if (resolved === null) {
    const fitting = resolutions.filter((word) => answerAs(word) !== null)
    return yield* new ReviewRefused({ reason: "does_not_fit", fitting })
  }
  if ("operation" in subject && hasAmountInReview(record, subject.operation)) {
    return yield* new ReviewRefused({ reason: "operation_in_review" })
  }
  const consequences = consequencesOf(record, resolved)
  const fault = amountFault(record, resolved, consequences)
  return fault === null ? { consequences, resolved } : yield* new ReviewRefused({ reason: fault })
})

const hasAmountInReview = ({ payment }: PaymentRecord, operation: OperationId): boolean =>
  payment.reviews.some(({ operationId, reason }) => reason === "amount_mismatch" && operationId === operation)

const checkAcceptance = ({ payment }: PaymentRecord, consequences: Consequences, given: Acceptance | undefined) => {
  const reason = acceptanceFault(payment, consequences, given)
  if (reason === null) return Effect.void
  const { acceptance, currency } = consequences
  const isAmount = acceptance !== null && (reason === "acceptance_required" || reason === "acceptance_differs")
  return Effect.fail(new ReviewRefused({ reason, ...(isAmount && { acceptable: { ...acceptance, currency } }) }))
}

/** The reason why this statement cannot have an amount; `null`: it can. */
const unfitAmount = (
  { payment }: PaymentRecord,
  subject: Statement["subject"],
  resolution: Resolution,
  amount: number
): "invalid_amount" | "amount_does_not_fit" | null => {
  if (!Number.isSafeInteger(amount) || amount < 1) return "invalid_amount"
  const review = "review" in subject ? payment.reviews.find(({ id }) => id === subject.review) : undefined
  return review !== undefined && takesAmount(review, resolution) ? null : "amount_does_not_fit"
}

/** Computes the change that each resolution would make to the payment; `null`: the resolution does not apply. */
const answersOf = (
  record: PaymentRecord,
  subject: Statement["subject"],
  amount: number | null,
  step: StatedAt
): Effect.Effect<(resolution: Resolution) => Resolved | null, ReviewRefused> => {
  if ("operation" in subject) {
    const operation = record.operations.find(({ id }) => id === subject.operation)
    return operation === undefined
      ? Effect.fail(new ReviewRefused({ reason: "no_operation" }))
      : Effect.succeed((resolution) => corrected(record, operation, resolution, step))
  }
  const review = record.payment.reviews.find(({ id }) => id === subject.review)
  return review === undefined
    ? outdated("not_in_review", record)
    : Effect.succeed((resolution) => resolve(record, review, { resolution, amount }, step))
}
