/** What an adapter reports of captures and refunds, and what it comes to as `reports` declares it. */
import type { Evidence, InquiryOutcome, Money, ProviderOperation } from "@paymux/core"

export type Kind = "capture" | "refund"

/** One capture or refund that the vendor did. */
export interface Movement {
  readonly operation: ProviderOperation
  /** What its charge had captured or refunded after it. */
  readonly total: number
}

/** Several captures, or several refunds, of one charge. */
export interface Movements {
  readonly kind: Kind
  readonly reports: "movement" | "total"
  readonly create: ProviderOperation
  readonly done: ReadonlyArray<Movement>
}

/** What is reported of money that moved. */
export interface MoneyReport {
  /** For people. */
  readonly how: string
  readonly about: ProviderOperation
  /** `null`: what was asked for. */
  readonly amount: Money.Money | null
  readonly reference: string | null
  /** The least that the vendor's ledger had for the charge when this was reported, and the most. */
  readonly least: number
  readonly most: number
}

/** `null`: the answer does not say that money moved. */
export const ofAnswer = (
  how: string,
  about: ProviderOperation,
  answer: InquiryOutcome,
  total: number
): MoneyReport | null =>
  answer._tag === "Succeeded"
    ? {
        how,
        about,
        amount: answer.amount ?? null,
        reference: answer.reference ?? about.reference,
        least: total,
        most: total
      }
    : null

/** `null`: it does not say that money moved this way. `"unknown"`: it is about nothing of this charge. */
export const ofEvidence = (
  { create, done, kind }: Movements,
  how: string,
  { about, outcome }: Evidence,
  least: number
): MoneyReport | "unknown" | null => {
  const isRefund = outcome._tag === "RefundSucceeded"
  if (!isRefund && outcome._tag !== "Captured" && outcome._tag !== "Succeeded") return null
  const named = [create, ...done.map(({ operation }) => operation)].filter((each) =>
    "operation" in about ? each.id === about.operation : each.reference === about.providerReference
  )
  // As the engine does it: one name may be that of a payment and of its captures.
  const found = (isRefund ? named.findLast((each) => each.kind === "refund") : undefined) ?? named[0]
  if (found === undefined) return "unknown"
  // A report of the create says what the charge has captured.
  if (found.kind === "create" && (isRefund || kind === "refund")) return isRefund ? "unknown" : null
  const name = outcome.reference ?? ("providerReference" in about ? about.providerReference : null)
  const most = done.at(-1)?.total ?? least
  return { how, about: found, amount: outcome.amount ?? null, reference: name, least, most }
}

/** What is wrong with a report, beside those that came before it. `null`: nothing. */
export const faultOf = (
  movements: Movements,
  before: ReadonlyArray<MoneyReport>,
  report: MoneyReport
): { readonly expected: string; readonly seen: string } | null => {
  const problem = isTotal(movements, report)
    ? problemOfTotal(movements, report)
    : problemOfMovement(movements, before, report)
  return problem === null ? null : { expected: problem, seen: describeReport(report) }
}

const isTotal = ({ reports }: Movements, { about }: MoneyReport): boolean =>
  about.kind === "create" || reports === "total"

const problemOfTotal = ({ create, done, kind }: Movements, report: MoneyReport): string | null => {
  const { about, amount, least, most, reference } = report
  const declared = about.kind === "create" ? "a report of the charge" : 'declared `reports: "total"`'
  if (reference !== null && reference !== create.reference) {
    return `${declared}: under the reference of the charge, ${create.reference}`
  }
  if (amount === null) return null
  const totals = done.map(({ total }) => total).filter((total) => total >= least && total <= most)
  return totals.includes(amount.minorUnits) && amount.currency === create.amount.currency
    ? null
    : `${declared}: all that the charge has ${past[kind]}, ${create.amount.currency} ${totals.join(" or ")}`
}

const problemOfMovement = (
  { create, done, kind }: Movements,
  before: ReadonlyArray<MoneyReport>,
  { about, amount, reference }: MoneyReport
): string | null => {
  const declared = 'declared `reports: "movement"` (the default)'
  const isOfCharge = reference === create.reference
  const isOfOther = [
    ...before,
    ...done.map(({ operation }) => ({ about: operation, reference: operation.reference }))
  ].some((other) => other.about.id !== about.id && other.about.kind === kind && other.reference === reference)
  if (reference === null || isOfCharge || isOfOther) {
    return `${declared}: a reference that only this ${kind} has, not ${
      reference === null ? "none" : isOfCharge ? "the charge's" : `that of another ${kind}`
    }`
  }
  const named = before.find((other) => other.about.id === about.id)
  if (named !== undefined && named.reference !== reference) {
    return `${declared}: the same reference in every report of one ${kind}, ${named.reference} as in ${named.how}`
  }
  const asked = about.amount
  return (amount?.minorUnits ?? asked.minorUnits) === asked.minorUnits &&
    (amount?.currency ?? asked.currency) === asked.currency
    ? null
    : `${declared}: the amount of this ${kind} alone, ${asked.currency} ${asked.minorUnits}`
}

/** What the reports come to: the movements by their references, or the largest total. */
export const sumOf = (movements: Movements, reports: ReadonlyArray<MoneyReport>): number => {
  const amountOf = ({ about, amount }: MoneyReport) => (amount ?? about.amount).minorUnits
  const totals = reports.filter((each) => isTotal(movements, each)).map(amountOf)
  const own = new Map<string | null, number>()
  for (const each of reports) if (!isTotal(movements, each)) own.set(each.reference, amountOf(each))
  return Math.max(
    0,
    ...totals,
    [...own.values()].reduce((sum, each) => sum + each, 0)
  )
}

const describeReport = ({ about, amount, how, reference }: MoneyReport): string => {
  const money = amount === null ? "no amount" : `${amount.currency} ${amount.minorUnits}`
  return `${how} reports ${money} under ${reference ?? "no reference"}, about the ${about.kind} of ${about.amount.minorUnits}`
}

export const past: { readonly [kind in Kind]: string } = { capture: "captured", refund: "refunded" }
