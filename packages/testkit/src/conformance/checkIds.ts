/** The names of the checks, by which a suite skips one and by which `CONFORMANCE.md` is linked to. */
export const checkIds = [
  "declared",
  "one-effect",
  "concurrent",
  "not-sent",
  "no-answer-is-unknown",
  "second-refusal",
  "checkpoint",
  "inquiry-agrees",
  "idempotency",
  "equal-refunds",
  "never-exceed",
  "reports",
  "amounts",
  "vendor-codes",
  "as-done",
  "next-action",
  "return",
  "rate-limit",
  "deadline",
  "interruption",
  "webhook-refused",
  "webhook-duplicates",
  "webhook-batch",
  "secrets",
  "test-and-live"
] as const
export type CheckId = (typeof checkIds)[number]
