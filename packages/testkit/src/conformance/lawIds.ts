/** The names of the laws, by which a suite skips one and by which `LAWS.md` is linked to. */
export const lawIds = [
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
export type LawId = (typeof lawIds)[number]
