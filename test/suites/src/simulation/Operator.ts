/**
 * An operator who reads the list of reviews now and then and works through it, review by review: looks the charge up in
 * the vendor's dashboard, answers with a resolution that is true, and gives back by hand exactly what a review names as
 * too much.
 *
 * The operator never states what is not so: where no resolution is both true and fitting, the review stays open. What
 * follows from a true statement is the engine's responsibility.
 */
import { ReviewRefused } from "@paymux/core"
import type { PaymentRecord, Resolution, Reviews } from "@paymux/core"
import { isOpen } from "@paymux/core/store"
import type { Operation, Review } from "@paymux/core/store"
import { noHostedPage, paymentJson } from "@paymux/core/wire"
import { Effect, Exit } from "effect"
import type { Process } from "./engine/Process.ts"
import { captured, held, kept } from "./judge/index.ts"
import type { LedgerMovement } from "./judge/index.ts"
import { tenant } from "./merchant/Clients.ts"
import type { OperatorPlan } from "./Plan.ts"
import { stream } from "./SeededRandom.ts"
import type { TestEnvironment } from "./TestEnvironment.ts"
import { noteCharge, planned } from "./TestEnvironment.ts"
import type { Charge } from "./vendor/Ledger.ts"

/** Where the operator works: any process that is up. */
export interface Desk {
  readonly process: Process
  readonly reviews: Reviews["Service"]
}

export const work = (environment: TestEnvironment, plan: OperatorPlan, desk: () => Desk | null): void => {
  /** Reviews that refused every true statement, at that version of the payment: repeating it changes nothing. */
  const refused = new Set<string>()
  const dealWith = (reviews: Reviews["Service"], record: PaymentRecord) =>
    Effect.forEach(
      record.payment.reviews.filter((review) => !refused.has(versionOf(record, review))),
      (review) =>
        Effect.map(deal(environment, reviews, record, review), (isSettled) => {
          if (!isSettled) refused.add(versionOf(record, review))
        }),
      { discard: true }
    )
  const look = (): void => {
    const at = desk()
    if (at === null) return
    at.process.enter(() => {
      const dealt = Effect.flatMap(at.reviews.list(tenant, 100), ({ records }) =>
        Effect.forEach(
          records.filter((record) => isDealtWith(environment, plan, record)),
          (record) => dealWith(at.reviews, record),
          { discard: true }
        )
      )
      Effect.runForkWith(at.process.context)(Effect.ignore(dealt))
    })
  }
  const again = (): void => {
    look()
    environment.time.at(environment.time.elapsed() + plan.every, again)
  }
  environment.time.at(plan.every, again)
}

/** The same payments are always left alone. */
const isDealtWith = ({ plan: { seed } }: TestEnvironment, { diligence }: OperatorPlan, { payment }: PaymentRecord) =>
  stream(seed, "operator", planned(payment.metadata) ?? 0).chance(diligence)

const versionOf = ({ payment }: PaymentRecord, { id }: Review): string => `${id} ${payment.version}`

/** Answers whether the operator is done with this review for now. */
const deal = Effect.fnUntraced(function* (
  environment: TestEnvironment,
  reviews: Reviews["Service"],
  record: PaymentRecord,
  review: Review
) {
  const n = planned(record.payment.metadata) ?? -1
  const question = questionOf(environment, record, review)
  if (isUnderWay(question) || isOutOfReach(question)) return true
  for (const { byHand, ...answer } of trueStatements(question)) {
    const { evidence, resolution } = answer
    const said = yield* Effect.exit(
      reviews.resolve(tenant, record.payment.id, { subject: { review: review.id }, ...answer })
    )
    if (Exit.isSuccess(said)) {
      byHand?.()
      environment.history.note(n, { kind: "operator", text: `${resolution} to ${review.reason}: ${evidence}` })
      return true
    }
    const error = Exit.findErrorOption(said)
    const isUnfit =
      error._tag === "Some" && error.value instanceof ReviewRefused && error.value.reason === "does_not_fit"
    if (!isUnfit) return false
  }
  return false
})

/** A review with all that the vendors' dashboards show of it. */
interface Question {
  readonly environment: TestEnvironment
  readonly record: PaymentRecord
  readonly review: Review
  readonly operation: Operation | undefined
  /** Of this payment, at the provider that the review names. */
  readonly charges: ReadonlyArray<Charge>
  /** The one that the review names by its reference, or by that of its order or of one of its movements. */
  readonly named: Charge | undefined
}

const questionOf = (environment: TestEnvironment, record: PaymentRecord, review: Review): Question => {
  const n = planned(record.payment.metadata) ?? -1
  const charges = environment.ledger.ofOrder(n).filter(({ provider }) => provider === review.provider)
  return {
    environment,
    record,
    review,
    operation: record.operations.find(({ id }) => id === review.operationId),
    charges,
    named: charges.find(
      ({ movements, orderReference, reference }) =>
        review.reference !== null &&
        (reference === review.reference ||
          orderReference === review.reference ||
          movements.some((movement) => movement.reference === review.reference))
    )
  }
}

/** The payer may still pay, or the engine is giving this money back: the operator waits. */
const isUnderWay = ({ charges, record, review }: Question): boolean =>
  charges.some(({ status }) => status === "waiting") ||
  record.operations.some(
    (each) =>
      each.attemptSeq === review.attemptSeq && each.kind === "refund" && isOpen(each) && each.nextCheckAt !== null
  )

/** A vendor that cannot be inquired and never names our operation: a statement about such a charge could not be matched. */
const isOutOfReach = ({ charges, environment: { plan } }: Question): boolean =>
  plan.vendors.some(
    ({ canInquire, handsBackOurReference, id }) =>
      !canInquire && !handsBackOurReference && charges.some(({ provider }) => provider === id)
  )

interface TrueStatement {
  readonly resolution: Resolution
  readonly evidence: string
  /** Minor units, where the ledger shows another amount than was reported. */
  readonly amount?: number
  /** What the operator does in the vendor's dashboard besides. */
  readonly byHand?: () => void
}

/** What is true of the question, in the words that fit its reason, the best one first. */
const trueStatements = (question: Question): ReadonlyArray<TrueStatement> => {
  switch (question.review.reason) {
    case "excess_capture":
    case "duplicate_capture":
    case "late_success":
      return ofExcess(question)
    case "late_authorization":
      return ofHold(question)
    case "excess_refund":
      return ofRefund(question)
    // No vendor of the simulation reports disputes, and no payment has an order number.
    case "disputed_refund":
    case "possible_duplicate":
      return []
    case "amount_mismatch":
      return question.operation?.kind === "create" ? ofOtherAmount(question) : ofFollowUp(question)
    case "inquiries_exhausted":
    case "instance_not_configured":
    case "close_failed":
    case "reference_conflict":
    case "unreadable_report":
    case "contradiction":
    case "capture_failed":
    case "paid_after_close":
      return question.operation === undefined || question.operation.kind === "create"
        ? ofCreate(question)
        : ofFollowUp(question)
  }
}

/** What the API says that the payment keeps of its own charge. */
const shownOf = ({ payment }: PaymentRecord): number => payment.amountCaptured - payment.amountRefunded

/** Exactly what the review names is given back, where the vendor has it; a report of what never happened is not done. */
const ofExcess = (question: Question): ReadonlyArray<TrueStatement> => {
  const { named, record, review } = question
  if (named === undefined || named.currency !== review.currency) return []
  const tooMuch = kept(named) - (review.reason === "excess_capture" ? shownOf(record) : 0)
  if (tooMuch === 0) {
    const evidence = `${named.reference} keeps nothing that is too much`
    // What was captured and refunded was given back; what was not captured did not happen.
    return [{ resolution: kept(named) === captured(named) ? "not_done" : "given_back", evidence }]
  }
  return tooMuch < review.minorUnits ? [] : [givenBack(question, named, review.minorUnits)]
}

const givenBack = ({ environment }: Question, charge: Charge, minorUnits: number): TrueStatement => ({
  resolution: "given_back",
  evidence: `${minorUnits} of ${charge.reference} given back by hand`,
  byHand: () => move(environment, charge, "refunded", minorUnits)
})

const move = (environment: TestEnvironment, charge: Charge, kind: LedgerMovement["kind"], minorUnits: number): void => {
  charge.movements.push({ kind, minorUnits, at: environment.time.elapsed(), by: "dashboard" })
  if (kind === "released") charge.status = "canceled"
  noteCharge(environment, charge)
}

const ofHold = ({ environment, named, review }: Question): ReadonlyArray<TrueStatement> => {
  if (named === undefined) return []
  if (held(named) === 0) return [{ resolution: "given_back", evidence: `${named.reference} holds nothing` }]
  return held(named) !== review.minorUnits || captured(named) > 0
    ? []
    : [
        {
          resolution: "given_back",
          evidence: `${named.reference} released by hand`,
          byHand: () => move(environment, named, "released", held(named))
        }
      ]
}

/** A refund that the vendor did is stated; a report of one that it never made is dismissed. A loss stays in review. */
const ofRefund = (question: Question): ReadonlyArray<TrueStatement> => {
  const { charges, operation, review } = question
  const isMade = charges.some(({ movements }) =>
    movements.some(
      ({ kind, operation: id, reference }) =>
        kind === "refunded" && ((id !== undefined && id === operation?.id) || reference === review.reference)
    )
  )
  if (!isMade) return [{ resolution: "dismissed", evidence: "the vendor has made no such refund" }]
  if (isAsAsked(question)) return [{ resolution: "dismissed", evidence: `${operation?.id} refunded what was asked` }]
  return operation === undefined ? [] : [{ resolution: "succeeded", evidence: `the vendor has made ${operation.id}` }]
}

/** The refund that the operation is known by has the amount that was asked, whatever else was reported of it. */
const isAsAsked = ({ charges, operation, review: { reference } }: Question): boolean =>
  operation !== undefined &&
  operation.status === "succeeded" &&
  operation.reference === reference &&
  charges.some(({ movements }) =>
    movements.some((movement) => movement.reference === reference && movement.minorUnits === operation.minorUnits)
  )

const ofFollowUp = ({ charges, operation, record, review }: Question): ReadonlyArray<TrueStatement> => {
  if (operation === undefined) return []
  const done = charges
    .flatMap(({ followUps }) => followUps)
    .find(({ isDone, merchantReference }) => isDone && merchantReference === operation.id)
  if (done === undefined) return [{ resolution: "not_done", evidence: `no vendor has done the ${operation.kind}` }]
  const isRight = done.minorUnits === operation.minorUnits
  const isAsShown = charges.reduce((total, charge) => total + kept(charge), 0) === shownOf(record)
  return [
    ...(isRight ? [{ resolution: "succeeded", evidence: `${done.reference} is done` } as const] : []),
    ...(isAsShown && review.reason === "paid_after_close"
      ? [{ resolution: "dismissed", evidence: "the vendor keeps what the API shows" } as const]
      : [])
  ]
}

/** Another amount than asked: given back as it came, or, where the vendor's books have what was asked, paid. */
const ofOtherAmount = (question: Question): ReadonlyArray<TrueStatement> => {
  const { charges, named, record, review } = question
  const charge = named ?? (charges.length === 1 ? charges[0] : undefined)
  if (charge === undefined) return []
  const { amount } = record.payment
  if (kept(charge) === amount.minorUnits && charge.currency === amount.currency) {
    const evidence = `${charge.reference} took what was asked`
    return [
      {
        resolution: "succeeded",
        evidence,
        ...(amount.minorUnits !== review.minorUnits && { amount: amount.minorUnits })
      }
    ]
  }
  return charge.currency === review.currency && kept(charge) === review.minorUnits
    ? [givenBack(question, charge, review.minorUnits)]
    : []
}

/** The charge that its operation made: paid as asked, or released by hand where it is a hold, or never made. */
const ofCreate = (question: Question): ReadonlyArray<TrueStatement> => {
  const { charges, environment, operation, record } = question
  const { amount } = record.payment
  const own = charges.filter(({ merchantReference }) => operation === undefined || merchantReference === operation.id)
  const paid = own.filter((charge) => kept(charge) > 0)
  const holds = own.filter((charge) => held(charge) > 0)
  const [first] = paid
  if (first !== undefined) {
    const isAsAsked = paid.some((charge) => kept(charge) === amount.minorUnits && charge.currency === amount.currency)
    return [
      ...(isAsAsked ? [{ resolution: "succeeded", evidence: `${first.reference} took it` } as const] : []),
      ...(paid.length === 1 && kept(first) === shownOf(record)
        ? [{ resolution: "dismissed", evidence: "the vendor keeps what the API shows" } as const]
        : [])
    ]
  }
  // There is no resolution that accepts a hold.
  if (paymentJson(record, noHostedPage).status === "authorized") return []
  return [
    {
      resolution: "not_done",
      evidence: holds.length === 0 ? "no vendor has taken anything" : "released by hand",
      byHand: () => holds.forEach((hold) => move(environment, hold, "released", held(hold)))
    }
  ]
}
