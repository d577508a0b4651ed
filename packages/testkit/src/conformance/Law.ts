/** A law of the provider contract: what it says, when it applies, and how it is tried. */
import type { Capabilities } from "@paymux/core"
import type { Effect } from "effect"
import type { LawBroken } from "./LawBroken.ts"
import type { LawId } from "./lawIds.ts"
import type { Trial } from "./Trial.ts"

export { LawBroken } from "./LawBroken.ts"

export interface Law {
  readonly id: LawId
  /** One sentence, as the test is named. */
  readonly title: string
  /** Why it is a law, and what breaks without it. */
  readonly why: string
  /** What to look at in an adapter that breaks it. */
  readonly mend: string
  /** `null`: it applies. Otherwise why it cannot be tried at this provider. */
  readonly exempt?: (facts: LawFacts) => string | null
  readonly check: (trial: Trial) => Effect.Effect<void, LawBroken>
}

/** What decides whether a law applies. */
export interface LawFacts {
  readonly capabilities: Capabilities
  readonly hasNetwork: boolean
  readonly declineCodes: ReadonlyArray<string>
  readonly webhooks: { readonly signsTime: boolean; readonly batches: boolean } | null
}

/** The failed test's message. */
export const sentenceOf = ({ id, title }: Pick<Law, "id" | "title">, { expected, seen, tried, vendor }: LawBroken) =>
  [
    `The law "${title}" is broken.`,
    `  tried     ${tried}`,
    `  expected  ${expected}`,
    `  seen      ${seen}`,
    ...vendor.map((line, index) => `  ${index === 0 ? "vendor  " : "        "}  ${line}`),
    `  read on   node_modules/@paymux/testkit/LAWS.md#${id}`
  ].join("\n")
