/**
 * An operator who reads the list of reviews now and then, and deals with one payment after the other: looks at the
 * vendors' dashboards, says what is true, and gives back by hand what is too much. The reviews of today name no charge:
 * the operator deals with the first one that the payment does not show, one at a time.
 *
 * The operator never says what is not so. What follows from a true word is the engine's responsibility.
 */
import { isOpen, isRefund, paymentJson, ReviewRefused } from "@paymux/core"
import type { Operation, PaymentRecord, Resolution, Reviews } from "@paymux/core"
import { Effect, Exit } from "effect"
import type { Process } from "./engine/Process.ts"
import { held, kept } from "./judge/index.ts"
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
  /** Payments whose review has refused a word, at that version: saying it again changes nothing. */
  const refused = new Set<string>()
  const look = (): void => {
    const at = desk()
    if (at === null) return
    at.process.enter(() => {
      const dealt = Effect.flatMap(at.reviews.list(tenant, 100), ({ records }) =>
        Effect.forEach(
          records.filter((record) => isDealtWith(environment, plan, record) && !refused.has(versionOf(record))),
          (record) =>
            Effect.map(deal(environment, at.reviews, record), (isSettled) => {
              if (!isSettled) refused.add(versionOf(record))
            }),
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

const versionOf = ({ payment }: PaymentRecord): string => `${payment.id} ${payment.version}`

/** Answers whether the operator is done with it, for now. */
const deal = Effect.fnUntraced(function* (
  environment: TestEnvironment,
  reviews: Reviews["Service"],
  record: PaymentRecord
) {
  const n = planned(record.payment.metadata) ?? -1
  const charges = environment.ledger.ofOrder(n)
  if (isUnderWay(record, charges) || isOutOfReach(environment, charges)) return true
  const word = truth(environment, record, charges)
  if (word === null) return false
  const say = (resolution: Resolution) =>
    Effect.exit(reviews.resolve(tenant, record.payment.id, { resolution, evidence: word.evidence }))
  const accepted = (resolution: Resolution) =>
    environment.history.note(n, { kind: "operator", text: `${resolution}: ${word.evidence}` })
  const said = yield* say(word.resolution)
  if (Exit.isSuccess(said)) {
    word.byHand?.()
    accepted(word.resolution)
    return true
  }
  const error = Exit.findErrorOption(said)
  const fitting = error._tag === "Some" && error.value instanceof ReviewRefused ? (error.value.fitting ?? []) : []
  // A word that fits and is as true, where there is nothing to give back.
  if (word.byHand !== undefined || !fitting.includes("dismissed")) return false
  if (Exit.isFailure(yield* say("dismissed"))) return false
  accepted("dismissed")
  return true
})

/** The payer may still pay, or the engine is giving money back: the operator waits. */
const isUnderWay = (record: PaymentRecord, charges: ReadonlyArray<Charge>): boolean =>
  charges.some(({ status }) => status === "waiting") ||
  paymentJson(record).attempts.some(({ reversal }) => reversal === "pending") ||
  record.operations.some((operation) => isRefund(operation) && isOpen(operation) && operation.nextCheckAt !== null)

/** A vendor that cannot be asked and never names our operation: a word about such a charge could not be matched later. */
const isOutOfReach = ({ plan }: TestEnvironment, charges: ReadonlyArray<Charge>): boolean =>
  plan.vendors.some(
    ({ canInquire, handsBackOurReference, id }) =>
      !canInquire && !handsBackOurReference && charges.some(({ provider }) => provider === id)
  )

interface Word {
  readonly resolution: Resolution
  readonly evidence: string
  /** What the operator does in the vendor's dashboard besides. */
  readonly byHand?: () => void
}

/** What the vendors' books say about the question. `null`: the review does not say which of several is in question. */
const truth = (environment: TestEnvironment, record: PaymentRecord, charges: ReadonlyArray<Charge>): Word | null => {
  const open = record.operations.filter((operation) => operation.kind !== "create" && isOpen(operation))
  if (open.length > 1) return null
  return (
    aboutFollowUp(open[0], charges) ??
    aboutMoney(environment, record, charges) ??
    aboutHold(environment, record, charges) ?? { resolution: "dismissed", evidence: "every vendor's total agrees" }
  )
}

const aboutFollowUp = (operation: Operation | undefined, charges: ReadonlyArray<Charge>): Word | null => {
  if (operation === undefined) return null
  const done = charges
    .flatMap(({ followUps }) => followUps)
    .find(({ isDone, merchantReference }) => isDone && merchantReference === operation.id)
  return done === undefined
    ? { resolution: "not_done", evidence: `no vendor has done the ${operation.kind}` }
    : { resolution: "succeeded", evidence: `${done.reference} is done` }
}

/** What is too much is given back by hand, one charge at a time. */
const aboutMoney = (
  environment: TestEnvironment,
  record: PaymentRecord,
  charges: ReadonlyArray<Charge>
): Word | null => {
  const { amount_captured, amount_refunded, status } = paymentJson(record)
  const paid = charges.filter((charge) => kept(charge) > 0)
  const excess = paid.reduce((sum, charge) => sum + kept(charge), 0) - (amount_captured - amount_refunded)
  const isOwn = (charge: Charge) =>
    charge.provider === record.payment.provider && charge.minorUnits === record.payment.amount.minorUnits
  if (status === "pending" && paid.length === 1 && paid.every(isOwn)) {
    return { resolution: "succeeded", evidence: `${paid.map(({ reference }) => reference).join()} took it` }
  }
  const tooMuch = paid.find((charge) => status === "pending" || !isOwn(charge)) ?? paid.at(-1)
  if (excess <= 0 || tooMuch === undefined) return null
  const minorUnits = Math.min(excess, kept(tooMuch))
  const byHand = () => {
    tooMuch.movements.push({ kind: "refunded", minorUnits, at: environment.time.elapsed(), by: "dashboard" })
    noteCharge(environment, tooMuch)
  }
  return { resolution: "given_back", evidence: `${minorUnits} of ${tooMuch.reference} given back by hand`, byHand }
}

/** There is no word for a hold: it is released by hand, and then nothing was done. */
const aboutHold = (
  environment: TestEnvironment,
  record: PaymentRecord,
  charges: ReadonlyArray<Charge>
): Word | null => {
  const { status } = paymentJson(record)
  if (status === "authorized" || status === "succeeded") return null
  const hold = charges.find((charge) => held(charge) > 0)
  if (hold === undefined) {
    return status === "pending" ? { resolution: "not_done", evidence: "no vendor has taken anything" } : null
  }
  const byHand = () => {
    hold.movements.push({ kind: "released", minorUnits: held(hold), at: environment.time.elapsed(), by: "dashboard" })
    hold.status = "canceled"
    noteCharge(environment, hold)
  }
  return {
    resolution: status === "pending" ? "not_done" : "given_back",
    evidence: `${hold.reference} released by hand`,
    byHand
  }
}
