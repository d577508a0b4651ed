/** The rules as a decision table of GoRules ZEN: first hit, compiled once. */
import { ZenDecisionContent, ZenEngine } from "@gorules/zen-engine"
import { rules } from "./Sample.ts"
import type { SampleFacts, SampleRule } from "./Sample.ts"

/** A payment to a call, `together` calls at a time. */
export const openZen = (together: number) => {
  const decision = new ZenEngine().createDecision(new ZenDecisionContent(table("single")))
  return async (payments: ReadonlyArray<SampleFacts>): Promise<ReadonlyArray<number>> => {
    const found: Array<number> = []
    for (let i = 0; i < payments.length; i += together) {
      const answers = await Promise.all(payments.slice(i, i + together).map((facts) => decision.evaluate(facts)))
      for (const { result } of answers) found.push(ruleOf(result))
    }
    return found
  }
}

/** Many payments in one call: they cross into the engine together, which is the fastest that it can be asked. */
export const openZenInBatches = () => {
  const decision = new ZenEngine().createDecision(new ZenDecisionContent(table("loop")))
  return async (payments: ReadonlyArray<SampleFacts>): Promise<ReadonlyArray<number>> => {
    const { result } = await decision.evaluate({ payments })
    if (!Array.isArray(result)) throw new Error("The table did not answer with a list")
    return result.map(ruleOf)
  }
}

/** Boundary: the engine's answers are not typed. */
const ruleOf = (result: unknown): number => (result as { readonly rule?: number } | null)?.rule ?? rules.length

const columns = ["rail", "currency", "amount", "network", "country", "bin", "merchant"] as const

const table = (mode: "single" | "loop") => ({
  contentType: "application/vnd.gorules.decision",
  nodes: [
    { id: "in", type: "inputNode", name: "in", position: { x: 0, y: 0 } },
    {
      id: "table",
      type: "decisionTableNode",
      name: "table",
      position: { x: 0, y: 0 },
      content: {
        hitPolicy: "first",
        inputs: columns.map((column) => ({ id: column, name: column, field: column })),
        outputs: [{ id: "rule", name: "rule", field: "rule" }],
        rules: rules.map((rule, index) => ({ _id: `rule-${index}`, ...cells(rule), rule: String(index) })),
        passThrough: false,
        executionMode: mode,
        inputField: mode === "loop" ? "payments" : null,
        outputPath: null
      }
    },
    { id: "out", type: "outputNode", name: "out", position: { x: 0, y: 0 } }
  ],
  edges: [
    { id: "in-table", sourceId: "in", targetId: "table", type: "edge" },
    { id: "table-out", sourceId: "table", targetId: "out", type: "edge" }
  ]
})

/** An empty cell is not asked. */
const cells = (rule: SampleRule): { readonly [column in (typeof columns)[number]]: string } => ({
  rail: rule.rail === null ? "" : text(rule.rail),
  currency: rule.currencies.map(text).join(", "),
  amount: rule.amount === null ? "" : `[${rule.amount[0]}..${rule.amount[1]})`,
  network: rule.network === null ? "" : text(rule.network),
  country: rule.countries.map(text).join(", "),
  bin: rule.prefixes.map((prefix) => `startsWith($, ${text(prefix)})`).join(" or "),
  merchant: rule.merchant === null ? "" : text(rule.merchant)
})

const text = (value: string): string => JSON.stringify(value)
