/**
 * The text of a rules file, YAML or JSON, as a plain value, and where each part of it stands.
 *
 * Duplicate keys, several documents, tags, keys that are no text, tabs as indentation, aliases that stand for too much
 * and more than 64 levels are refused, with their line and column. Whether the value is a set of rules is not asked
 * here: `@paymux/core` checks it, and `locate` says where its problems are.
 *
 * @example
 * ```ts
 * const read = readRules("version: 1\ndefault: { priority: [acme] }\n", "routing.yaml")
 * if (Result.isSuccess(read)) read.success.locate({ path: ["default", "priority", 0] }) // => { line: 2, column: 23 }
 * ```
 */
import type { RoutingInvalid } from "@paymux/routing"
import { Result } from "effect"
import { jsonTree } from "./jsonTree.ts"
import { positions } from "./Lines.ts"
import type { Position } from "./Lines.ts"
import type { RulesFault } from "./RulesFault.ts"
import { placeOf, plain } from "./RulesTree.ts"
import type { RulesTree } from "./RulesTree.ts"
import { yamlTree } from "./yamlTree.ts"

type RoutingProblem = RoutingInvalid["problems"][number]

export interface RulesDocument {
  /** A JSON value. `__proto__` is a key like any other. */
  readonly config: unknown
  /**
   * A value at its own start; a mapping, a list and an unknown key at the key, or at the start of the item; what is
   * missing at what it is missing from.
   */
  readonly locate: (problem: Pick<RoutingProblem, "path" | "at">) => Position
}

/** `position`: `null` where it is the file as a whole. The message follows the name of the place. */
export interface PlacedFault {
  readonly position: Position | null
  readonly message: string
}

export const readRules = (text: string, file: string): Result.Result<RulesDocument, ReadonlyArray<PlacedFault>> => {
  const read = readerOf(file)
  if (read === null)
    return Result.fail([{ position: null, message: "is not supported: rules are in .yaml, .yml or .json" }])
  const content = text.startsWith("\uFEFF") ? text.slice(1) : text
  const tree = read(content)
  const find = positions(content)
  if (Result.isFailure(tree)) {
    return Result.fail(tree.failure.map(({ at, message }) => ({ position: find(at), message })))
  }
  const root = tree.success
  if (root === null) {
    return Result.fail([{ position: null, message: "is empty: rules have at least `version: 1` and a `default`" }])
  }
  return Result.succeed({
    config: plain(root),
    locate: ({ at, path }) => find(placeOf(root, path, at ?? "value"))
  })
}

type Reader = (text: string) => Result.Result<RulesTree | null, ReadonlyArray<RulesFault>>

const readerOf = (file: string): Reader | null => {
  if (/\.ya?ml$/i.test(file)) return yamlTree
  return /\.json$/i.test(file) ? jsonTree : null
}
