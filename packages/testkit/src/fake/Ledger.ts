/**
 * What a vendor did, kept by the vendor: the oracle of the conformance suite. It knows nothing of Paymux, so that what it
 * says cannot be wrong in the same way.
 *
 * A fake's routes write it (`open`, `ask`, `capture`, `cancel`, `refund`); the suite reads it, and plays the payers.
 */

import { booked, type LedgerBooking, type NewLedgerBooking } from "./bookings.ts"
import type { LedgerCapture, LedgerMoney, LedgerPayment, LedgerRefund, LedgerStatus } from "./LedgerPayment.ts"

export type * from "./LedgerPayment.ts"

/** What happens when the payer of a payment acts. `wait`: never does. */
export type ScriptedOutcome = "approve" | "wait" | { readonly decline: string }

/** What happens to refunds. `pend`: they are taken on, and what is decided then becomes of them when `payersAct`. */
export type RefundOutcome = "settle" | "pend" | "fail"

export type LedgerEventType = Exclude<LedgerStatus, "draft" | "pending"> | "refunded" | "refund_failed"

/** Something a vendor reports by webhook. */
export interface LedgerEvent {
  readonly id: string
  readonly type: LedgerEventType
  /** As it was when it happened. */
  readonly payment: LedgerPayment
  /** Of a `refunded` or `refund_failed`. */
  readonly refund: LedgerRefund | null
  /** Of a `captured` that was asked for. */
  readonly capture?: LedgerCapture
  /** ms UTC */
  readonly occurredAt: number
}

export interface NewLedgerPayment {
  readonly amount: LedgerMoney
  /** `automatic` by default. */
  readonly capture?: "automatic" | "manual"
  readonly reference?: string
  /** The payer has to do something first (an app, a page, a transfer): pending until the payers act. */
  readonly awaitsPayer?: boolean
  /** An order whose payer was shown nothing yet: its status is `draft`, and it cannot be paid until `ask`. */
  readonly isDraft?: boolean
}

/** Why the vendor refuses; its ledger is unchanged. */
export type LedgerRefusal = "not_found" | "wrong_status" | "exceeds"

export interface Ledger {
  readonly payments: () => ReadonlyArray<LedgerPayment>
  readonly events: () => ReadonlyArray<LedgerEvent>
  /** What was booked, oldest first. */
  readonly bookings: () => ReadonlyArray<LedgerBooking>
  readonly find: (id: string) => LedgerPayment | undefined
  readonly findByReference: (reference: string) => LedgerPayment | undefined

  /** ms UTC: the vendor's clock. */
  readonly now: () => number
  /** A new payment. What was decided becomes of it at once, unless it awaits its payer. */
  readonly open: (payment: NewLedgerPayment) => LedgerPayment
  /** The payer of a draft is asked, and acts at once unless it is awaited. */
  readonly ask: (id: string, options: { readonly awaitsPayer: boolean }) => LedgerPayment | LedgerRefusal
  /**
   * Takes the whole authorization, or `minorUnits` of it. What is left is released, or kept (`keepsRest`) for further
   * captures.
   */
  readonly capture: (
    id: string,
    minorUnits?: number,
    options?: { readonly keepsRest?: boolean; readonly reference?: string }
  ) => LedgerPayment | LedgerRefusal
  /** Gives up what is not captured. */
  readonly cancel: (id: string) => LedgerPayment | LedgerRefusal
  /** Closes what was declined, so that its payer cannot try again. */
  readonly close: (id: string) => LedgerPayment | LedgerRefusal
  /** Gives back what is captured, or `minorUnits` of it. */
  readonly refund: (id: string, minorUnits?: number, reference?: string) => LedgerRefund | LedgerRefusal
  /** Books what was not requested through the API. */
  readonly book: (booking: NewLedgerBooking) => LedgerBooking

  /** What becomes of payments from now on; `approve` at first. */
  readonly decide: (scripted: ScriptedOutcome) => void
  /** What becomes of refunds from now on; `settle` at first. */
  readonly decideRefund: (scripted: RefundOutcome) => void
  /** From now on payments are opened over so many minor units, whatever was asked for. */
  readonly takeInstead: (minorUnits: number) => void
  /** From now on the vendor calls the status of every payment this: see `newStatus`. */
  readonly addStatus: (name: string) => void
  /** Every payer who is awaited does what was decided, and what was decided becomes of pending refunds. */
  readonly payersAct: () => void
  /** The time of every payment that awaits its payer is over. */
  readonly expire: () => void
}

/** An empty ledger. `now` gives ms UTC. */
export const makeLedger = (now: () => number): Ledger => {
  const payments = new Map<string, LedgerPayment>()
  const events: Array<LedgerEvent> = []
  const bookings: Array<LedgerBooking> = []
  /** Payments of which more can be captured. */
  const keeping = new Set<string>()
  let scripted: ScriptedOutcome = "approve"
  let refundOutcome: RefundOutcome = "settle"
  let instead: number | null = null
  let newStatus: { readonly newStatus?: string } = {}
  let ids = 0

  const change = (
    payment: LedgerPayment,
    part: Partial<LedgerPayment>,
    type: LedgerEventType,
    moved: { readonly refund?: LedgerRefund; readonly capture?: LedgerCapture } = {}
  ): LedgerPayment => {
    const changed = { ...payment, ...part }
    payments.set(changed.id, changed)
    events.push({
      id: `evt_${events.length + 1}`,
      type,
      payment: changed,
      refund: null,
      ...moved,
      occurredAt: now()
    })
    enter(type, changed, changed.captured - payment.captured, moved)
    return changed
  }

  /** What has moved by an event. */
  const enter = (
    type: LedgerEventType,
    payment: LedgerPayment,
    captured: number,
    {
      capture = null,
      refund = null
    }: { readonly refund?: LedgerRefund | null; readonly capture?: LedgerCapture | null }
  ): void => {
    const { currency } = payment.amount
    const common = { payment, capture, refund, bookedAt: now() }
    if (type === "captured") push({ ...common, type: "charge", amount: { minorUnits: captured, currency } })
    if (refund === null) return
    const amount = { minorUnits: refund.minorUnits, currency }
    push({ ...common, type: "refund", amount })
    if (type === "refund_failed") push({ ...common, type: "refund_failed", amount })
  }

  const push = (booking: Omit<LedgerBooking, "id" | "fee" | "net">): LedgerBooking => {
    const made = booked({ ...booking, id: `vb_${bookings.length + 1}` })
    bookings.push(made)
    return made
  }

  const book: Ledger["book"] = ({ amount, bookedAt = now(), payment: id, type }) => {
    const payment = id === undefined ? null : (payments.get(id) ?? null)
    const isRefund = payment !== null && (type === "refund" || type === "refund_failed")
    const refund: LedgerRefund | null = isRefund
      ? { id: `vr_${++ids}`, minorUnits: amount.minorUnits, reference: null, status: "succeeded" }
      : null
    return push({ type, payment, refund, capture: null, amount, bookedAt })
  }

  const act = (payment: LedgerPayment): LedgerPayment => {
    if (scripted === "wait") return payment
    if (scripted !== "approve") return change(payment, { status: "declined", code: scripted.decline }, "declined")
    return payment.capture === "manual"
      ? change(payment, { status: "authorized" }, "authorized")
      : change(payment, { status: "captured", captured: payment.amount.minorUnits }, "captured")
  }

  const open: Ledger["open"] = ({
    amount,
    awaitsPayer = false,
    capture = "automatic",
    isDraft = false,
    reference = null
  }) => {
    const payment: LedgerPayment = {
      id: `vp_${++ids}`,
      reference,
      amount: instead === null ? amount : { ...amount, minorUnits: instead },
      capture,
      status: isDraft ? "draft" : "pending",
      code: null,
      captured: 0,
      refunds: [],
      ...newStatus
    }
    payments.set(payment.id, payment)
    return isDraft || awaitsPayer ? payment : act(payment)
  }

  const ask: Ledger["ask"] = (id, { awaitsPayer }) => {
    const payment = payments.get(id)
    if (payment === undefined) return "not_found"
    if (payment.status !== "draft") return "wrong_status"
    const asked: LedgerPayment = { ...payment, status: "pending" }
    payments.set(id, asked)
    return awaitsPayer ? asked : act(asked)
  }

  const capture: Ledger["capture"] = (id, asked, { keepsRest = false, reference = null } = {}) => {
    const payment = payments.get(id)
    if (payment === undefined) return "not_found"
    if (payment.status !== "authorized" && !keeping.has(id)) return "wrong_status"
    const held = payment.amount.minorUnits - payment.captured
    const minorUnits = asked ?? held
    if (!isPart(minorUnits, held)) return "exceeds"
    if (keepsRest) keeping.add(id)
    else keeping.delete(id)
    const captured = payment.captured + minorUnits
    const made: LedgerCapture = { id: `vc_${events.length + 1}`, minorUnits, reference }
    return change(payment, { status: "captured", captured }, "captured", { capture: made })
  }

  const close: Ledger["close"] = (id) => {
    const payment = payments.get(id)
    if (payment === undefined) return "not_found"
    if (payment.status !== "declined") return "wrong_status"
    const closed = { ...payment, isClosed: true }
    payments.set(id, closed)
    return closed
  }

  const cancel: Ledger["cancel"] = (id) => {
    const payment = payments.get(id)
    if (payment === undefined) return "not_found"
    if (payment.status === "canceled") return payment
    if (payment.status !== "authorized" && !isOpen(payment)) return "wrong_status"
    return change(payment, { status: "canceled" }, "canceled")
  }

  const refund: Ledger["refund"] = (id, asked, reference) => {
    const payment = payments.get(id)
    if (payment === undefined) return "not_found"
    if (payment.status !== "captured") return "wrong_status"
    const given = payment.refunds.filter(({ status }) => status !== "failed")
    const left = payment.captured - given.reduce((sum, { minorUnits }) => sum + minorUnits, 0)
    const minorUnits = asked ?? left
    if (!isPart(minorUnits, left)) return "exceeds"
    const made: LedgerRefund = { id: `vr_${++ids}`, minorUnits, reference: reference ?? null, status: "pending" }
    const taken = { ...payment, refunds: [...payment.refunds, made] }
    payments.set(id, taken)
    return settle(taken, made)
  }

  const settle = (payment: LedgerPayment, refund: LedgerRefund): LedgerRefund => {
    if (refundOutcome === "pend") return refund
    const isFailed = refundOutcome === "fail"
    const settled: LedgerRefund = { ...refund, status: isFailed ? "failed" : "succeeded" }
    const refunds = payment.refunds.map((each) => (each.id === refund.id ? settled : each))
    change(payment, { refunds }, isFailed ? "refund_failed" : "refunded", { refund: settled })
    return settled
  }

  const settleRefunds = () => {
    for (const { id, refunds } of payments.values()) {
      for (const refund of refunds.filter(({ status }) => status === "pending")) {
        const payment = payments.get(id)
        if (payment !== undefined) settle(payment, refund)
      }
    }
  }

  return {
    now,
    payments: () => [...payments.values()],
    events: () => [...events],
    bookings: () => bookings.toSorted((one, other) => one.bookedAt - other.bookedAt),
    find: (id) => payments.get(id),
    findByReference: (reference) => [...payments.values()].find((payment) => payment.reference === reference),
    open,
    ask,
    capture,
    cancel,
    close,
    refund,
    book,
    decide: (decided) => {
      scripted = decided
    },
    decideRefund: (decided) => {
      refundOutcome = decided
    },
    takeInstead: (minorUnits) => {
      instead = minorUnits
    },
    addStatus: (name) => {
      newStatus = { newStatus: name }
      for (const payment of payments.values()) payments.set(payment.id, { ...payment, ...newStatus })
    },
    payersAct: () => {
      ;[...payments.values()].filter(({ status }) => status === "pending").forEach(act)
      settleRefunds()
    },
    expire: () =>
      [...payments.values()].filter(isOpen).forEach((payment) => change(payment, { status: "expired" }, "expired"))
  }
}

const isOpen = ({ status }: LedgerPayment): boolean => status === "draft" || status === "pending"

/** Of nothing there is no part, and no part is nothing. */
const isPart = (minorUnits: number, whole: number): boolean =>
  Number.isSafeInteger(minorUnits) && minorUnits >= 1 && minorUnits <= whole
