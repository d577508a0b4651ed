/** Warns about rules without payments, and about metadata keys that no payment has. */
import { atKey, problemAt, problemIn } from "../check/RoutingInvalid.ts"
import type { RoutingProblem } from "../check/RoutingInvalid.ts"
import { suggestion } from "../check/suggestion.ts"
import type { NamedKey } from "./metadataKeys.ts"
import type { RuleUsage, UsageReport } from "./RulesUsage.ts"

/**
 * Returns the warnings in the order of the rules; empty if no payments were counted.
 *
 * @param since the first day of the payments, such as `2026-10-26`
 */
export const usageWarnings = (written: unknown, report: UsageReport, since: string): ReadonlyArray<RoutingProblem> => {
  const { absentKeys, payments, rules } = report
  if (payments === 0) return []
  const keysOf = (rule: number | null) =>
    absentKeys.filter((named) => named.rule === rule).map((named) => keyWarning(written, named, report, since))
  return [
    ...rules.flatMap((rule, index) => {
      // Skips rules without payments in scope: for example, test payments cannot match a rule for live payments.
      if (rule.inScope === 0) return []
      const sentence = ruleSentence(rule, payments, since)
      const place = ["rules", index, "when"]
      return [...(sentence === null ? [] : [problemIn(written, place, sentence)]), ...keysOf(index)]
    }),
    ...keysOf(null)
  ]
}

/** The warning about a rule; `null` if the rule is used, or its usage is unknown. */
const ruleSentence = (rule: RuleUsage, payments: number, since: string): string | null => {
  switch (rule.state) {
    case "used":
    case "unknown":
      return null
    case "dead":
      return rule.inScope < payments
        ? `it matched ${noneOf(rule.inScope)} at its times since ${since}`
        : `it matched ${noneOf(payments)} since ${since}`
    case "shadowed":
      return `it took ${noneOf(payments)} since ${since}: earlier rules matched all of its payments, ${takers(rule)}`
    default:
      return rule.state satisfies never
  }
}

/** The maximum number of shadowing rules that a warning names. */
const SHOWN = 3

const takers = ({ shadowedBy }: RuleUsage): string => {
  const shown = shadowedBy.slice(0, SHOWN).map(({ payments, rule }) => `"${rule}" ${payments.toLocaleString("en-US")}`)
  return `${shown.join(", ")}${shadowedBy.length > SHOWN ? " and others" : ""}`
}

const keyWarning = (
  written: unknown,
  { key, path }: NamedKey,
  { seenKeys, payments }: UsageReport,
  since: string
): RoutingProblem => {
  const predicate = `names a metadata key that ${noneOf(payments)} since ${since} has${suggestion(key, seenKeys)}`
  const warning = problemAt(written, path, predicate)
  // Sets the location of the warning: in a condition, the metadata key is a mapping key; otherwise it is the value of
  // `sticky_by`, or an entry of `segments`.
  return path.includes("when") ? atKey(warning) : warning
}

const noneOf = (payments: number): string =>
  payments === 1 ? "none of 1 payment" : `none of the ${payments.toLocaleString("en-US")} payments`
