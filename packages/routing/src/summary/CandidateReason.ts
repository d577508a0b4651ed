import type { Demotion } from "@paymux/core/routing"

/**
 * The numbers in the stored reason of a candidate. `null`: not in the reason, as earlier releases stored less, and other routers
 * have reasons of their own.
 */
export interface CandidateReason {
  /** `92.4%`: the expected success rate. */
  readonly estimate: string | null
  /** The number of attempts behind the estimate. */
  readonly samples: number | null
  /** The kind of these attempts: `visa cards, none from DE`. */
  readonly basis: string | null
  /** `93.1%` */
  readonly drawn: string | null
  /** `1.67 EUR` or `unknown` */
  readonly cost: string | null
  /** `3.30 EUR` */
  readonly value: string | null
  /** `91.6%`: the limit that the rate is probably below. */
  readonly below: string | null
  /** `30 out of 80` */
  readonly share: string | null
  /** The reason why the provider is tried last; `null`: the provider is not demoted. */
  readonly demotion: Demotion | null
}

/**
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
