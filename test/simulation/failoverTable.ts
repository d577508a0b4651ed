/**
 * The failover table of the design, written down a second time, as data and in other words than `decide`: the oracle of
 * the model-based test. Nothing here is taken from the engine but the names of what can happen.
 */
import type { OperationKind, Rail } from "@paymux/core"
import type { DeclaredOperation, OutcomeOrRefusal } from "@paymux/core/engine"

export interface Moment {
  readonly kind: OperationKind
  readonly rail: Rail
  readonly declared: DeclaredOperation
  readonly situation: OutcomeOrRefusal
  /** To one send, or (an inquiry, a webhook) about the attempt as a whole. */
  readonly about: "send" | "attempt"
  /** ms since the operation was committed */
  readonly age: number
  /** What the earlier sends of this attempt ended with. */
  readonly earlier: ReadonlyArray<OutcomeOrRefusal>
  readonly sendsLeft: boolean
  readonly actionShown: boolean
  readonly softDeclineAllowed: boolean
  readonly declinedBefore: boolean
}

export type Word = "take" | "wait" | "fail over" | "fail" | "same again" | "ask" | "hold"

/** idempotent · only inquiry · neither */
type Cells = readonly [Cell, Cell, Cell]
type Cell = Word | "resend or unknown" | "unknown"

const everywhere = (cell: Cell): Cells => [cell, cell, cell]
const uncertain: Cells = ["resend or unknown", "unknown", "unknown"]

/** Rows of the table by what happened. */
const rowOf = (moment: Moment): Cells => {
  const { situation } = moment
  switch (situation._tag) {
    case "Succeeded":
    case "Authorized":
    case "Captured":
      return everywhere("take")
    case "NotExecuted": // 1, 2, 6
    case "Misconfigured": // 9
      return everywhere("fail over")
    case "AccountNotEnabled": // 9a: nothing was done; only a create has another provider
      return everywhere(moment.kind === "create" ? "fail over" : "fail")
    case "Unknown": // 3, 4, 5, 10
      return situation.reason === "duplicate" || situation.reason === "in_progress" ? everywhere("unknown") : uncertain
    case "RateLimited": // 7
      if (!moment.declared.rateLimitIsNotExecuted) return uncertain
      return [isIdempotent(moment) && moment.sendsLeft ? "same again" : "fail over", "fail over", "fail over"]
    case "InvalidRequest": // 8
    case "Expired":
    case "Canceled":
      return everywhere("fail")
    case "Declined": // 11, 12, 13
      return everywhere(isSoft(moment) ? "fail over" : "fail")
    case "Pending": // 14
    case "Detected":
    case "Retracted":
    case "CaptureFailed":
    case "RefundPending":
    case "RefundSucceeded":
    case "RefundFailed":
    case "Unreadable":
    case "Disputed":
    case "NotBooked":
      return everywhere("wait")
    case "NotFound": {
      // 15
      const after = moment.declared.notFoundIsFinalAfterMs
      // What the provider once had is not proven undone because it cannot find it.
      const isProof = after !== null && moment.age >= after && !moment.earlier.some(({ _tag }) => _tag === "Pending")
      return everywhere(isProof ? "fail over" : "unknown")
    }
  }
}

/** Row 12, with what rows 11 and 13 and the rail take out of it. */
const isSoft = ({ actionShown, declared, declinedBefore, rail, situation, softDeclineAllowed }: Moment): boolean =>
  situation._tag === "Declined" &&
  situation.retry === "other_provider" &&
  situation.code !== "insufficient_funds" &&
  situation.code !== "authentication_required" &&
  declared.declineIsFinal &&
  !actionShown &&
  softDeclineAllowed &&
  !declinedBefore &&
  rail !== "upi"

const isIdempotent = ({ age, declared: { idempotency } }: Moment): boolean => {
  switch (idempotency.by) {
    case "header":
    case "body":
      return age < idempotency.lifetimeMs - CLOCK_STEP
    case "reference":
      return true
    case "lookup":
    case "none":
      return false
  }
}

/** A wall clock may be set back: a key this near to its end counts as dead. ms */
const CLOCK_STEP = 15 * 60_000

/** Rows 1, 2 and 6–9a hold only while no earlier send is unsettled; so does a decline without a key that answers first. */
const speaksForAll = (moment: Moment): boolean => {
  const answersFirst = moment.declared.idempotency.by !== "reference" && isIdempotent(moment)
  return (
    moment.about === "attempt" ||
    moment.earlier.every((before) => leavesNothing(before, moment.declared)) ||
    (moment.situation._tag === "Declined" && answersFirst)
  )
}

/** Whether a send that ended so has certainly done nothing. */
const leavesNothing = ({ _tag }: OutcomeOrRefusal, declared: DeclaredOperation): boolean =>
  _tag === "NotExecuted" ||
  _tag === "Misconfigured" ||
  _tag === "AccountNotEnabled" ||
  (_tag === "RateLimited" && declared.rateLimitIsNotExecuted)

export const expected = (moment: Moment): Word => {
  const { declared, kind, sendsLeft } = moment
  const unknown: Word = declared.canInquire ? "ask" : "hold"
  const column = isIdempotent(moment) ? 0 : declared.canInquire ? 1 : 2
  const cell = rowOf(moment)[column]
  const word: Word =
    cell === "unknown" ? unknown : cell === "resend or unknown" ? (sendsLeft ? "same again" : unknown) : cell
  const closes = word === "fail over" || word === "fail"
  // Row 18: the same provider only; and where an earlier send may have done it, only if a repeat is safe.
  if (closes && !speaksForAll(moment)) {
    return kind !== "create" && sendsLeft && column === 0 ? "same again" : unknown
  }
  return kind !== "create" && word === "fail over" ? (sendsLeft ? "same again" : "fail") : word
}
