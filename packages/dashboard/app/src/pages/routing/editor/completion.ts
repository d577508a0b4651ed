/** Completes the language of routing rules: its keys, conditions, operators, values and providers. */
import type { Completion, CompletionContext, CompletionResult } from "@codemirror/autocomplete"
import type { components } from "../../../api/generated/ControlApi.ts"
import { placeAt } from "./yamlPlace.ts"
import type { YamlPlace } from "./yamlPlace.ts"

export type Vocabulary = components["schemas"]["RulesVocabulary"]

const listKeys = ["all", "any", "not"]
const conditionParents = ["when", ...listKeys]

const chooseKeys = [
  "priority",
  "split",
  "best",
  "among",
  "sticky_by",
  "experiment",
  "seed",
  "window",
  "segments",
  "learn_from",
  "min_samples",
  "prior",
  "weights",
  "explore",
  "margin",
  "floor",
  "within"
]

/** Keys by the key above them. */
const keysBelow: { readonly [parent: string]: ReadonlyArray<string> } = {
  rules: ["name", "when", "choose", "failover"],
  choose: chooseKeys,
  default: chooseKeys,
  weights: ["expired", "authentication_failed"],
  except: ["card.network", "card.country", "card.funding", "stablecoin.network", "percent", "fixed"],
  outages: ["provider", "from", "to", "methods", "note"],
  failover: ["max_attempts", "deadline", "on", "not_on"]
}
const topKeys = ["version", "rules", "default", "holidays", "exclude", "outages", "fees", "failover"]

const softCodes = [
  "do_not_honor",
  "generic_decline",
  "issuer_unavailable",
  "not_permitted",
  "processing_error",
  "suspected_fraud",
  "unsupported"
]

const valuesOfKey: { readonly [key: string]: ReadonlyArray<string> } = {
  best: ["success_rate", "cost", "value"],
  segments: ["account", "amount", "metadata."],
  learn_from: ["all", "account", "rule"],
  exists: ["true", "false"],
  weekdays: ["mon", "tue", "wed", "thu", "fri", "sat", "sun"],
  methods: ["upi", "card", "stablecoin"],
  on: ["not_executed", "soft_decline", ...softCodes],
  not_on: softCodes,
  sticky_by: [
    "customer.email",
    "customer.phone_country",
    "card.bin",
    "card.network",
    "card.country",
    "card.funding",
    "stablecoin.asset",
    "stablecoin.network",
    "account"
  ]
}

const asKey = (label: string): Completion => ({ label, type: "property", apply: `${label}: ` })
const asValue = (label: string): Completion => ({ label, type: "constant" })

/**
 * What may be written at a place, in the order in which it is offered.
 *
 * @internal Exported for its own test.
 */
export const completionsAt = (place: YamlPlace, vocabulary: Vocabulary): ReadonlyArray<Completion> =>
  place.kind === "value" || (place.kind === "item" && !takesKeys(place.path))
    ? valuesAt(place.path, vocabulary)
    : keysAt(place.path, vocabulary)

const takesKeys = (path: ReadonlyArray<string>): boolean => {
  const last = path.at(-1)
  return last === undefined || last === "rules" || last === "outages" || conditionParents.includes(last)
}

const keysAt = (path: ReadonlyArray<string>, vocabulary: Vocabulary): ReadonlyArray<Completion> => {
  const [above, last] = [path.at(-2), path.at(-1)]
  if (last === undefined) return topKeys.map(asKey)
  if (conditionParents.includes(last)) {
    const metadata: Completion = { label: "metadata.", type: "property" }
    return [...vocabulary.conditions.map(({ name }) => asKey(name)), metadata, ...listKeys.map(asKey)]
  }
  if (last === "split" || last === "fees") return providers(vocabulary, (id) => `${id}: `)
  if (above === "fees") return (methodsOf(vocabulary)[last] ?? []).map(asKey)
  if (path.at(-3) === "fees") return ["percent", "fixed"].map(asKey)
  const condition = conditionOf(vocabulary, last)
  return (condition?.operators ?? keysBelow[last] ?? []).map(asKey)
}

const namesProviders = ["priority", "among", "exclude", "provider"]

const valuesAt = (path: ReadonlyArray<string>, vocabulary: Vocabulary): ReadonlyArray<Completion> => {
  const last = path.at(-1) ?? ""
  if (namesProviders.includes(last)) return providers(vocabulary, (id) => id)
  return (conditionOf(vocabulary, last)?.values ?? valuesOfKey[last] ?? []).map(asValue)
}

const conditionOf = ({ conditions }: Vocabulary, name: string) =>
  conditions.find((each) => each.name === (name.startsWith("metadata.") ? "account" : name))

const methodsOf = (vocabulary: Vocabulary): { readonly [provider: string]: ReadonlyArray<string> } =>
  Object.fromEntries(vocabulary.providers.map(({ id, methods }) => [id, methods]))

const providers = (vocabulary: Vocabulary, apply: (id: string) => string): ReadonlyArray<Completion> =>
  vocabulary.providers.map(({ id, methods, mode }) => ({
    label: id,
    type: "class",
    detail: `${methods.join(", ")} · ${mode}`,
    apply: apply(id)
  }))

const word = /[\w.+-]*/

export const completionSource =
  (vocabulary: () => Vocabulary) =>
  (context: CompletionContext): CompletionResult | null => {
    const typed = context.matchBefore(word)
    if (typed === null || (typed.text === "" && !context.explicit)) return null
    const { doc } = context.state
    const line = doc.lineAt(context.pos)
    const above = (distance: number) => (line.number > distance ? doc.line(line.number - distance).text : null)
    const place = placeAt(line.text.slice(0, typed.from - line.from), above)
    if (place === null) return null
    const options = completionsAt(place, vocabulary())
    return options.length === 0 ? null : { from: typed.from, options: [...options], validFor: /^[\w.+-]*$/ }
  }
