/**
 * Random histories of one payment: what a vendor really did, what it reported of that, and in which order the reports
 * arrived. The vendor's ledger below knows nothing of the engine's books; it is what they are compared with.
 */
import { changed } from "../../packages/core/src/domain/transition/change.ts"
import { isOpen } from "../../packages/core/src/domain/Operation.ts"
import type { Operation } from "../../packages/core/src/domain/Operation.ts"
import type { PaymentRecord } from "../../packages/core/src/domain/Payment.ts"
import { requestOperation } from "../../packages/core/src/domain/transition/requestOperation.ts"
import { transition } from "../../packages/core/src/domain/transition/transition.ts"
import type { Evidence } from "../../packages/core/src/domain/Evidence.ts"
import type { Outcome } from "../../packages/core/src/domain/Outcome.ts"
import { begun, evidence, money, operation, step } from "../../packages/core/test/domain/records.ts"
import { stream } from "../suites/src/simulation/SeededRandom.ts"
import type { SeededRandom } from "../suites/src/simulation/SeededRandom.ts"

export interface LedgerRow {
  readonly kind: "captured" | "refunded"
  readonly charge: string
  /** The vendor's reference of this movement; `null` where it reports totals only. */
  readonly reference: string | null
  readonly operation: Operation["id"]
  readonly minorUnits: number
}

/** `honest`: everything is done once, for what was asked, and reported as it is. */
export type Conduct = "honest" | "faulty"

export interface BookHistory {
  readonly seed: number
  readonly ledger: ReadonlyArray<LedgerRow>
  /** The record after each report, the last of them after every report has arrived. */
  readonly steps: ReadonlyArray<{ readonly record: PaymentRecord; readonly ledger: ReadonlyArray<LedgerRow> }>
}

const WHOLE = 100
const OWN = "ch_1"

interface Play {
  readonly draw: SeededRandom
  readonly conduct: Conduct
  readonly reports: "movements" | "totals"
  /** Its adapter declares what it reports. Otherwise a total is known by the reference of its charge alone. */
  readonly isDeclared: boolean
  readonly ledger: Array<LedgerRow>
  /** Reports that have not arrived yet. */
  readonly waiting: Array<Evidence>
  readonly steps: Array<BookHistory["steps"][number]>
  record: PaymentRecord
  now: number
}

export const playBookHistory = (seed: number, conduct: Conduct): BookHistory => {
  const draw = stream(seed, "books", conduct)
  const captureMethod = draw.pick(["automatic", "manual"] as const)
  const play: Play = {
    draw,
    conduct,
    reports: draw.pick(["movements", "totals"] as const),
    isDeclared: draw.chance(50),
    ledger: [],
    waiting: [],
    steps: [],
    record: { ...begun, payment: { ...begun.payment, captureMethod } },
    now: 1_000
  }
  create(play)
  for (let turn = draw.between(4, 16); turn > 0; turn--) {
    draw.weighted([
      [5, deliver],
      [2, capture],
      [2, refund],
      [1, state]
    ])(play)
  }
  while (play.waiting.length > 0) deliver(play)
  audit(play)
  return { seed, ledger: play.ledger, steps: play.steps }
}

const create = (play: Play): void => {
  const { conduct, draw, record } = play
  const [first] = record.operations
  if (first === undefined) return
  const isHold = record.payment.captureMethod === "manual"
  const charges = conduct === "faulty" && !isHold && draw.chance(20) ? [OWN, "ch_2"] : [OWN]
  for (const charge of charges) {
    if (!isHold)
      play.ledger.push({ kind: "captured", charge, reference: charge, operation: first.id, minorUnits: WHOLE })
    const outcome: Outcome = {
      _tag: isHold ? "Authorized" : draw.pick(["Succeeded", "Captured"]),
      ...reportedAmount(play, WHOLE)
    }
    queue(play, evidence(first.id, { ...outcome, reference: charge }, "webhook"))
    // A vendor may name the charge in its webhooks only.
    const named = play.isDeclared && draw.chance(50) ? {} : { reference: OWN }
    if (charge === OWN) queue(play, evidence(first.id, { ...outcome, ...named }, "reply"))
  }
}

/** The amount may be absent if it is the requested one. */
const reportedAmount = ({ draw }: Play, minorUnits: number) => (draw.chance(25) ? {} : { amount: money(minorUnits) })

const capture = (play: Play): void => {
  const asked = play.draw.pick([30, 60, WHOLE])
  const isWhole = play.conduct === "faulty" && play.draw.chance(15)
  const held = WHOLE - sumOf(play.ledger, "captured", OWN)
  followUp(play, { kind: "capture", asked, done: isWhole ? WHOLE : asked, most: held })
}

const refund = (play: Play): void => {
  const asked = play.draw.pick([10, 30])
  const left = sumOf(play.ledger, "captured", OWN) - sumOf(play.ledger, "refunded", OWN)
  followUp(play, { kind: "refund", asked, done: asked, most: left })
}

interface FollowUp {
  readonly kind: "capture" | "refund"
  readonly asked: number
  /** What the vendor does of it each time. */
  readonly done: number
  /** What there is to capture or refund. */
  readonly most: number
}

/** A faulty vendor does it twice, or not at all. */
const followUp = (play: Play, { asked, done, kind, most }: FollowUp): void => {
  const own = ask(play, kind, asked)
  if (own === null) return
  const times = play.draw.weighted([
    [5, 1],
    [2, 0],
    [play.conduct === "faulty" ? 2 : 0, 2]
  ])
  const row = kind === "capture" ? "captured" : "refunded"
  for (let time = 1; time <= times && done * time <= most; time++) execute(play, own, row, done)
  conclude(play, own, row)
}

/** The merchant asks, where the engine allows it. */
const ask = (play: Play, kind: "capture" | "refund", minorUnits: number): Operation | null => {
  const request = kind === "capture" ? { kind, minorUnits } : { kind, minorUnits, reason: null }
  const verdict = requestOperation(play.record, request, () => ({ support: "supported", partial: true }))
  if (verdict._tag !== "Allowed") return null
  const { operations } = play.record
  const own = operation(`${kind}_${operations.length}`, { kind, minorUnits, attemptSeq: 1, provider: "p1" })
  play.record = changed({ ...play.record, operations: [...operations, own] }, play.now, {}, null).record
  return own
}

const execute = ({ ledger, reports }: Play, { id }: Operation, kind: LedgerRow["kind"], minorUnits: number): void => {
  const hasReference = reports === "movements" || kind === "refunded"
  const reference = hasReference ? `${kind === "captured" ? "cap" : "ref"}_${ledger.length}` : null
  ledger.push({ kind, charge: OWN, reference, operation: id, minorUnits })
}

/** The reply, the webhooks, and a "not found" that a faulty vendor also answers about what it did. */
const conclude = (play: Play, own: Operation, kind: LedgerRow["kind"]): void => {
  const { conduct, draw, ledger } = play
  const rows = ledger.filter((row) => row.operation === own.id)
  const [first] = rows
  if (first === undefined || (conduct === "faulty" && draw.chance(30))) {
    apply(play, evidence(own.id, { _tag: "NotFound" }, "inquiry"))
  }
  for (const row of rows) {
    // A vendor may name the charge and the refund, and no operation of ours.
    if (kind === "refunded" && draw.chance(20)) queue(play, stranger(play, row))
    queue(play, report(play, own, row, kind, "webhook"))
    if (row === first && draw.chance(60)) queue(play, replyOf(report(play, own, row, kind, "reply"), row))
  }
}

const report = (
  play: Play,
  own: Operation,
  row: LedgerRow,
  kind: LedgerRow["kind"],
  source: Evidence["source"]
): Evidence => {
  // A vendor of totals reports what its charge has captured so far, under the charge's reference.
  const isTotal = row.reference === null
  const units = isTotal ? sumOf(play.ledger, "captured", OWN) : row.minorUnits
  const amount = !isTotal && row.minorUnits === own.minorUnits ? reportedAmount(play, units) : { amount: money(units) }
  const _tag = kind === "captured" ? "Captured" : "RefundSucceeded"
  return evidence(own.id, { _tag, ...amount, reference: row.reference ?? OWN }, source)
}

/** A reply about a total is without a reference. */
const replyOf = (report: Evidence, row: LedgerRow): Evidence => {
  const { reference: _reference, ...outcome } = report.outcome
  return row.reference === null ? { ...report, outcome } : report
}

const stranger = ({ record }: Play, row: LedgerRow): Evidence => {
  const [first] = record.operations
  if (first === undefined) throw new Error("A history begins with its create")
  const named = row.reference === null ? {} : { reference: row.reference }
  return evidence(first.id, { _tag: "RefundSucceeded", amount: money(row.minorUnits), ...named }, "webhook")
}

/** An operator has seen at the vendor that an operation was done. */
const state = (play: Play): void => {
  const { draw, ledger, record } = play
  const done = record.operations.filter(
    (each) =>
      isOpen(each) &&
      ledger.filter((row) => row.operation === each.id && row.minorUnits === each.minorUnits).length === 1
  )
  const own = done[draw.between(0, Math.max(0, done.length - 1))]
  if (own !== undefined) apply(play, evidence(own.id, { _tag: "Succeeded" }, "operator"))
}

const queue = ({ draw, waiting }: Play, report: Evidence): void => {
  for (
    let copies = draw.weighted([
      [6, 1],
      [2, 2],
      [1, 3]
    ] as const);
    copies > 0;
    copies--
  )
    waiting.push(report)
}

/** Any of those that wait. */
const deliver = (play: Play): void => {
  const { draw, waiting } = play
  if (waiting.length === 0) return
  const [next] = waiting.splice(draw.between(0, waiting.length - 1), 1)
  if (next !== undefined) apply(play, next)
}

/** The vendor's own books, charge by charge and refund by refund, as an inquiry reads them. */
const audit = (play: Play): void => {
  const [first] = play.record.operations
  if (first === undefined) return
  for (const charge of new Set(play.ledger.map((row) => row.charge))) {
    const captured = sumOf(play.ledger, "captured", charge)
    if (captured > 0) {
      apply(play, evidence(first.id, { _tag: "Captured", amount: money(captured), reference: charge }, "inquiry"))
    }
  }
}

const apply = (play: Play, reported: Evidence): void => {
  play.now += play.draw.between(-500, 60_000)
  const { about } = reported
  const own = play.record.operations.find(({ id }) => "operation" in about && id === about.operation)
  if (own === undefined) return
  const reports = play.isDeclared && own.kind === "capture" && play.reports === "totals" ? "total" : "movement"
  const change = transition(play.record, own, reported, { ...step, now: play.now, reports })
  if (change._tag === "Changed") play.record = change.record
  play.steps.push({ record: play.record, ledger: [...play.ledger] })
}

export const sumOf = (ledger: ReadonlyArray<LedgerRow>, kind: LedgerRow["kind"], charge?: string): number =>
  ledger.reduce(
    (sum, row) => (row.kind === kind && (charge === undefined || row.charge === charge) ? sum + row.minorUnits : sum),
    0
  )
