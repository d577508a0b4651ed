/** A check of the provider contract: what it says, when it applies, and how it is tried. */
import type { Capabilities } from "@paymux/core"
import type { Effect } from "effect"
import type { CheckFailed } from "./CheckFailed.ts"
import type { CheckId } from "./checkIds.ts"
import type { ConformanceContext } from "./ConformanceContext.ts"

export { CheckFailed } from "./CheckFailed.ts"

export interface ConformanceCheck {
  readonly id: CheckId
  /** One sentence, as the test is named. */
  readonly title: string
  /** Why it is a check, and what breaks without it. */
  readonly why: string
  /** What to look at in an adapter that breaks it. */
  readonly howToFix: string
  /** `null`: it applies. Otherwise why it cannot be tried at this provider. */
  readonly exempt?: (facts: CheckFacts) => string | null
  readonly check: (context: ConformanceContext) => Effect.Effect<void, CheckFailed>
}

/** What decides whether a check applies. */
export interface CheckFacts {
  readonly capabilities: Capabilities
  readonly hasNetwork: boolean
  readonly declineCodes: ReadonlyArray<string>
  readonly webhooks: { readonly signsTime: boolean; readonly batches: boolean } | null
}

/** The failed test's message. */
export const sentenceOf = (
  { id, title }: Pick<ConformanceCheck, "id" | "title">,
  { expected, seen, tried, vendor }: CheckFailed
) =>
  [
    `The check "${title}" failed.`,
    `  tried     ${tried}`,
    `  expected  ${expected}`,
    `  seen      ${seen}`,
    ...vendor.map((line, index) => `  ${index === 0 ? "vendor  " : "        "}  ${line}`),
    `  read on   node_modules/@paymux/testkit/CONFORMANCE.md#${id}`
  ].join("\n")
