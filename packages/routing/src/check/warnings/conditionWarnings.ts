/** Warns about conditions that are valid, but probably mean something else than intended. */
import { Currency, Money } from "@paymux/core"
import type { RoutableProvider } from "@paymux/core/routing"
import { callingCodeOf } from "../../Facts.ts"
import type { When } from "../../language/When.ts"
import type { Condition } from "../../match/Condition.ts"
import { contradictions } from "../contradictions.ts"
import { problemAt, valueAt } from "../RoutingInvalid.ts"
import type { Path, RoutingProblem } from "../RoutingInvalid.ts"
import { shown, suggestion } from "../suggestion.ts"
import { skippedDays } from "./skippedDay.ts"

/** Returns the warnings about a condition. `path` is the path of its rule. */
export type ConditionWarnings = (path: Path, when: When, condition: Condition) => ReadonlyArray<RoutingProblem>

export const conditionWarnings = (
  written: unknown,
  providers: ReadonlyArray<RoutableProvider>,
  now: number
): ConditionWarnings => {
  const networks = new Set([
    ...knownNetworks,
    ...providers.flatMap(({ capabilities }) => capabilities.methods.card?.networks ?? [])
  ])
  const skippedDay = skippedDays(now)
  const at = (path: Path, predicate: string) => problemAt(written, path, predicate)

  const inside = (path: Path, when: When, outer: ReadonlyArray<string>): ReadonlyArray<RoutingProblem> => {
    const currencies = currenciesOf(when) ?? outer
    return [
      ...(when.amount === undefined ? [] : amountWarnings([...path, "amount"], currencies, when.amount)),
      ...networkWarnings([...path, "card.network"]),
      ...callingCodeWarnings([...path, "customer.phone_country"]),
      ...timeWarnings([...path, "time"]),
      ...(when.all ?? []).flatMap((each, index) => inside([...path, "all", index], each, currencies)),
      ...(when.any ?? []).flatMap((each, index) => inside([...path, "any", index], each, currencies)),
      ...(when.not === undefined ? [] : inside([...path, "not"], when.not, currencies))
    ]
  }

  const amountWarnings = (
    path: Path,
    currencies: ReadonlyArray<string>,
    asked: NonNullable<When["amount"]>
  ): ReadonlyArray<RoutingProblem> => {
    const units = new Map(currencies.filter(Currency.isCurrency).map((code) => [Currency.exponent(code), code]))
    const [first, second] = [...units.values()]
    if (second !== undefined) {
      return [at(path, `is not the same amount in ${first} and in ${second}: their smallest units differ`)]
    }
    const [[exponent, code] = [0, ""]] = [...units]
    const unit = 10 ** exponent
    const text = (minorUnits: number) => `${Money.decimal({ minorUnits, currency: code })} ${code}`
    return numbersIn(asked, path).flatMap(({ path: place, value }) =>
      // Skips 0 and 1, which authors use for "any amount".
      value > 1 && value < unit ? [at(place, `is ${text(value)}: ${text(value * unit)} is ${value * unit}`)] : []
    )
  }

  const networkWarnings = (path: Path): ReadonlyArray<RoutingProblem> =>
    wordsAt(written, path).flatMap(({ path: place, word }) =>
      networks.has(word) ? [] : [at(place, `is no known card network: ${shown(word)}${suggestion(word, networks)}`)]
    )

  /**
   * Warns about calling codes with an area code, such as `+1242`. Countries that share a calling code have the fact
   * `+1`.
   */
  const callingCodeWarnings = (path: Path): ReadonlyArray<RoutingProblem> =>
    wordsAt(written, path).flatMap(({ path: place, word }) => {
      const code = callingCodeOf(`${word}000000`)
      return code.length >= word.length
        ? []
        : [at(place, `is not a calling code: the calling code of these numbers is "${code}"`)]
    })

  const timeWarnings = (path: Path): ReadonlyArray<RoutingProblem> => {
    const [from, to] = wordsAt(written, [...path, "between"]).map(({ word }) => word)
    const zone = valueAt(written, [...path, "zone"])
    if (from !== undefined && zone === undefined) {
      return [at([...path, "between"], "has no `zone`: these are hours of UTC")]
    }
    const isEveryDay = ["weekdays", "dates", "holidays"].every((key) => valueAt(written, [...path, key]) === undefined)
    if (from === undefined || to === undefined || typeof zone !== "string" || !isEveryDay) return []
    const day = skippedDay(from, to, zone)
    return day === null ? [] : [at(path, `is skipped on ${day}, when clocks in ${zone} go forward`)]
  }

  return (path, when, condition) => [
    ...contradictions(condition).map((found) => at([...path, "when", ...found.path], found.predicate)),
    ...inside([...path, "when"], when, [])
  ]
}

/** Card networks, as payment providers spell them. */
const knownNetworks = (
  "visa mastercard amex discover diners jcb unionpay rupay maestro cartes_bancaires bancontact elo hipercard interac " +
  "dankort eftpos_au mir troy verve uatp girocard carte_bleue visa_electron bajaj"
).split(" ")

/** The currencies that a condition requires; `null` if it does not require any at this nesting level. */
const currenciesOf = ({ currency, payment_method }: When): ReadonlyArray<string> | null => {
  if (typeof currency === "string") return [currency]
  if (isList(currency)) return currency
  return payment_method === "upi" ? ["INR"] : null
}

const isList = (asked: unknown): asked is ReadonlyArray<string> => Array.isArray(asked)

interface PlacedNumber {
  readonly path: Path
  readonly value: number
}

const numbersIn = (asked: unknown, path: Path): ReadonlyArray<PlacedNumber> => {
  if (typeof asked === "number") return [{ path, value: asked }]
  if (Array.isArray(asked)) return asked.flatMap((each: unknown, index) => numbersIn(each, [...path, index]))
  if (typeof asked !== "object" || asked === null) return []
  // Skips the lower bound of `between`, since a small one is probably intended.
  return Object.entries(asked).flatMap(([operator, value]) =>
    operator === "between" ? numbersIn(value, [...path, operator]).slice(1) : numbersIn(value, [...path, operator])
  )
}

const wordsAt = (root: unknown, path: Path): ReadonlyArray<{ readonly path: Path; readonly word: string }> => {
  const value = valueAt(root, path)
  if (typeof value === "string") return [{ path, word: value }]
  if (!isList(value)) return []
  return value.map((word, index) => ({ path: [...path, index], word }))
}
