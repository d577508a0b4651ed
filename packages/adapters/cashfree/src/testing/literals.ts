/** Amounts as Cashfree writes them: number literals with two decimals, that no float has been near. */

/** Written into JSON as it is: a number literal that no float has been near. */
export class Literal {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}
export class Rupees extends Literal {
  constructor(minorUnits: number) {
    super(rupees(minorUnits))
  }
}

export const rupees = (minorUnits: number): string => {
  const digits = String(minorUnits).padStart(3, "0")
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`
}

/** Of a number as it is read from a request: `#170.50`. */
export const paise = (literal: string): number => {
  const [whole = "", fraction = ""] = literal.replace("#", "").split(".")
  if (!/^\d+$/.test(whole) || !/^\d{0,2}$/.test(fraction)) throw new Error(`${literal} is no amount in rupees`)
  return Number(whole + fraction.padEnd(2, "0"))
}

export const json = (value: unknown): string =>
  JSON.stringify(value, (_key, each: unknown) =>
    each instanceof Literal ? `\u0000${each.text}\u0000` : each
  ).replaceAll(/"\\u0000([\d.]+)\\u0000"/g, "$1")
