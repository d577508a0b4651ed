/** The words that an editor suggests for the conditions in `when`. */
import { Currency, rails } from "@paymux/core"
import { countries } from "./Country.ts"
import { captureMethods, flows, fundings } from "./When.ts"
import type { ConditionName } from "./When.ts"

export interface ConditionWords {
  /** The name of a fact, such as `card.network`. `metadata.<key>` is not listed. */
  readonly name: string
  /** The operators that can be used with the fact. */
  readonly operators: ReadonlyArray<string>
  /** All values that the fact can have; empty if any value is possible. */
  readonly values: ReadonlyArray<string>
}

const equality = ["exists"]
const ordered = ["gt", "gte", "lt", "lte", "between", "exists"]

/** The operators of facts with arbitrary text, also those of `metadata.<key>`. */
const textOperators: ReadonlyArray<string> = ["starts_with", "ends_with", "in_prefixes", "exists"]

type Words = Omit<ConditionWords, "name">

const words: { readonly [name in ConditionName]: Words } = {
  payment_method: { operators: equality, values: rails },
  flow: { operators: equality, values: flows },
  currency: { operators: equality, values: Currency.currencyCodes },
  amount: { operators: ordered, values: [] },
  capture_method: { operators: equality, values: captureMethods },
  "customer.email": { operators: textOperators, values: [] },
  "customer.phone_country": { operators: equality, values: [] },
  "card.bin": { operators: textOperators, values: [] },
  "card.network": { operators: textOperators, values: [] },
  "card.country": { operators: equality, values: [...countries] },
  "card.funding": { operators: textOperators, values: fundings },
  "stablecoin.asset": { operators: textOperators, values: [] },
  "stablecoin.network": { operators: textOperators, values: [] },
  livemode: { operators: equality, values: ["true", "false"] },
  account: { operators: textOperators, values: [] },
  time: { operators: ["between", "zone", "weekdays", "dates", "holidays"], values: [] }
}

export const conditionWords: ReadonlyArray<ConditionWords> = Object.entries(words).map(([name, each]) => ({
  name,
  ...each
}))
