import type { Demotion } from "@paymux/core/routing"

/**
 * The numbers in a candidate's stored reason. A field is `null` if the reason does not contain its number: earlier
 * releases stored fewer numbers, and other routers write other reasons.
 */
export interface CandidateReason {
  /** The expected success rate, such as `92.4%`. */
  readonly estimate: string | null
  /** The number of attempts that the estimate is based on. */
  readonly samples: number | null
  /** The kind of attempts that the estimate is based on, such as `visa cards, none from DE`. */
  readonly basis: string | null
  /** The success rate drawn for the payment, such as `93.1%`. */
  readonly drawn: string | null
  /** The provider's fee, such as `1.67 EUR`, or `unknown`. */
  readonly cost: string | null
  /** The expected value of the payment for the merchant, such as `3.30 EUR`. */
  readonly value: string | null
  /** The limit below which the success rate probably lies, such as `91.6%`. */
  readonly below: string | null
  /** The weight in a split, such as `30 out of 80`. */
  readonly share: string | null
  /** The reason why the provider is tried last; `null` if it is not demoted. */
  readonly demotion: Demotion | null
}

/**
 * Parses a candidate's stored reason.
 *
 * @example
 * ```ts
 * candidateReason("cost 1.67 EUR, success_rate 92.4% of 212 visa cards, none from DE, drawn 93.1%").drawn // => "93.1%"
 * ```
 */
export const candidateReason = (reason: string): CandidateReason => {
  const parts = reason.split(", ")
  const found = (pattern: RegExp): RegExpExecArray | null => {
    for (const part of parts) {
      const match = pattern.exec(part)
      if (match !== null) return match
    }
    return null
  }
  const first = (pattern: RegExp): string | null => found(pattern)?.[1] ?? null
  const rate = found(/^success_rate (-?[\d.]+%)(?: of (\d+)(?: (.+))?)?$/)
  const among = first(/^((?:none|\d+) (?!out of).+)$/)
  const share = found(/^split ([\d.]+)\/([\d.]+)$/)
  return {
    estimate: rate?.[1] ?? null,
    samples: rate?.[2] === undefined ? null : Number(rate[2]),
    basis: rate?.[3] === undefined ? null : among === null ? rate[3] : `${rate[3]}, ${among}`,
    drawn: first(/^drawn (-?[\d.]+%)$/),
    cost: first(/^cost (unknown|-?[\d.]+ \S+)$/),
    value: first(/^value (-?[\d.]+ \S+)$/),
    below: first(/^below (-?[\d.]+%)$/),
    share: share === null ? null : `${share[1]} out of ${share[2]}`,
    demotion: reason === "breaker_open" || reason === "account_not_enabled" ? reason : null
  }
}
