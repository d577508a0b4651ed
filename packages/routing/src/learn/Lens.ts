/** The attempts that a rule learns from, and the facts that divide them into segments. */
import type { AttemptCountBy } from "@paymux/core/store"

/**
 * Rules with equal lenses share one count of attempts.
 *
 * Method, flow, currency, network, country, funding and issuer are part of every segment, in addition to `segments`.
 */
export interface Lens {
  /** `null`: the window depends on the volume, and on the time until outcomes are known. */
  readonly windowMs: number | null
  readonly learnFrom: "all" | "account" | "rule"
  readonly segments: ReadonlyArray<LensSegment>
}

/** `amount`: the number of digits of the amount in minor units. */
export type LensSegment = "account" | "amount" | `metadata.${string}`

/** A JSON text that is equal for equal lenses only. */
export const lensKey = ({ learnFrom, segments, windowMs }: Lens): string =>
  JSON.stringify([windowMs, learnFrom, segments])

/** The columns by which a store groups attempts. */
export const countedBy = ({ learnFrom, segments }: Lens): AttemptCountBy => ({
  account: learnFrom === "account" || segments.includes("account"),
  rule: learnFrom === "rule",
  amount: segments.includes("amount"),
  metadata: segments.flatMap((segment) =>
    segment === "account" || segment === "amount" ? [] : [segment.slice("metadata.".length)]
  )
})
