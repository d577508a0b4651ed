/** The routing rules cannot be used. Holds every problem at once, and no value but names. */
import { Schema } from "effect"
import { isName } from "../language/words.ts"
import { looksLikeName } from "./suggestion.ts"

const Problem = Schema.Struct({
  /** Keys and indices from the top of the configuration, as written, for an editor or a YAML file's line and column. */
  path: Schema.Array(Schema.Union([Schema.String, Schema.Number])),
  /** A sentence for people, with the rule's name in it. */
  message: Schema.String,
  /** `key`: what is wrong is the last key of `path`, not what stands under it. */
  at: Schema.optionalKey(Schema.Literal("key"))
})
export type RoutingProblem = typeof Problem.Type

export class RoutingInvalid extends Schema.TaggedError<RoutingInvalid>()("RoutingInvalid", {
  problems: Schema.Array(Problem)
}) {
  override get message(): string {
    return `The routing rules are not valid:${this.problems.map(({ message }) => `\n- ${message}`).join("")}`
  }
}

export type Path = RoutingProblem["path"]

/** A problem at a place: ``rule "domestic cards": `choose.split` must …``. */
export const problemAt = (config: unknown, path: Path, predicate: string): RoutingProblem => {
  const { inside, subject } = placeOf(config, path)
  const place = inside.length === 0 ? predicate : `\`${pathText(inside)}\` ${predicate}`
  return { path, message: subject === "" ? place : `${subject}: ${place}` }
}

/** A problem with a whole sentence of its own. */
export const problemIn = (config: unknown, path: Path, sentence: string): RoutingProblem => {
  const { subject } = placeOf(config, path)
  return { path, message: subject === "" ? sentence : `${subject}: ${sentence}` }
}

/** The same problem, shown at the last key of its path. */
export const atKey = (problem: RoutingProblem): RoutingProblem => ({ ...problem, at: "key" })

const placeOf = (config: unknown, path: Path): { readonly subject: string; readonly inside: Path } => {
  const [top, index] = path
  if (top === "rules" && typeof index === "number") {
    return { subject: `rule ${ruleText(config, index)}`, inside: path.slice(2) }
  }
  if (top === "default" && path.length > 1) return { subject: "default", inside: path.slice(1) }
  return path.length === 0 ? { subject: "the routing configuration", inside: [] } : { subject: "", inside: path }
}

/** A rule's name in quotes. One that is no name is not shown, and the rule is then counted: the first is 1. */
export const ruleText = (config: unknown, index: number): string => {
  const name = valueAt(config, ["rules", index, "name"])
  return isName(name) ? `"${name}"` : String(index + 1)
}

/** What stands at a place of a plain JSON value, or `undefined`. */
export const valueAt = (root: unknown, path: Path): unknown =>
  path.reduce<unknown>((value, key) => {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return undefined
    const member: unknown = Reflect.get(value, key)
    return member
  }, root)

const pathText = (path: Path): string =>
  path.map((key, i) => (typeof key === "number" ? `[${key}]` : `${i === 0 ? "" : "."}${keyText(key)}`)).join("")

const keyText = (key: string): string => {
  const own = key.startsWith(METADATA) ? key.slice(METADATA.length) : key
  return looksLikeName(own) ? key : `${key.slice(0, key.length - own.length)}…`
}

const METADATA = "metadata."
