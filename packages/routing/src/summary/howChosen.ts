/** Explains in sentences why the first of the available providers was chosen. */
import { byCost, byValue } from "./byMoney.ts"
import type { LimitText } from "./byMoney.ts"
import { before, bracketed, rateText } from "./candidateText.ts"
import type { Considered, Ranked } from "./candidateText.ts"

/**
 * Explains the choice. `reason` is the stored reason of the first candidate.
 *
 * @example
 * ```ts
 * howChosen("priority", [adyen, stripe], limitText) // => ["adyen is the first available provider in the list."]
 * ```
 */
export const howChosen = (reason: string, ranked: Ranked, limitText: LimitText): ReadonlyArray<string> => {
  const [first] = ranked
  switch (reason) {
    case "priority":
      return [`${first.provider} is the first available provider in the list.`]
    case "split":
      return [bySplit(ranked)]
    case "success_rate":
      return [bySuccessRate(ranked)]
    case "explore":
      return explored(ranked)
    case "cost":
      return byCost(ranked, limitText)
    case "value":
      return byValue(ranked, limitText)
    // The reason was stored by another router, so the choice cannot be explained.
    default:
      return [`${first.provider} came first, with the reason "${reason}".`]
  }
}

const bySplit = ([first, ...others]: Ranked): string => {
  const shared = ({ provider, share }: Considered) => `${provider}${bracketed([share])}`
  return `The split selected ${shared(first)}${before(others.map(shared))}.`
}

/**
 * Explains a choice by success rate. If the decision has no stored draws, the providers were ordered by their
 * estimates.
 */
const bySuccessRate = ([first, ...others]: Ranked): string => {
  const rate = rateText(first)
  if (rate === null) return `${first.provider} came first by success rate.`
  const name = first.drawn === null ? "success rate" : "drawn success rate"
  return `${first.provider} had the highest ${name}: ${rate}${before(others.map(withRate))}.`
}

/**
 * Explains a choice by exploration. The numbers of the explored provider are not stored, since the choice did not
 * depend on them.
 */
const explored = ([first, best, ...others]: Ranked): ReadonlyArray<string> => {
  const why = `${first.provider} came first to explore: the rule sends a share of its payments to another provider than the best.`
  if (best === undefined) return [why]
  const rate = rateText(best)
  const known = rate === null ? "" : `, with a success rate of ${rate}${before(others.map(withRate))}`
  return [why, `Otherwise ${best.provider} would have been first${known}.`]
}

const withRate = (candidate: Considered): string => {
  const rate = rateText(candidate)
  return rate === null ? candidate.provider : `${candidate.provider} with ${rate}`
}
