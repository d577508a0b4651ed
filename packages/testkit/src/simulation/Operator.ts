/**
 * An operator who reads the list of reviews now and then and deals with one review after the other: looks at the vendors'
 * dashboards, gives back by hand what is too much, and says what is true. Where a review names a charge the operator
 * deals with that one; where it does not, with the first charge that the payment does not show.
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
  const look = (): void => {
    const at = desk()
    if (at === null) return
    at.process.enter(() => {
      const dealt = Effect.flatMap(at.reviews.list(tenant, 100), ({ records }) =>
        Effect.forEach(
          records.filter((record) => isDealtWith(environment, plan, record)),
          (record) => deal(environment, at.reviews, record),
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

const deal = Effect.fnUntraced(function* (
  environment: TestEnvironment,
  reviews: Reviews["Service"],
  record: PaymentRecord
) {
  const n = planned(record.payment.metadata) ?? -1
  const charges = environment.ledger.ofOrder(n)
  if (isUnderWay(record, charges) || isOutOfReach(environment, charges)) return
  const word = truth(environment, record, charges)
  if (word === null) return
  const { evidence, resolution } = word
  const said = yield* Effect.exit(reviews.resolve(tenant, record.payment.id, { resolution, evidence }))
  const note = (text: string) => environment.history.note(n, { kind: "operator", text })
  note(`${resolution}: ${evidence}${Exit.isSuccess(said) ? "" : " (refused)"}`)
  if (Exit.isSuccess(said)) return
  const error = Exit.findErrorOption(said)
  if (error._tag !== "Some" || !(error.value instanceof ReviewRefused)) return
  // A word that fits and is as true: the question is settled, in the operator's view.
  if (error.value.fitting?.includes("dismissed") === true) {
    note("dismissed")
    yield* Effect.ignore(reviews.resolve(tenant, record.payment.id, { resolution: "dismissed", evidence }))
  }
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

/** Too much money is given back on the way, one charge at a time. */
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
  tooMuch.movements.push({ kind: "refunded", minorUnits, at: environment.time.elapsed(), by: "dashboard" })
  noteCharge(environment, tooMuch)
  return { resolution: "given_back", evidence: `${minorUnits} of ${tooMuch.reference} given back by hand` }
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
  hold.movements.push({ kind: "released", minorUnits: held(hold), at: environment.time.elapsed(), by: "dashboard" })
  hold.status = "canceled"
  noteCharge(environment, hold)
  return {
    resolution: status === "pending" ? "not_done" : "given_back",
    evidence: `${hold.reference} released by hand`
  }
}
