/**
 * Random histories of an excess: the engine returns it, an operator returns it, and people refund at the provider, in every
 * order of acts and reports. The rows below are what was really returned; nothing of them is derived from the engine's books.
 */
import { acceptedAttempt } from "../../packages/core/src/domain/books/balance.ts"
import { resolve } from "../../packages/core/src/domain/books/resolve.ts"
import { dueReversals, needlessReversals } from "../../packages/core/src/domain/books/reversal.ts"
import { isOpen } from "../../packages/core/src/domain/Operation.ts"
import type { Operation } from "../../packages/core/src/domain/Operation.ts"
import type { PaymentRecord } from "../../packages/core/src/domain/Payment.ts"
import type { Review } from "../../packages/core/src/domain/Review.ts"
import { changed, derived, ended, replace } from "../../packages/core/src/domain/transition/change.ts"
import type { Changed } from "../../packages/core/src/domain/transition/change.ts"
import { requestOperation } from "../../packages/core/src/domain/transition/requestOperation.ts"
import { transition } from "../../packages/core/src/domain/transition/transition.ts"
import { operationAbout } from "../../packages/core/src/execution/recover/inbox/operationAbout.ts"
import type { Evidence } from "../../packages/core/src/domain/Evidence.ts"
import type { Outcome } from "../../packages/core/src/domain/Outcome.ts"
import { begun, claims, evidence, money, operation, step } from "../../packages/core/test/domain/records.ts"
import { stream } from "../suites/src/simulation/SeededRandom.ts"
import type { SeededRandom } from "../suites/src/simulation/SeededRandom.ts"

/** One refund that moved money. */
interface ReturnedRow {
  /** `null`: an operator's bank transfer, which the provider never reports. */
  readonly reference: string | null
  /** The refund of ours that it executed; `null`: it was made outside of the engine. */
  readonly operation: Operation["id"] | null
  readonly minorUnits: number
}

export interface ExcessHistory {
  readonly seed: number
  readonly captured: number
  /** What the payment accepts of it. */
  readonly wanted: number
  readonly rows: ReadonlyArray<ReturnedRow>
  readonly record: PaymentRecord
  /** Every review that the books need, also those that were answered. */
  readonly reviews: ReadonlyArray<Review>
  /** Reviews of refunds that an operator dismissed, as they were answered. */
  readonly dismissed: ReadonlyArray<Review>
}

const CHARGE = "ch_1"
const FURTHER = ["ch_2", "ch_3"]

interface Play {
  readonly draw: SeededRandom
  /**
   * An operator's bank transfer is in no report. So that no report of another refund can be taken for it, such a
   * history has no refund at the provider after it.
   */
  readonly paysBy: "bank" | "dashboard"
  readonly rows: Array<ReturnedRow>
  readonly waiting: Array<Evidence>
  readonly dismissed: Array<Review>
  record: PaymentRecord
  now: number
  names: number
  isTransferred: boolean
}

const withoutAnswers = ({ now, record }: Play): ReadonlyArray<Review> =>
  derived({ ...record, payment: { ...record.payment, resolutions: [] } }, now).payment.reviews

export const playExcessHistory = (seed: number): ExcessHistory => {
  const draw = stream(seed, "excess")
  const kind = draw.pick(["late", "captured_more", "paid", "paid_again"] as const)
  const captureMethod = kind === "captured_more" ? "manual" : "automatic"
  const play: Play = {
    draw,
    paysBy: draw.pick(["bank", "dashboard"]),
    rows: [],
    waiting: [],
    dismissed: [],
    record: { ...begun, payment: { ...begun.payment, captureMethod } },
    now: 1_000,
    names: 0,
    isTransferred: false
  }
  const captured = { late: 100, captured_more: 90, paid: 100, paid_again: 300 }[kind]
  charge(play, kind, kind === "paid_again" ? 100 : captured)
  if (kind === "paid_again") for (const reference of FURTHER) chargeAgain(play, reference)
  for (let turn = draw.between(4, 20); turn > 0; turn--) {
    draw.weighted([
      [5, deliver],
      [4, send],
      [3, refundOutside],
      [3, answer],
      [2, refund],
      [2, notFound]
    ])(play)
  }
  while (play.waiting.length > 0) deliver(play)
  settleAll(play)
  const { dismissed, record, rows } = play
  const reviews = withoutAnswers(play)
  return {
    seed,
    captured,
    wanted: { late: 0, captured_more: 60, paid: 100, paid_again: 100 }[kind],
    rows,
    record,
    reviews,
    dismissed
  }
}

/** Money that is not the payment's, more of it than was requested, or none. */
const charge = (play: Play, kind: "late" | "captured_more" | "paid" | "paid_again", captured: number): void => {
  const first = createOf(play)
  if (kind === "late") apply(play, evidence(first, claims.declined, "reply"))
  if (kind === "captured_more") {
    apply(play, evidence(first, { _tag: "Authorized", reference: CHARGE }, "reply"))
    const capture = operation("capture", { kind: "capture", minorUnits: 60, createdAt: play.now })
    commit(play, { ...play.record, operations: [...play.record.operations, capture] })
    apply(play, evidence(capture.id, claims.captured, "reply"))
  }
  const outcome: Outcome = { _tag: "Captured", amount: money(captured), reference: CHARGE }
  const isConfirmed = play.draw.chance(50)
  apply(play, evidence(first, outcome, "webhook"))
  const confirmation = evidence(first, outcome, "inquiry")
  if (isConfirmed) apply(play, confirmation)
  else play.waiting.push(confirmation)
}

/** The page was paid once more. The inquiry about this charge says nothing about the others. */
const chargeAgain = (play: Play, reference: string): void => {
  const outcome: Outcome = { _tag: "Captured", amount: money(100), reference }
  apply(play, evidence(createOf(play), outcome, "webhook"))
  const about = { provider: "p1", providerReference: reference }
  const confirmation = { ...evidence(createOf(play), outcome, "inquiry"), about }
  if (play.draw.chance(50)) apply(play, confirmation)
  else play.waiting.push(confirmation)
}

const createOf = ({ record }: Play): Operation["id"] => {
  const [first] = record.operations
  if (first === undefined) throw new Error("A history begins with its create")
  return first.id
}

/** The vendor honors the key: a refund that is sent again is executed once. */
const send = (play: Play): void => {
  const { draw, record } = play
  const planned = record.operations.find(({ status }) => status === "planned" || status === "sending")
  if (planned === undefined) return
  commit(play, replace(record, { operations: [{ ...planned, status: "sending" }] }))
  const isDone = play.rows.some((row) => row.operation === planned.id) || draw.chance(75)
  if (!isDone) {
    const outcome = draw.pick<Outcome>([claims.declined, claims.notExecuted, claims.unknown])
    return apply(play, evidence(planned.id, outcome, "reply"))
  }
  const row = executed(play, planned.id, planned.minorUnits)
  const outcome = draw.pick<Outcome>([
    { _tag: "Succeeded", reference: row.reference ?? "" },
    claims.succeeded,
    claims.unknown,
    claims.unknown,
    // It refuses what it has done.
    claims.declined
  ])
  apply(play, evidence(planned.id, outcome, "reply"))
  const done = refunded(row)
  if (draw.chance(70)) queue(play, evidence(planned.id, done, "webhook"))
  if (draw.chance(30)) queue(play, underCharge(play, done))
}

const executed = (play: Play, id: Operation["id"] | null, minorUnits: number): ReturnedRow => {
  const before = id === null ? undefined : play.rows.find((row) => row.operation === id)
  if (before !== undefined) return before
  const row = { reference: `re_${++play.names}`, operation: id, minorUnits }
  play.rows.push(row)
  return row
}

const refunded = ({ minorUnits, reference }: ReturnedRow): Outcome => ({
  _tag: "RefundSucceeded",
  amount: money(minorUnits),
  ...(reference !== null && { reference })
})

/** Either the charge is named, or the create, as the vendor knows it. */
const underCharge = (play: Play, outcome: Outcome): Evidence => {
  const report = evidence(createOf(play), outcome, "webhook")
  if (play.draw.chance(50)) return report
  const further = FURTHER.filter((each) => play.record.entries.some(({ reference }) => reference === each))
  return { ...report, about: { provider: "p1", providerReference: play.draw.pick([CHARGE, ...further]) } }
}

/** A refund in the provider's dashboard. */
const refundOutside = (play: Play): void => {
  const { draw, paysBy } = play
  if (play.isTransferred) return
  const report = underCharge(play, refunded(executed(play, null, draw.pick([10, 30, 30, 40, 60, 100]))))
  if (paysBy === "bank") apply(play, report)
  else queue(play, report)
}

/** The merchant asks. */
const refund = (play: Play): void => {
  const minorUnits = play.draw.pick([10, 30, 60])
  const request = { kind: "refund", minorUnits, reason: null } as const
  if (acceptedAttempt(play.record) === undefined) return
  if (requestOperation(play.record, request, () => ({ support: "supported", partial: true }))._tag !== "Allowed") return
  const { operations } = play.record
  play.now += 1
  const asked = operation(`refund_${operations.length}`, { kind: "refund", minorUnits, createdAt: play.now })
  commit(play, { ...play.record, operations: [...operations, asked] })
}

/** It is final, also about what the vendor has done. */
const notFound = (play: Play): void => {
  const lost = play.record.operations.find(({ kind, status }) => kind === "refund" && status === "unknown")
  if (lost !== undefined) apply(play, evidence(lost.id, claims.notFound, "inquiry"), play.draw.chance(50))
}

/** An operator returns an excess, or dismisses the review of a refund. */
const answer = (play: Play): void => {
  const { draw, record } = play
  const { reviews } = record.payment
  const review = reviews[draw.between(0, Math.max(0, reviews.length - 1))]
  if (review === undefined) return
  const resolution = review.reason === "excess_refund" ? "dismissed" : "given_back"
  if (resolution === "given_back" && play.paysBy === "bank" && play.waiting.some(isRefund)) return
  if (resolution === "given_back" && record.operations.some((each) => isUnnamed(record, each))) return
  if (resolution === "given_back" && mayBeStated(play, review)) return
  const resolved = resolve(record, review, { resolution }, { now: play.now, lateSuccess: "succeed" })
  if (resolved === null) return
  adopt(play, resolved.change)
  if (resolution === "dismissed") play.dismissed.push(review)
  else if (play.paysBy === "bank") {
    play.isTransferred = true
    play.rows.push({ reference: null, operation: null, minorUnits: review.minorUnits })
  } else queue(play, underCharge(play, refunded(executed(play, null, review.minorUnits))))
}

/**
 * Refunds of the merchant that no report names yet. They may explain what was refunded at the provider, so that the excess in
 * review is too large or too small: an operator waits for them.
 */
const isUnnamed = ({ entries }: PaymentRecord, { id, kind, purpose }: Operation): boolean =>
  kind === "refund" &&
  purpose === "requested" &&
  !entries.some(({ operationId, reference }) => operationId === id && reference !== null)

/**
 * A statement about a further charge explains a refund at the provider, also one that was reported before. An operator who returned the
 * charge by a bank transfer does not state it where there is one.
 */
const mayBeStated = ({ paysBy, record }: Play, { reference }: Review): boolean =>
  paysBy === "bank" &&
  FURTHER.some((each) => each === reference) &&
  record.entries.some(
    ({ basis, kind, operationId }) => kind === "refunded" && basis === "movement" && operationId === null
  )

const isRefund = ({ outcome }: Evidence): boolean => outcome._tag === "RefundSucceeded"

const queue = ({ draw, waiting }: Play, report: Evidence): void => {
  for (let copies = draw.pick([1, 1, 1, 2]); copies > 0; copies--) waiting.push(report)
}

/** Any of those that wait. */
const deliver = (play: Play): void => {
  const { draw, waiting } = play
  const [next] = waiting.splice(draw.between(0, Math.max(0, waiting.length - 1)), 1)
  if (next !== undefined) apply(play, next)
}

/** Everything is sent, and the vendor's own books are read. */
const settleAll = (play: Play): void => {
  for (let round = 0; round < 4; round++) {
    for (const { id } of play.record.operations.filter(({ kind }) => kind === "refund")) {
      const latest = play.record.operations.find((each) => each.id === id)
      if (latest?.status === "planned" || latest?.status === "sending") {
        commit(play, replace(play.record, { operations: [{ ...latest, status: "sending" }] }))
        executed(play, id, latest.minorUnits)
      }
      const row = play.rows.find((each) => each.operation === id)
      if (row !== undefined) apply(play, evidence(id, refunded(row), "inquiry"))
      else if (latest !== undefined && isOpen(latest)) apply(play, evidence(id, claims.notFound, "inquiry"), true)
    }
  }
}

const apply = (play: Play, report: Evidence, isLast = false): void => {
  play.now += play.draw.between(1, 60_000)
  const own = operationAbout(play.record, report, "p1", (id) => [id])
  if (own === undefined) return
  const facts = { ...step, now: play.now, lateSuccess: "reverse", canInquire: true } as const
  const change = transition(play.record, own, report, isLast ? { ...facts, retryAt: null } : facts)
  if (change._tag === "Changed") adopt(play, change)
}

/** With what the engine adds to a change: see `applyEvidence`. */
const adopt = (play: Play, { record }: Changed): void => {
  const needless = needlessReversals(record).map((each) => ended(each, "canceled", play.now))
  const kept = replace(record, { operations: needless })
  const due = dueReversals(kept).map(({ attempt, charge, kind, minorUnits }, place) =>
    operation(`reversal_${kept.operations.length}_${place}`, {
      attemptSeq: attempt.seq,
      charge,
      kind,
      minorUnits,
      purpose: "reversal",
      status: "planned",
      createdAt: play.now
    })
  )
  play.record = derived({ ...kept, operations: [...kept.operations, ...due] }, play.now)
}

const commit = (play: Play, record: PaymentRecord): void => {
  play.record = changed(record, play.now, {}, null).record
}
