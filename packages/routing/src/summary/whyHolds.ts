/**
 * Explains why a condition holds, in phrases about the payment: `currency is EUR`. A table can list every condition,
 * but a sentence names only the decisive ones.
 */
import { reader } from "../Facts.ts"
import type { Facts, FactName, FactValue } from "../Facts.ts"
import { feeText } from "../choose/Fees.ts"
import { predicateOf } from "../match/Condition.ts"
import type { Condition } from "../match/Condition.ts"
import type { FactTest } from "../match/FactTest.ts"
import { clockText, rangeText } from "../match/timeText.ts"
import { cut, limited } from "./lists.ts"

/**
 * Explains the conditions that hold. For `any`, this is only the first branch that holds, since one is enough.
 *
 * @example
 * ```ts
 * whyHolds(condition, facts) // => ["payment_method is card", "amount is 49.00 EUR (at least 10.00 EUR)"]
 * ```
 */
export const whyHolds = (condition: Condition, facts: Facts): ReadonlyArray<string> => {
  switch (condition._tag) {
    case "Fact":
      return [passing(condition, facts)]
    case "Time":
      return [`time is ${clockText(condition.window, facts.time)} (${rangeText(condition.window)})`]
    case "All":
      return condition.of.flatMap((member) => whyHolds(member, facts))
    case "Any": {
      const branch = condition.of.find((member) => predicateOf(member)(facts))
      return branch === undefined ? [] : whyHolds(branch, facts)
    }
    case "Not":
      return whyFails(condition.of, facts)
    default:
      return condition satisfies never
  }
}

/**
 * Explains a condition inside of `not`, which does not hold. For `all`, this is only the first condition that fails,
 * since one is enough.
 */
const whyFails = (condition: Condition, facts: Facts): ReadonlyArray<string> => {
  switch (condition._tag) {
    case "Fact":
      return [failing(condition, facts)]
    case "Time":
      return [`time is ${clockText(condition.window, facts.time)} (not ${rangeText(condition.window)})`]
    case "All": {
      const member = condition.of.find((each) => !predicateOf(each)(facts))
      return member === undefined ? [] : whyFails(member, facts)
    }
    case "Any":
      return condition.of.flatMap((member) => whyFails(member, facts))
    case "Not":
      return whyHolds(condition.of, facts)
    default:
      return condition satisfies never
  }
}

type FactCondition = Extract<Condition, { readonly _tag: "Fact" }>

const passing = ({ fact, path, test }: FactCondition, facts: Facts): string => {
  const value = reader(fact)(facts)
  const is = `${fact} is ${valueText(fact, value, facts)}`
  switch (test.op) {
    case "in":
      return is
    case "range":
      return `${is} (${rangeWords(test, path, fact, facts)})`
    // Shows the matching prefix instead of the value, since an email address is personal data; and only one prefix,
    // since a table of BINs is long.
    case "starts_with": {
      const begun = [...test.prefixes.texts].find((text) => String(value).startsWith(text))
      return `${fact} starts with ${cut(begun ?? "")}`
    }
    case "ends_with":
      return `${fact} ends with ${cut(test.suffix)}`
    case "exists":
      return `${fact} is present`
    default:
      return test satisfies never
  }
}

const failing = ({ fact, path, test }: FactCondition, facts: Facts): string => {
  const value = reader(fact)(facts)
  if (value === null) return `${fact} is absent`
  const is = `${fact} is ${valueText(fact, value, facts)}`
  switch (test.op) {
    case "in":
      return `${is} (not ${alternatives([...test.values].map((each) => valueText(fact, each, facts)))})`
    case "range":
      return `${is} (not ${rangeWords(test, path, fact, facts)})`
    case "starts_with":
      return `${fact} does not start with ${alternatives([...test.prefixes.texts])}`
    case "ends_with":
      return `${fact} does not end with ${cut(test.suffix)}`
    // The test `exists` passes if the payment has the fact.
    case "exists":
      return `${fact} is present`
    default:
      return test satisfies never
  }
}

const MOST_ALTERNATIVES = 3

const alternatives = (texts: ReadonlyArray<string>): string =>
  limited(texts.map(cut), MOST_ALTERNATIVES, (count) => `${count} more`).join(" or ")

/** Formats a value. Amounts are shown in major units with their currency, although rules use minor units. */
const valueText = (fact: FactName, value: FactValue, { currency }: Facts): string => {
  if (value === null) return "absent"
  return fact === "amount" && typeof value === "number" ? feeText(value, currency) : cut(String(value))
}

type Range = Extract<FactTest, { readonly op: "range" }>

/** Formats a numeric range. The last part of `path` is its operator, since `gt: 5` is stored as `from: 6`. */
const rangeWords = ({ from, to }: Range, path: FactCondition["path"], fact: FactName, facts: Facts): string => {
  const limit = (amount: number) => valueText(fact, amount, facts)
  switch (path.at(-1)) {
    case "gt":
      return `more than ${limit(from - 1)}`
    case "gte":
      return `at least ${limit(from)}`
    case "lt":
      return `less than ${limit(to + 1)}`
    case "lte":
      return `at most ${limit(to)}`
    default:
      return `between ${limit(from)} and ${limit(to)}`
  }
}
