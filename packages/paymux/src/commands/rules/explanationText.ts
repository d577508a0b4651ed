/** An explanation for people; colors only where the terminal has them. */
import type { ExplainedCondition, ExplainedRule, Explanation } from "@paymux/routing"
import { styleText } from "node:util"

export const explanationText = ({ answer, rules, ruleset, summary }: Explanation): string => {
  const dropped = answer._tag === "Plan" ? answer.decision.dropped : answer.candidates
  return [
    ...wrapped(visible(summary)),
    "",
    ...rules.flatMap(ruleLines),
    "",
    ...(answer._tag === "Plan"
      ? [heading(`goes to, by ${answer.decision.reason}`), ...answer.candidates.map(candidateLine)]
      : [heading("goes nowhere: no provider of the rule can take it")]),
    ...(dropped.length === 0 ? [] : [heading("dropped"), ...dropped.map(droppedLine)]),
    "",
    ruleset
  ].join("\n")
}

/** In characters. Fixed, so that a terminal and a file show the same. */
const LINE = 100

/** A word that is longer than a line has a line of its own. */
const wrapped = (paragraph: string): ReadonlyArray<string> => {
  const [first = "", ...words] = paragraph.split(" ")
  const lines: Array<string> = []
  let line = first
  for (const word of words) {
    if (line.length + 1 + word.length <= LINE) line += ` ${word}`
    else {
      lines.push(line)
      line = word
    }
  }
  return [...lines, line]
}

const ruleLines = ({ conditions, matches, name }: ExplainedRule): ReadonlyArray<string> => [
  `${mark(matches)} ${heading(name)}`,
  ...conditions.flatMap((condition) => conditionLines(condition, 1))
]

const conditionLines = (condition: ExplainedCondition, depth: number): ReadonlyArray<string> => [
  `${"  ".repeat(depth)}${mark(condition.holds)} ${visible(condition.asked)}${has(condition)}`,
  ...condition.of.flatMap((inner) => conditionLines(inner, depth + 1))
]

/** Said where it does not follow from the mark. */
const has = ({ actual, holds, of }: ExplainedCondition): string =>
  holds || of.length > 0 ? "" : faint(`  it has ${actual === null ? "none" : visible(String(actual))}`)

/** Text of a merchant must not move the cursor of the reader. */
const visible = (text: string): string => text.replaceAll(/\p{Cc}/gu, "\uFFFD")

const candidateLine = ({ provider, reason }: { readonly provider: string; readonly reason: string }): string =>
  `  ${provider}  ${faint(reason)}`

const droppedLine = (dropped: { readonly provider: string; readonly reason: string }): string =>
  `${candidateLine(dropped)}${withheld(dropped.reason)}`

/** Of a provider that the rules keep from payments that it could take. */
const withheld = (reason: string): string => {
  if (reason === "excluded") return faint("  the rules exclude this provider from all payments")
  return /^outage(?:$|: )/.test(reason) ? faint("  a planned outage: it gets no new payments") : ""
}

const mark = (holds: boolean): string =>
  holds ? styleText("green", "✓", { stream: process.stdout }) : styleText("red", "✗", { stream: process.stdout })
const heading = (text: string): string => styleText("bold", text, { stream: process.stdout })
const faint = (text: string): string => styleText("dim", text, { stream: process.stdout })
