/**
 * Rules in JSON, in parts that take less than a ms to read: a thread that serves payments reads one part, and then does
 * other work.
 */
import { Effect } from "effect"

export interface RulesJson {
  /** All of the rules. */
  readonly whole: string
  /** The same without the items of `rules`, if there are any. */
  readonly frame: string
  /** The items of `rules`: each part is a JSON array of some of them. */
  readonly parts: ReadonlyArray<string>
}

/** `config`: a JSON value. */
export const toRulesJson = (config: unknown): RulesJson => {
  const whole = JSON.stringify(config)
  return hasRules(config)
    ? { whole, frame: JSON.stringify({ ...config, rules: [] }), parts: partsOf(config.rules) }
    : { whole, frame: whole, parts: [] }
}

/** The JSON value of which `toRulesJson` made the parts. */
export const readRulesJson = Effect.fnUntraced(function* ({ frame, parts }: Pick<RulesJson, "frame" | "parts">) {
  const around: unknown = JSON.parse(frame)
  if (!hasRules(around)) return around
  const rules: Array<unknown> = []
  for (const part of parts) {
    const some: ReadonlyArray<unknown> = JSON.parse(part)
    for (const rule of some) rules.push(rule)
    yield* Effect.yieldNow
  }
  return { ...around, rules }
})

const hasRules = (config: unknown): config is { readonly rules: ReadonlyArray<unknown> } =>
  typeof config === "object" && config !== null && "rules" in config && Array.isArray(config.rules)

/** Characters. */
const PART = 65_536

const partsOf = (rules: ReadonlyArray<unknown>): ReadonlyArray<string> => {
  const parts: Array<string> = []
  let items: Array<string> = []
  let length = 0
  const close = () => {
    if (items.length > 0) parts.push(`[${items.join()}]`)
    items = []
    length = 0
  }
  for (const rule of rules) {
    const item = JSON.stringify(rule)
    items.push(item)
    length += item.length
    if (length >= PART) close()
  }
  close()
  return parts
}
