/**
 * Limits retries to 10 % of a provider's load: each first send earns a tenth of a retry, each retry spends one.
 *
 * A reserve allows retries at low load. Without a budget, retries amplify an outage.
 */
import { Context, Layer } from "effect"

const EARNED_PER_SEND = 0.1
const RESERVE = 10

export class RetryBudget extends Context.Service<
  RetryBudget,
  {
    readonly earn: (provider: string) => void
    /** Spends one retry if the budget allows it; returns whether it did. */
    readonly spend: (provider: string) => boolean
  }
>()("@paymux/core/resilience/RetryBudget") {
  static readonly layer = Layer.sync(RetryBudget, () => {
    const tokens = new Map<string, number>()
    const balance = (provider: string) => tokens.get(provider) ?? RESERVE
    return RetryBudget.of({
      earn: (provider) => void tokens.set(provider, Math.min(RESERVE, balance(provider) + EARNED_PER_SEND)),
      spend: (provider) => {
        const left = balance(provider)
        if (left < 1) return false
        tokens.set(provider, left - 1)
        return true
      }
    })
  })
}
