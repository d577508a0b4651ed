/**
 * What a session says of our operations, by its balances and its actions. Its `status` is the most recent event and not a
 * state: only `canceled` is read from it, after which nothing can follow, and only beside balances of nothing. Pure: the same for an answer and an inquiry.
 *
 * A deadline that passes blocks what it is the deadline of and changes nothing else: a hold that can be captured no more
 * stands until it is voided.
 */
import { type InquiryOutcome, type Money, Outcome, type ProviderOperation } from "@paymux/core"
import { Codes } from "@paymux/provider-kit"
import { authorizationCodes } from "./codes.ts"
import { shortCode } from "./errors.ts"
import { margin } from "./method.ts"
import * as Wire from "./wire.ts"

/** In the place of a vendor's code: money moved, and its amount cannot be read. */
const unreadableAmount = "amount_unreadable"

interface Balances {
  readonly capturable: Money.Money
  readonly captured: Money.Money
}

type CaptureMethod = ProviderOperation["captureMethod"]

/** What became of a create, at `now` (ms UTC). */
export const sessionAnswer = (session: Wire.Session, captureMethod: CaptureMethod, now: number): InquiryOutcome => {
  const reference = session.paymentSessionId
  if (session.status === "canceled") {
    return hasMoney(session)
      ? canceledWithMoney(reference)
      : ended(session.updatedAt, session.expiries?.authorizationExpiresAt, reference)
  }
  const balances = balancesOf(session)
  if (balances === null) return unreadable(reference)
  const { capturable, captured } = balances
  if (captured.minorUnits > 0) return Outcome.succeeded({ reference, amount: captured })
  if (capturable.minorUnits === 0) return withoutMoney(session, now)
  return isOurs(session, captureMethod, now)
    ? Outcome.authorized({ reference, amount: capturable })
    : Outcome.pending({ reference, awaitingFinality: true })
}

/** Something is held or taken, or it cannot be read that nothing is. */
export const hasMoney = (session: Wire.Summary): boolean => {
  const balances = balancesOf(session)
  return balances === null || balances.captured.minorUnits > 0 || balances.capturable.minorUnits > 0
}

/** An authorization that landed while its session was canceled: an operator looks, and nothing is called over. */
export const canceledWithMoney = (reference?: string): Outcome.Unknown =>
  Outcome.unknown({
    reason: "unmapped",
    vendorCode: "canceled_with_money",
    ...(reference !== undefined && { reference })
  })

/** `null`: one of them cannot be read. */
export const balancesOf = ({ asset, balances }: Wire.Summary): Balances | null => {
  const currency = Wire.currencyOf(asset)
  const capturable = Wire.money(balances?.capturable, currency)
  const captured = Wire.money(balances?.captured, currency)
  return capturable === null || captured === null ? null : { capturable, captured }
}

/** Whether the hold is ours to capture. With automatic capture it is not, unless Coinbase's own capture failed or is over. */
const isOurs = (session: Wire.Session, captureMethod: CaptureMethod, now: number): boolean => {
  if (captureMethod === "manual" || isOver(session.expiries?.captureExpiresAt, now - margin)) return true
  return has(session.captures, "failed") && !has(session.captures, "pending")
}

/** Nothing is held or taken: not yet, in this moment, or no more. */
const withoutMoney = (session: Wire.Session, now: number): InquiryOutcome => {
  const { authorizations, captures, expiries, paymentSessionId: reference, voids } = session
  const moving = Outcome.pending({ reference, awaitingFinality: true })
  const latest = latestOf(authorizations)
  if (latest === undefined) return awaitingPayer(session)
  switch (latest.status) {
    case "pending":
      return moving
    case "failed":
      return failed(latest, reference, isOver(expiries?.authorizationExpiresAt, now))
    case "succeeded": {
      if (has(captures, "pending") || has(voids, "pending")) return moving
      const released = latestOf(voids?.filter(({ status }) => status === "succeeded"))
      return released === undefined
        ? Outcome.unknown({ reason: "in_progress", reference })
        : ended(released.createdAt, expiries?.captureExpiresAt, reference)
    }
    default:
      return unheard(latest.status, reference)
  }
}

const awaitingPayer = ({ expiries, paymentSessionId: reference, url }: Wire.Session): Outcome.SendOutcome => {
  if (typeof url !== "string" || !/^https?:/.test(url) || !URL.canParse(url)) {
    return Outcome.unknown({ reason: "unreadable", reference })
  }
  const expiresAt = Wire.readTime(expiries?.authorizationExpiresAt)
  return Outcome.pending({ reference, nextAction: { type: "redirect", url, expiresAt } })
}

/**
 * No payer can try again on this session: a failure is the end. With an unpublished code it is unknown until no
 * other report can come.
 */
export const failed = (authorization: Wire.Action, reference: string, isTooLate: boolean): InquiryOutcome => {
  const code = shortCode(authorization.error?.code)
  const declined = Codes.declinedBy(authorizationCodes, code, { reference })
  if (declined !== null) return declined
  const vendorCode = code ?? "authorization_failed"
  return isTooLate
    ? Outcome.expired({ reference, vendorCode })
    : Outcome.unknown({ reason: "unmapped", reference, vendorCode })
}

/** Canceled, or released: after its deadline it is over because of that, whichever side ended it. */
export const ended = (
  at: string | null | undefined,
  deadline: string | null | undefined,
  reference: string
): Outcome.Expired | Outcome.Canceled => {
  const endedAt = Wire.readTime(at)
  return endedAt !== null && isOver(deadline, endedAt)
    ? Outcome.expired({ reference })
    : Outcome.canceled({ reference })
}

/**
 * Funds that are held and can no longer be captured: they return to the payer when they are voided. Not at once:
 * our clock may be ahead, and a capture of the last moment may not be listed yet.
 */
export const isLapsed = (session: Wire.Session, now: number): boolean =>
  (balancesOf(session)?.capturable.minorUnits ?? 0) > 0 &&
  isOver(session.expiries?.captureExpiresAt, now - margin) &&
  !has(session.captures, "pending") &&
  !has(session.voids, "pending")

/** What became of a capture or a refund. Its amount is in the session's asset. */
export const actionAnswer = (
  reference: string,
  action: Wire.Action,
  operation: ProviderOperation
): Outcome.SendOutcome => {
  if (action.status !== "succeeded") return undone(reference, action)
  const amount = Wire.money(action.amount, operation.amount.currency)
  return amount === null ? unreadable(reference) : Outcome.succeeded({ reference, amount })
}

/** What became of a void: it lets go of all that is held. */
export const voidAnswer = (action: Wire.Void): Outcome.SendOutcome =>
  action.status === "succeeded" ? Outcome.succeeded({ reference: action.voidId }) : undone(action.voidId, action)

const undone = (reference: string, { error, status }: Wire.Action): Outcome.SendOutcome => {
  if (status === "pending") return Outcome.pending({ reference })
  if (status !== "failed") return unheard(status, reference)
  const code = shortCode(error?.code)
  return Outcome.declined({
    code: Codes.declinedBy(authorizationCodes, code)?.code ?? "processing_error",
    retry: "same_later",
    reference,
    vendorCode: code ?? status
  })
}

/** Asked of a session that is over, or on its way: a definite no. */
export const tooLate = (vendorCode: string): Outcome.Declined =>
  Outcome.declined({ code: "processing_error", retry: "never", vendorCode })

export const has = (actions: ReadonlyArray<Wire.Action> | null | undefined, wanted: string): boolean =>
  (actions ?? []).some(({ status }) => status === wanted)

const isOver = (deadline: string | null | undefined, now: number): boolean => {
  const at = Wire.readTime(deadline)
  return at !== null && now > at
}

/** One authorization is allowed; were there several, one that may still hold money counts. */
export const latestOf = <A extends Wire.Action>(actions: ReadonlyArray<A> | null | undefined): A | undefined =>
  actions?.find(({ status }) => status !== "failed") ?? actions?.at(-1)

/** `unmapped`, because that is reported to an operator while it is pending, too. */
const unreadable = (reference: string): Outcome.Unknown =>
  Outcome.unknown({ reason: "unmapped", reference, vendorCode: unreadableAmount })

const unheard = (status: string, reference: string): Outcome.Unknown =>
  Outcome.unknown({ reason: "unmapped", reference, vendorCode: shortCode(status) ?? "status" })
