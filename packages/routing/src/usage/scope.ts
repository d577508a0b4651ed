/**
 * Determines the scope of a condition: the times, accounts and modes for which it can hold. So test payments of last
 * month do not make a rule for next December, or for live payments, appear unused.
 */
import { predicateOf } from "../match/Condition.ts"
import type { Condition, Predicate } from "../match/Condition.ts"

/**
 * Creates a function that decides whether the condition can hold for some payment with this account, mode and time;
 * `null` if it always can.
 */
export const scopeOf = (condition: Condition): Predicate | null =>
  isScoped(condition) ? boundsOf(condition).may : null

const isScoped = (condition: Condition): boolean => {
  switch (condition._tag) {
    case "Time":
      return true
    case "Fact":
      return condition.fact === "account" || condition.fact === "livemode"
    case "Not":
      return isScoped(condition.of)
    case "All":
    case "Any":
      return condition.of.some(isScoped)
    default:
      return condition satisfies never
  }
}

/**
 * Two predicates on the account, mode and time of payments. `may`: the condition can hold for some of these payments.
 * `must`: the condition holds for all of them.
 */
interface Bounds {
  readonly may: Predicate
  readonly must: Predicate
}

const boundsOf = (condition: Condition): Bounds => {
  if (!isScoped(condition)) return { may: () => true, must: () => false }
  switch (condition._tag) {
    case "Time":
    case "Fact": {
      const holds = predicateOf(condition)
      return { may: holds, must: holds }
    }
    case "Not": {
      const { may, must } = boundsOf(condition.of)
      return { may: (facts) => !must(facts), must: (facts) => !may(facts) }
    }
    case "All": {
      const bounds = condition.of.map(boundsOf)
      return {
        may: (facts) => bounds.every(({ may }) => may(facts)),
        must: (facts) => bounds.every(({ must }) => must(facts))
      }
    }
    case "Any": {
      const bounds = condition.of.map(boundsOf)
      return {
        may: (facts) => bounds.some(({ may }) => may(facts)),
        must: (facts) => bounds.some(({ must }) => must(facts))
      }
    }
    default:
      return condition satisfies never
  }
}
