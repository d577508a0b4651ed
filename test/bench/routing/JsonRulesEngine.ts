/** The rules in json-rules-engine: by priority, stopped at the first that holds. */
import { Engine } from "json-rules-engine"
import type { ConditionProperties } from "json-rules-engine"
import { rules } from "./Sample.ts"
import type { SampleFacts, SampleRule } from "./Sample.ts"

export const openJsonRulesEngine = () => {
  const engine = new Engine()
  engine.addOperator<string, ReadonlyArray<string>>("startsWithAny", (value, prefixes) =>
    prefixes.some((prefix) => value.startsWith(prefix))
  )
  for (const [index, rule] of rules.entries()) {
    engine.addRule({
      conditions: { all: conditions(rule) },
      event: { type: "rule", params: { index } },
      priority: rules.length - index
    })
  }
  engine.on("success", () => {
    engine.stop()
  })
  return async (payments: ReadonlyArray<SampleFacts>): Promise<ReadonlyArray<number>> => {
    const found: Array<number> = []
    for (const facts of payments) {
      const { events } = await engine.run({ ...facts })
      const index: unknown = events[0]?.params?.index
      found.push(typeof index === "number" ? index : rules.length)
    }
    return found
  }
}

const conditions = (rule: SampleRule): Array<ConditionProperties> => {
  const { amount, countries, currencies, merchant, network, prefixes, rail } = rule
  return [
    ...(rail === null ? [] : [{ fact: "rail", operator: "equal", value: rail }]),
    ...(currencies.length === 0 ? [] : [{ fact: "currency", operator: "in", value: currencies }]),
    ...(amount === null ? [] : [{ fact: "amount", operator: "greaterThanInclusive", value: amount[0] }]),
    ...(amount === null ? [] : [{ fact: "amount", operator: "lessThan", value: amount[1] }]),
    ...(network === null ? [] : [{ fact: "network", operator: "equal", value: network }]),
    ...(countries.length === 0 ? [] : [{ fact: "country", operator: "in", value: countries }]),
    ...(prefixes.length === 0 ? [] : [{ fact: "bin", operator: "startsWithAny", value: prefixes }]),
    ...(merchant === null ? [] : [{ fact: "merchant", operator: "equal", value: merchant }])
  ]
}
