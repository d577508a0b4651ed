/** A test of one fact. An absent fact (`null`) passes no test. */
import type { FactValue } from "../Facts.ts"
import { beginsWithOne } from "./Prefixes.ts"
import type { Prefixes } from "./Prefixes.ts"

export type FactTest =
  /** Membership in a set; equality is a set of one value. */
  | { readonly op: "in"; readonly values: ReadonlySet<FactValue> }
  /** A numeric range, both ends inclusive. Amounts are integers, so `gt: 5` is `from: 6`. */
  | { readonly op: "range"; readonly from: number; readonly to: number }
  | { readonly op: "starts_with"; readonly prefixes: Prefixes }
  | { readonly op: "ends_with"; readonly suffix: string }
  | { readonly op: "exists" }

export const passes = (test: FactTest, value: FactValue): boolean => {
  if (value === null) return false
  switch (test.op) {
    case "in":
      return test.values.has(value)
    case "range":
      return typeof value === "number" && value >= test.from && value <= test.to
    case "starts_with":
      return typeof value === "string" && beginsWithOne(test.prefixes, value)
    case "ends_with":
      return typeof value === "string" && value.endsWith(test.suffix)
    case "exists":
      return true
    default:
      return test satisfies never
  }
}
