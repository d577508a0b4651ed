/** The lens of a rule: which attempts it learns from, and the facts that divide them into segments. */
import type { AttemptCountBy } from "@paymux/core/store"

/**
 * The selection and grouping of attempts for success rates. Rules with equal lenses share one count of attempts.
 *
 * Method, flow, currency, network, country, funding and issuer are part of every segment, in addition to `segments`.
 */
export interface Lens {
  /**
   * The length of the time window, ms; `null` if it depends on the volume of attempts and on the time until outcomes
   * are known.
   */
  readonly windowMs: number | null
  readonly learnFrom: "all" | "account" | "rule"
  readonly segments: ReadonlyArray<LensSegment>
}

/** A fact that rules can add to segments. `amount` stands for the number of digits of the amount in minor units. */
export type LensSegment = "account" | "amount" | `metadata.${string}`

/**
 * Serializes a lens (the selection of attempts that a rule learns from) to JSON text, as a map key. The text is equal
 * only for equal lenses.
 */
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
