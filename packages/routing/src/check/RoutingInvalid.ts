/**
 * The error of invalid routing rules, with a list of all problems. Names are the only values of the configuration that
 * it contains.
 */
import { Schema } from "effect"
import { isName } from "../language/words.ts"
import { looksLikeName } from "./suggestion.ts"

const Problem = Schema.Struct({
  /**
   * The path of the problem: keys and indices from the top of the configuration, to find the line and column in its
   * file.
   */
  path: Schema.Array(Schema.Union([Schema.String, Schema.Number])),
  /** The problem as a sentence that contains the name of the rule. */
  message: Schema.String,
  /** The part that the problem is about: `key` if the last key of `path` is invalid, rather than its value. */
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

/** Creates a problem whose sentence begins with its location: ``rule "domestic cards": `choose.split` must …``. */
export const problemAt = (config: unknown, path: Path, predicate: string): RoutingProblem => {
  const { inside, subject } = placeOf(config, path)
  const place = inside.length === 0 ? predicate : `\`${pathText(inside)}\` ${predicate}`
  return { path, message: subject === "" ? place : `${subject}: ${place}` }
}

/** Creates a problem from a complete sentence. */
export const problemIn = (config: unknown, path: Path, sentence: string): RoutingProblem => {
  const { subject } = placeOf(config, path)
  return { path, message: subject === "" ? sentence : `${subject}: ${sentence}` }
}

/** Moves the location of a problem from the value at its path to the key. */
export const atKey = (problem: RoutingProblem): RoutingProblem => ({ ...problem, at: "key" })

const placeOf = (config: unknown, path: Path): { readonly subject: string; readonly inside: Path } => {
  const [top, index] = path
  if (top === "rules" && typeof index === "number") {
    return { subject: `rule ${ruleText(config, index)}`, inside: path.slice(2) }
  }
  if (top === "default" && path.length > 1) return { subject: "default", inside: path.slice(1) }
  return path.length === 0 ? { subject: "the routing configuration", inside: [] } : { subject: "", inside: path }
}

/** The rule's name in quotes. If the name is invalid, the rule's number, starting at 1. */
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
