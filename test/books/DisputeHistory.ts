/**
 * Random histories of one payment whose charge is refunded, refunded outside of the engine, and disputed: what a vendor really
 * did, what it reported of that, and in which order the reports arrived. An operator states what the vendor's books show, and
 * now and then overrides. What was allowed is compared with a naive account of the same reports, which knows nothing of the
 * engine's books.
 */
import { dueReversals } from "../../packages/core/src/domain/books/reversal.ts"
import { stateDispute } from "../../packages/core/src/domain/books/stateDispute.ts"
import type { DisputeStatus } from "../../packages/core/src/domain/Dispute.ts"
import type { Operation } from "../../packages/core/src/domain/Operation.ts"
import type { PaymentRecord } from "../../packages/core/src/domain/Payment.ts"
import { changed } from "../../packages/core/src/domain/transition/change.ts"
import { requestOperation } from "../../packages/core/src/domain/transition/requestOperation.ts"
import { transition } from "../../packages/core/src/domain/transition/transition.ts"
import type { Evidence } from "../../packages/core/src/domain/Evidence.ts"
import { begun, evidence, money, operation, step } from "../../packages/core/test/domain/records.ts"
import { stream } from "../suites/src/simulation/SeededRandom.ts"
import type { SeededRandom } from "../suites/src/simulation/SeededRandom.ts"
import { NaiveAccount } from "./NaiveAccount.ts"

const WHOLE = 100
const CHARGE = "ch_1"

interface VendorDispute {
  /** `null`: the vendor names none, and then has one. */
  readonly reference: string | null
  readonly amount: number
  status: DisputeStatus
}

interface Vendor {
  readonly captured: number
  readonly refunds: Array<{ readonly minorUnits: number; readonly by: "engine" | "dashboard" }>
  readonly disputes: Array<VendorDispute>
}

/** What was asked of the engine, and what the naive account had left then. */
interface Decision {
  readonly asked: number
  readonly by: "merchant" | "operator" | "engine"
  readonly isAllowed: boolean
  /** Of the charge, by everything that had been reported. */
  readonly left: number
}

export interface DisputeHistory {
  readonly seed: number
  readonly record: PaymentRecord
  readonly vendor: Vendor
  readonly decisions: ReadonlyArray<Decision>
  /** After every report: what the engine counts as disputed, and the naive account. */
  readonly disputed: ReadonlyArray<readonly [engine: number, naive: number]>
}

interface Play {
  readonly draw: SeededRandom
  readonly vendor: Vendor
  readonly naive: NaiveAccount
  readonly namesDisputes: boolean
  readonly waiting: Array<Evidence>
  readonly decisions: Array<Decision>
  readonly disputed: Array<readonly [number, number]>
  record: PaymentRecord
  now: number
}

export const playDisputeHistory = (seed: number, disputedOf: (record: PaymentRecord) => number): DisputeHistory => {
  const draw = stream(seed, "disputes")
  // More than the capture asked for: the engine refunds the excess once an inquiry has confirmed it.
  const isExcess = draw.chance(30)
  const captured = isExcess ? WHOLE + draw.pick([10, 40]) : WHOLE
  const play: Play = {
    draw,
    vendor: { captured, refunds: [], disputes: [] },
    naive: new NaiveAccount(),
    namesDisputes: draw.chance(75),
    waiting: [],
    decisions: [],
    disputed: [],
    record: begun,
    now: 1_000
  }
  charge(play)
  for (let turn = draw.between(4, 18); turn > 0; turn--) {
    draw.weighted([
      [6, deliver],
      [3, refund],
      [2, refundInDashboard],
      [2, dispute],
      [2, decideDispute],
      [1, state]
    ] as const)(play)
    play.disputed.push([disputedOf(play.record), play.naive.disputed()])
  }
  while (play.waiting.length > 0) {
    deliver(play)
    play.disputed.push([disputedOf(play.record), play.naive.disputed()])
  }
  const { decisions, disputed, record, vendor } = play
  return { seed, record, vendor, decisions, disputed }
}

/** A hold, its capture, and an inquiry that confirms what was captured; the inquiry may come at any time. */
const charge = (play: Play): void => {
  const { draw, vendor } = play
  const [first] = play.record.operations
  if (first === undefined) return
  apply(play, evidence(first.id, { _tag: "Authorized", reference: CHARGE }, "reply"))
  const own = begin(play, operation("capture", { kind: "capture", minorUnits: WHOLE }))
  const taken = { _tag: "Captured", amount: money(vendor.captured), reference: CHARGE } as const
  apply(play, evidence(own.id, taken, "reply"))
  const confirmed = evidence(first.id, taken, "inquiry")
  if (draw.chance(50)) apply(play, confirmed)
  else play.waiting.push(confirmed)
}

const begin = (play: Play, own: Operation): Operation => {
  play.record = changed(
    { ...play.record, operations: [...play.record.operations, { ...own, createdAt: play.now }] },
    play.now,
    {},
    null
  ).record
  return own
}

const nextRefund = ({ record }: Play, over: Partial<Operation>): Operation =>
  operation(`refund_${record.operations.length}`, { kind: "refund", attemptSeq: 1, provider: "p1", ...over })

/** The merchant asks for a part or for all; sometimes an operator overrides. */
const refund = (play: Play): void => {
  const { draw, record } = play
  const minorUnits = draw.pick([10, 30, 60, WHOLE])
  const isOverride = draw.chance(10)
  const request = { kind: "refund", minorUnits, reason: null, ...(isOverride && { override: "seen" }) } as const
  const verdict = requestOperation(record, request, () => ({ support: "supported", partial: true }))
  const by = isOverride ? "operator" : "merchant"
  // What the payment's own refunds leave is another matter.
  if (verdict._tag !== "Allowed" && verdict._tag !== "ExceedsAvailable") return
  play.decisions.push({ asked: minorUnits, by, isAllowed: verdict._tag === "Allowed", left: play.naive.left() })
  if (verdict._tag === "Allowed") execute(play, begin(play, nextRefund(play, { minorUnits })))
}

/** A vendor refunds no more than it captured; it does not look at disputes. */
const execute = (play: Play, own: Operation): void => {
  const { draw, naive, vendor, waiting } = play
  naive.asked(own.id, own.minorUnits, play.now)
  const isDone = refundedBy(vendor) + own.minorUnits <= vendor.captured && draw.chance(85)
  if (!isDone) {
    waiting.push(evidence(own.id, { _tag: "Declined", code: "processing_error", retry: "never" }, "reply"))
    return
  }
  vendor.refunds.push({ minorUnits: own.minorUnits, by: "engine" })
  const amount = money(own.minorUnits)
  const reference = `re_${vendor.refunds.length}`
  queue(play, evidence(own.id, { _tag: "RefundSucceeded", amount, reference }, "webhook"))
}

export const refundedBy = ({ refunds }: Vendor): number => refunds.reduce((sum, { minorUnits }) => sum + minorUnits, 0)

const refundInDashboard = (play: Play): void => {
  const { draw, record, vendor } = play
  const minorUnits = draw.pick([10, 30])
  const [first] = record.operations
  if (first === undefined || refundedBy(vendor) + minorUnits > vendor.captured) return
  vendor.refunds.push({ minorUnits, by: "dashboard" })
  const reference = `re_${vendor.refunds.length}`
  queue(play, evidence(first.id, { _tag: "RefundSucceeded", amount: money(minorUnits), reference }, "webhook"))
}

const dispute = (play: Play): void => {
  const { draw, namesDisputes, vendor } = play
  if (vendor.disputes.length >= (namesDisputes ? 3 : 1)) return
  const reference = namesDisputes ? `dp_${vendor.disputes.length + 1}` : null
  const opened: VendorDispute = { reference, amount: draw.pick([20, 50, WHOLE]), status: "open" }
  vendor.disputes.push(opened)
  report(play, opened)
}

/** A dispute that was won may be lost after all. */
const decideDispute = (play: Play): void => {
  const { draw, vendor } = play
  const open = vendor.disputes.filter(({ status }) => status !== "lost")
  const one = open[draw.between(0, Math.max(0, open.length - 1))]
  if (one === undefined) return
  one.status = one.status === "won" ? "lost" : draw.pick(["won", "lost"] as const)
  report(play, one)
}

const report = (play: Play, { amount, reference, status }: VendorDispute): void => {
  const [first] = play.record.operations
  if (first === undefined) return
  const named = reference === null ? {} : { reference }
  queue(play, evidence(first.id, { _tag: "Disputed", status, amount: money(amount), ...named }, "webhook"))
}

/** An operator records what the vendor's books show now. */
const state = (play: Play): void => {
  const { draw, naive, record, vendor } = play
  const one = vendor.disputes[draw.between(0, Math.max(0, vendor.disputes.length - 1))]
  if (one === undefined) return
  const { amount, reference, status } = one
  const stated = { reference, status, amount: Math.min(amount, WHOLE), currency: null, provider: null }
  const resolved = stateDispute(record, stated, play.now)
  if ("reason" in resolved) return
  naive.stated(reference, status, stated.amount)
  play.record = resolved.change.record
  returnExcess(play)
}

const queue = ({ draw, waiting }: Play, evidence: Evidence): void => {
  for (let copies = draw.pick([1, 1, 2]); copies > 0; copies--) waiting.push(evidence)
}

/** Any of those that wait. */
const deliver = (play: Play): void => {
  const { draw, waiting } = play
  const [next] = waiting.splice(draw.between(0, Math.max(0, waiting.length - 1)), 1)
  if (next !== undefined) apply(play, next)
}

const apply = (play: Play, reported: Evidence): void => {
  play.now += play.draw.between(1, 60_000)
  const { about } = reported
  const own = play.record.operations.find(({ id }) => "operation" in about && id === about.operation)
  if (own === undefined) return
  play.naive.reported(reported, own.kind, play.now)
  const change = transition(play.record, own, reported, { ...step, now: play.now, retryAt: null })
  if (change._tag === "Changed") play.record = change.record
  returnExcess(play)
}

/** As the engine does after each change. */
const returnExcess = (play: Play): void => {
  for (const { kind, minorUnits } of dueReversals(play.record)) {
    if (kind !== "refund") continue
    play.decisions.push({ asked: minorUnits, by: "engine", isAllowed: true, left: play.naive.left() })
    execute(play, begin(play, nextRefund(play, { minorUnits, purpose: "reversal" })))
  }
}
