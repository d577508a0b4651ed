/** A line of a report as a movement. Pure. */
import { Currency } from "@paymux/core"
import { fittingFees, roundedFee } from "@paymux/core/statement"
import type { MovementType, StatementMovement } from "@paymux/core/statement"
import { readMovement } from "@paymux/core/engine"
import { printable } from "../../printable.ts"
import { amountIn, feeUnitsIn } from "./amounts.ts"
import type { SignedAmount } from "./amounts.ts"
import type { CsvStatement } from "./CsvStatement.ts"
import { momentReader } from "./dates.ts"
import type { ReadMoment } from "./dates.ts"

/** The place of each named column. */
export type CsvHeader = ReadonlyMap<string, number>

/** The columns of the first line; or what is wrong with it. */
export const readHeader = (cells: ReadonlyArray<string>, mapping: CsvStatement): CsvHeader | string => {
  const names = cells.map((cell) => cell.trim())
  const needed = columnsOf(mapping)
  const missing = needed.filter((name) => !names.includes(name))
  if (missing.length > 0) return `has no column ${listed(missing)}; it has ${listed(names.slice(0, 40))}`
  const twice = needed.filter((name) => names.indexOf(name) !== names.lastIndexOf(name))
  if (twice.length > 0) return `has the column ${listed(twice)} more than once`
  return new Map(names.map((name, place) => [name, place]))
}

/** Quoted, so that no cell of the file is taken for words of ours. */
const listed = (names: ReadonlyArray<string>): string => names.map(shown).join(", ")

const columnsOf = ({ columns }: CsvStatement): ReadonlyArray<string> => {
  const { amount, currency, id, ...others } = columns
  return [
    ...(typeof id === "string" ? [id] : id),
    ...(typeof amount === "string" ? [amount] : [amount.credit, amount.debit]),
    ...(typeof currency === "string" ? [currency] : []),
    ...Object.values(others)
  ]
}

/** `null`: a line that is skipped. Text: what is wrong with it, as the end of a sentence. */
export type ReadLine = (cells: ReadonlyArray<string>) => StatementMovement | string | null

export const lineReader = (header: CsvHeader, mapping: CsvStatement): ReadLine => {
  const readMoment = momentReader(mapping.dates)
  return (cells) => readLine(cells, header, mapping, readMoment)
}

const readLine = (
  cells: ReadonlyArray<string>,
  header: CsvHeader,
  mapping: CsvStatement,
  readMoment: ReadMoment
): StatementMovement | string | null => {
  const cell = (name: string | undefined): string =>
    name === undefined ? "" : (cells[header.get(name) ?? -1] ?? "").trim()
  const { columns, dates, types } = mapping
  const word = cell(columns.type)
  const type = Object.hasOwn(types, word) ? types[word] : undefined
  if (type === undefined) return `has the unknown type ${shown(word)}; name it in types`
  if (type === "skip") return null
  const currency = typeof columns.currency === "string" ? cell(columns.currency) : columns.currency.fixed
  if (!Currency.isCurrency(currency)) return `has no known currency: ${shown(currency)}`
  const amountOf = (text: string) => amountIn(text, mapping.amounts, Currency.exponent(currency))
  const amount = signedAmount(mapping, cell, amountOf)
  if (amount === null) return `has no amount of the configured form in ${listed(amountColumns(mapping))}`
  // Such as a fee that was waived: nothing was booked.
  if (amount.minorUnits === 0 && !comesIn.has(type) && !goesOut.has(type)) return null
  if (amount.isNegative && comesIn.has(type)) return `is a ${type} with a negative amount`
  // With one column, some reports write a refund without a sign. With two, the side says what happened.
  if (typeof columns.amount !== "string" && !amount.isNegative && goesOut.has(type)) {
    return `is a ${type} in the column of credits, ${shown(columns.amount.credit)}`
  }
  const bookedAt = readMoment(cell(columns.bookedAt))
  if (bookedAt === null) return `has no time of the format ${dates.format}: ${shown(cell(columns.bookedAt))}`
  const net = optional(cell(columns.net), amountOf)
  const feeText = cell(columns.fee)
  const feeUnits = feeText === "" ? null : feeUnitsIn(feeText, mapping.amounts, Currency.exponent(currency))
  if (feeText !== "" && feeUnits === null) return `has no fee of the configured form: ${shown(feeText)}`
  if (net === undefined) return `has no net amount of the configured form: ${shown(cell(columns.net))}`
  const money = (of: SignedAmount) => ({ minorUnits: of.minorUnits, currency })
  const booked = { amount: money(amount), direction: directionOf(type, amount), net: net === null ? null : money(net) }
  return readMovement({
    id: (typeof columns.id === "string" ? [columns.id] : columns.id).map(cell).join(" ").trim(),
    type,
    operation: cell(columns.operation),
    reference: cell(columns.reference),
    original: cell(columns.original),
    ...booked,
    fee: feeUnits === null ? null : { minorUnits: feeOf(feeUnits, currency, fittingFees(booked)), currency },
    payout: cell(columns.payout),
    bookedAt
  })
}

/**
 * Some reports write a fee with the sign of the balance, and some with that of a cost: the net amount shows whether it was kept or
 * given back. Without one, it was kept.
 */
const feeOf = (units: bigint, currency: Currency.Currency, fitting: ReadonlyArray<number>): number | null => {
  const [kept, givenBack] = [roundedFee(units, currency, fitting), roundedFee(-units, currency, fitting)]
  return givenBack !== null && fitting.includes(givenBack) && (kept === null || !fitting.includes(kept))
    ? givenBack
    : kept
}

const shown = (text: string): string => printable(JSON.stringify(text.slice(0, 60)))

const comesIn: ReadonlySet<MovementType> = new Set(["payment", "capture", "refund_failed", "dispute_reversed"])
const goesOut: ReadonlySet<MovementType> = new Set(["refund", "dispute"])

/** Some reports write a refund with a sign, and some without. */
const directionOf = (type: MovementType, { isNegative }: SignedAmount): StatementMovement["direction"] =>
  goesOut.has(type) || (!comesIn.has(type) && isNegative) ? "out" : "in"

const amountColumns = ({ columns: { amount } }: CsvStatement): ReadonlyArray<string> =>
  typeof amount === "string" ? [amount] : [amount.credit, amount.debit]

const signedAmount = (
  { columns: { amount } }: CsvStatement,
  cell: (name: string) => string,
  amountOf: (text: string) => SignedAmount | null
): SignedAmount | null => {
  if (typeof amount === "string") return amountOf(cell(amount))
  const credit = optional(cell(amount.credit), amountOf)
  const debit = optional(cell(amount.debit), amountOf)
  if (credit === undefined || debit === undefined) return null
  const isCredit = (credit?.minorUnits ?? 0) > 0
  const isDebit = (debit?.minorUnits ?? 0) > 0
  if (isCredit === isDebit) return null
  return isCredit ? credit : { minorUnits: debit?.minorUnits ?? 0, isNegative: true }
}

/** `null`: the cell is empty. `undefined`: it is no amount. */
const optional = (text: string, amountOf: (text: string) => SignedAmount | null): SignedAmount | null | undefined =>
  text === "" ? null : (amountOf(text) ?? undefined)
