/**
 * The fees of movements (bookings in a provider's statement). They are signed, and may have more decimals than their
 * currency. Pure.
 */
import { exponent } from "../domain/Money.ts"
import type { Currency } from "../domain/Money.ts"
import type { StatementMovement } from "../provider/Statement.ts"

/**
 * Computes the two possible fees of a movement from its amount and net amount, in minor units. The first keeps the
 * direction of the movement. The second exceeds the amount and reverses the direction, which an unsigned net amount
 * does not show. Empty if the net amount is missing or has another currency.
 */
export const fittingFees = ({
  amount,
  direction,
  net
}: Pick<StatementMovement, "amount" | "direction" | "net">): ReadonlyArray<number> => {
  if (net === null || net.currency !== amount.currency) return []
  const [gross, rest] = [amount.minorUnits, net.minorUnits]
  return direction === "in" ? [gross - rest, gross + rest] : [rest - gross, -rest - gross]
}

/** The maximum number of decimals of a fee. */
const scale = 18

/** Parses a decimal text such as `-0.0712` to units of 10^-18; `null`: not a number with at most 18 decimals. */
export const exactUnits = (text: string): bigint | null => {
  const [, sign, whole, fraction = ""] = (text.length <= 60 && /^(-?)(\d+)(?:\.(\d{1,18}))?$/.exec(text)) || []
  if (whole === undefined) return null
  const units = BigInt(whole + fraction.padEnd(scale, "0"))
  return sign === "-" ? -units : units
}

/**
 * Rounds `units` to minor units, half away from zero. If one of the two adjacent minor units is in `fitting` (the fees
 * that agree with the net amount), that one is used, since the provider may round differently. `null`: larger than a
 * safe integer.
 */
export const roundedFee = (units: bigint, currency: Currency, fitting: ReadonlyArray<number>): number | null => {
  const unit = 10n ** BigInt(scale - exponent(currency))
  const near = fitting.find((each) => absolute(BigInt(each) * unit - units) < unit)
  if (near !== undefined) return near
  const rounded = Number((absolute(units) + unit / 2n) / unit)
  if (!Number.isSafeInteger(rounded)) return null
  return units < 0n && rounded > 0 ? -rounded : rounded
}

const absolute = (units: bigint): bigint => (units < 0n ? -units : units)
