/**
 * The Schema of `failover`: the limits of failover to further providers. The setting can only restrict the failover
 * that core allows.
 */
import type { DeclineCode } from "@paymux/core"
import { Schema } from "effect"
import { duration, optionally, positive } from "./words.ts"

/** The Schema of the maximum number of providers that are tried for one payment. */
const maxAttempts = positive.check(Schema.isLessThanOrEqualTo(10, { message: "must be at most 10" }))

const deadline = duration("No attempt starts later after the payment was made. Default: 45s.").check(
  Schema.isLessThanOrEqualTo(86_400_000, { message: "must be at most 24h" })
)

/**
 * Decline codes after which a rule can allow failover. All other codes are about the payer, their card or their
 * account, so every provider would decline as well.
 */
const softCodes = [
  "do_not_honor",
  "generic_decline",
  "issuer_unavailable",
  "not_permitted",
  "processing_error",
  "suspected_fraud",
  "unsupported"
] as const satisfies ReadonlyArray<DeclineCode>

export const Failover = Schema.Struct({
  max_attempts: optionally(maxAttempts, "How many providers are asked for one payment at most. Default: 3."),
  /** The deadline of the payment, after which no attempt starts. */
  deadline: Schema.optionalKey(deadline),
  /**
   * The results after which failover is allowed. `unknown` is not among them: a payment with an unknown outcome is
   * never tried at another provider.
   */
  on: optionally(
    Schema.Array(Schema.Literals(["not_executed", "soft_decline", ...softCodes])),
    "After what another provider is asked: not_executed, soft_decline, or soft declines with these codes only. Default: " +
      "not_executed and soft_decline. Never after an outcome that is not known."
  ),
  not_on: optionally(
    Schema.Array(Schema.Literals(softCodes)),
    "Codes of soft declines after which no other provider is asked, such as suspected_fraud."
  )
}).annotate({ identifier: "Failover" })
export type Failover = typeof Failover.Type
