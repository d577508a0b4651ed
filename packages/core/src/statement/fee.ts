/** Fees of movements, which have a sign, and may have more decimals than their currency. Pure. */
import { exponent } from "../domain/Money.ts"
import type { Currency } from "../domain/Money.ts"
import type { StatementMovement } from "../provider/Statement.ts"

/**
 * The fees with which a movement adds up, in minor units; none if it has no net amount, or one in another currency. The second one is
 * larger than the amount: it turns the net amount around, which is written without a sign.
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

/** Decimals that are read. */
const scale = 18

/** 10^-18 units of a text such as `-0.0712`; `null`: it is no decimal of at most 18 places. */
export const exactUnits = (text: string): bigint | null => {
  const [, sign, whole, fraction = ""] = (text.length <= 60 && /^(-?)(\d+)(?:\.(\d{1,18}))?$/.exec(text)) || []
  if (whole === undefined) return null
  const units = BigInt(whole + fraction.padEnd(scale, "0"))
  return sign === "-" ? -units : units
}

/**
 * Minor units of `units`, rounded to the nearest, and half a unit away from zero. Of the two neighbors, one of `fitting` is taken: the
 * provider may round in another way, and its net amount shows the result. `null`: it is larger than a safe integer.
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
