/** The lines of a settlement detail report, by the names of its columns. Pure. */
import { Currency, type Money } from "@paymux/core"
import { exactUnits, fittingFees, roundedFee } from "@paymux/core/statement"
import type { MovementType, SignedMoney, StatementMovement } from "@paymux/core/statement"
import { Amount } from "@paymux/provider-kit"
import { Result } from "effect"
import { readReference } from "./names.ts"
import { isWord, type ReadTime, shown } from "./reportTime.ts"

const required = [
  "Merchant Account",
  "Psp Reference",
  "Merchant Reference",
  "Creation Date",
  "TimeZone",
  "Type",
  "Modification Reference",
  "Gross Currency",
  "Gross Debit (GC)",
  "Gross Credit (GC)",
  "Net Currency",
  "Net Debit (NC)",
  "Net Credit (NC)",
  "Batch Number"
] as const

/** What Adyen keeps: a commission, or the parts of it with interchange plus plus. */
const fees = ["Commission (NC)", "Markup (NC)", "Scheme Fees (NC)", "Interchange (NC)"] as const

/** Whether the net amount is less by them is not published. */
const uncounted = ["DCC Markup (NC)", "Advanced (NC)"] as const

type Column =
  | (typeof required)[number]
  | (typeof fees)[number]
  | (typeof uncounted)[number]
  | "Modification Merchant Reference"

/** Where each column is. */
export type Columns = ReadonlyMap<string, number>

/** Text: what is wrong with the first line. Columns that are not known are ignored. */
export const columnsOf = (names: ReadonlyArray<string>): Columns | string => {
  const missing = required.filter((name) => !names.includes(name))
  if (missing.length > 0) return `it has no column ${missing.map((name) => JSON.stringify(name)).join(", ")}`
  const twice = required.find((name) => names.indexOf(name) !== names.lastIndexOf(name))
  if (twice !== undefined) return `it has the column ${JSON.stringify(twice)} more than once`
  return new Map(names.map((name, place) => [name, place]))
}

type Cell = (name: Column) => string

const cellsOf =
  (columns: Columns, cells: ReadonlyArray<string>): Cell =>
  (name) =>
    (cells[columns.get(name) ?? -1] ?? "").trim()

/** What each line of a report names. */
export interface BatchName {
  readonly merchantAccount: string
  readonly batch: number
}

const faultOfName = (cell: Cell, { batch, merchantAccount }: BatchName): string | null => {
  if (cell("Merchant Account") !== merchantAccount) return "is of another merchant account"
  return cell("Batch Number") === String(batch) ? null : "is of another batch"
}

/** `createdAt` in ms UTC. Text: what is wrong with the line, as the end of a sentence. */
export type ReadClosingLine = (
  cells: ReadonlyArray<string>
) => { readonly createdAt: number; readonly isPayout: boolean } | string

/**
 * What a line says of the closing of its batch. It may be created long before it is booked: a chargeback has the time of its
 * payment.
 */
export const closingReader =
  (columns: Columns, report: BatchName, readTime: ReadTime): ReadClosingLine =>
  (cells) => {
    const cell = cellsOf(columns, cells)
    const fault = faultOfName(cell, report)
    if (fault !== null) return fault
    const createdAt = readTime(cell("Creation Date"), cell("TimeZone"))
    return typeof createdAt === "string" ? createdAt : { createdAt, isPayout: cell("Type") === "MerchantPayout" }
  }

/** `null`: nothing was booked. Text: what is wrong with the line, as the end of a sentence. */
export type ReadLine = (cells: ReadonlyArray<string>, line: number) => StatementMovement | string | null

/** Of a batch whose closing was read. `bookedAt` in ms UTC. */
export const lineReader =
  (columns: Columns, report: BatchName & { readonly bookedAt: number }): ReadLine =>
  (cells, line) => {
    const cell = cellsOf(columns, cells)
    const fault = faultOfName(cell, report)
    if (fault !== null) return fault
    const type = typeOf(cell)
    if (type === null) return `has the unknown type ${shown(cell("Type"))}`
    const money = moneyOf(cell, type)
    if (typeof money === "string" || money === null) return money
    const { amount, direction, fee, net } = money
    if (amount.minorUnits === 0 && ofAccount.has(type)) return null
    const expected = directions[type] ?? direction
    if (direction !== expected) return `is a ${cell("Type")} on the side of the other direction`
    return {
      id: idOf(cell, type, { batch: report.batch, line }),
      type,
      ...namesOf(cell, type),
      amount,
      direction,
      fee,
      net,
      payout: String(report.batch),
      bookedAt: report.bookedAt
    }
  }

const types: { readonly [type: string]: MovementType | undefined } = {
  Settled: "payment",
  Refunded: "refund",
  RefundedReversed: "refund_failed",
  Chargeback: "dispute",
  SecondChargeback: "dispute",
  ChargebackReversed: "dispute_reversed",
  Fee: "fee",
  MiscCosts: "fee",
  PaymentCost: "fee",
  AuthorisationSchemeFee: "fee",
  SettleCost: "fee",
  MerchantPayout: "payout",
  Balancetransfer: "adjustment",
  BankInstructionReturned: "adjustment",
  DepositCorrection: "adjustment",
  EpaPaid: "adjustment",
  InternalCompanyPayout: "adjustment",
  InvoiceDeduction: "adjustment",
  ManualCorrected: "adjustment",
  MatchedStatement: "adjustment",
  PaidOut: "adjustment",
  PaidOutReversed: "adjustment",
  ReserveAdjustment: "adjustment"
}

/**
 * What was held has a capture of ours. A type that Adyen has added since changes the balance only, unless it is about an
 * operation of ours. `null`: it is, or it is no type.
 */
const typeOf = (cell: Cell): MovementType | null => {
  const name = cell("Type")
  const type = Object.hasOwn(types, name) ? types[name] : undefined
  if (type === undefined) return isOurs(cell) || !isWord(name) ? null : "adjustment"
  if (type !== "payment") return type
  return readReference(cell("Merchant Reference"))?.isHeld === true ? "capture" : type
}

const isOurs = (cell: Cell): boolean =>
  readReference(cell("Merchant Reference")) !== null || readReference(cell("Modification Merchant Reference")) !== null

const ofAccount: ReadonlySet<MovementType> = new Set(["fee", "payout", "adjustment"])

type Direction = StatementMovement["direction"]

const directions: { readonly [type in MovementType]?: Direction } = {
  payment: "in",
  capture: "in",
  refund: "out",
  refund_failed: "in",
  dispute: "out",
  dispute_reversed: "in"
}

interface Booked {
  readonly amount: Money.Money
  readonly direction: Direction
  readonly fee: SignedMoney | null
  readonly net: Money.Money | null
}

/** What belongs to no payment may have net amounts only, or none. `null`: it has none. */
const moneyOf = (cell: Cell, type: MovementType): Booked | string | null => {
  const gross = sideOf(cell("Gross Debit (GC)"), cell("Gross Credit (GC)"), cell("Gross Currency"))
  const net = sideOf(cell("Net Debit (NC)"), cell("Net Credit (NC)"), cell("Net Currency"))
  if (typeof gross === "string") return `has ${gross} in its gross amount`
  if (typeof net === "string") return `has ${net} in its net amount`
  const isOfAccount = ofAccount.has(type)
  const booked = isOfAccount && (gross === null || gross.money.minorUnits === 0) ? net : gross
  if (booked === null) return isOfAccount ? null : "has no amount"
  const found = { amount: booked.money, direction: booked.direction, net: net?.money ?? null }
  const fee = net === null ? null : feeOf(cell, net.money.currency, fittingFees(found))
  return fee === "unreadable" ? "has a fee that is no number" : { ...found, fee }
}

interface Side {
  readonly money: Money.Money
  readonly direction: Direction
}

/** `null`: both cells are empty, or zero without a currency. Text: what is wrong. */
const sideOf = (debit: string, credit: string, currency: string): Side | string | null => {
  if (debit === "" && credit === "") return null
  if (!Currency.isCurrency(currency)) return "no known currency"
  const out = minorUnitsOf(debit, currency)
  const inward = minorUnitsOf(credit, currency)
  if (out === null || inward === null) return "no exact number"
  if (out > 0 && inward > 0) return "both a debit and a credit"
  return { money: { minorUnits: out + inward, currency }, direction: out > 0 ? "out" : "in" }
}

/** Major units. An empty cell is nothing. `null`: it is no amount of the currency. */
const minorUnitsOf = (text: string, currency: Currency.Currency): number | null =>
  text === ""
    ? 0
    : Result.getOrElse(
        Result.flatMap(Amount.minorFromMajor(text, Currency.exponent(currency)), Amount.safeMinor),
        () => null
      )

/**
 * `null`: it is not reported, or is not known because of what is not counted. Below zero: it was given back. Its parts may have more
 * decimals than the currency: their sum is rounded.
 */
const feeOf = (
  cell: Cell,
  currency: Currency.Currency,
  fitting: ReadonlyArray<number>
): SignedMoney | "unreadable" | null => {
  const parts = fees.map(cell).filter((text) => text !== "")
  const isCounted = uncounted.map(cell).every((text) => minorUnitsOf(text.replace(/^-/, ""), currency) === 0)
  if (parts.length === 0 || !isCounted) return null
  let sum = 0n
  for (const text of parts) {
    const units = exactUnits(text)
    if (units === null) return "unreadable"
    sum += units
  }
  const minorUnits = roundedFee(sum, currency, fitting)
  return minorUnits === null ? "unreadable" : { minorUnits, currency }
}

/** What belongs to no payment has no reference: it is the line of its batch, which does not change. */
const idOf = (cell: Cell, type: MovementType, { batch, line }: { readonly batch: number; readonly line: number }) =>
  ofAccount.has(type)
    ? `${cell("Type")} ${batch} ${line}`
    : `${cell("Type")} ${cell("Modification Reference") || cell("Psp Reference")} ${batch}`

/** An automatic capture has a reference that we do not know: its payment is named by its own. */
const namesOf = (cell: Cell, type: MovementType) => {
  const payment = cell("Psp Reference") || null
  const modification = cell("Modification Reference") || null
  const own = readReference(cell("Modification Merchant Reference"))
  switch (type) {
    case "payment":
      return {
        operation: readReference(cell("Merchant Reference"))?.operation ?? null,
        reference: payment,
        original: null
      }
    case "capture": {
      const created = readReference(cell("Merchant Reference"))
      return { operation: (own ?? created)?.operation ?? null, reference: modification, original: payment }
    }
    case "refund":
    case "refund_failed":
      return { operation: own?.operation ?? null, reference: modification, original: payment }
    case "dispute":
    case "dispute_reversed":
      return { operation: null, reference: modification, original: payment }
    default:
      return { operation: null, reference: null, original: null }
  }
}
