/** The error of invalid routing rules, with all their problems. It contains no values except names. */
import { Schema } from "effect"
import { isName } from "../language/words.ts"
import { looksLikeName } from "./suggestion.ts"

const Problem = Schema.Struct({
  /** Keys and indices from the top of the configuration, for finding the line and column in its file. */
  path: Schema.Array(Schema.Union([Schema.String, Schema.Number])),
  /** A sentence with the name of the rule. */
  message: Schema.String,
  /** `key`: the last key of `path` is the problem, not its value. */
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

/** A problem with a complete sentence. */
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

/** A rule's name in quotes. If the name is invalid, the rule's number, starting at 1. */
export const ruleText = (config: unknown, index: number): string => {
  const name = valueAt(config, ["rules", index, "name"])
  return isName(name) ? `"${name}"` : String(index + 1)
}

/** The value at a path of a plain JSON value, or `undefined`. */
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
