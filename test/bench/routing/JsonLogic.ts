/** The rules in json-logic-js: one `if` with a branch for each. */
import jsonLogic from "json-logic-js"
import type { RulesLogic } from "json-logic-js"
import { rules } from "./Sample.ts"
import type { SampleFacts, SampleRule } from "./Sample.ts"

export const openJsonLogic = () => {
  jsonLogic.add_operation("starts_with_any", (value: string, prefixes: ReadonlyArray<string>) =>
    prefixes.some((prefix) => value.startsWith(prefix))
  )
  // Boundary: the library's type does not know operations that were added.
  const choice = {
    if: [...rules.flatMap((rule, index) => [{ and: conditions(rule) }, index]), rules.length]
  } as RulesLogic
  return (payments: ReadonlyArray<SampleFacts>): ReadonlyArray<number> =>
    payments.map((facts): number => jsonLogic.apply(choice, facts))
}

const conditions = (rule: SampleRule): ReadonlyArray<unknown> => {
  const { amount, countries, currencies, merchant, network, prefixes, rail } = rule
  const fact = (name: keyof SampleFacts) => ({ var: name })
  return [
    ...(rail === null ? [] : [{ "===": [fact("rail"), rail] }]),
    ...(currencies.length === 0 ? [] : [{ in: [fact("currency"), currencies] }]),
    ...(amount === null ? [] : [{ ">=": [fact("amount"), amount[0]] }, { "<": [fact("amount"), amount[1]] }]),
    ...(network === null ? [] : [{ "===": [fact("network"), network] }]),
    ...(countries.length === 0 ? [] : [{ in: [fact("country"), countries] }]),
    ...(prefixes.length === 0 ? [] : [{ starts_with_any: [fact("bin"), prefixes] }]),
    ...(merchant === null ? [] : [{ "===": [fact("merchant"), merchant] }])
  ]
}
