/**
 * Converts Schema issues to sentences for a payments team. Misspelt words are the only values that the sentences
 * contain.
 */
import type { SchemaAST, SchemaIssue } from "effect"
import { atKey, problemAt, valueAt } from "./RoutingInvalid.ts"
import type { Path, RoutingProblem } from "./RoutingInvalid.ts"
import { shown, suggestion } from "./suggestion.ts"

export const shapeProblems = (
  config: unknown,
  issue: SchemaIssue.Issue,
  path: Path = []
): ReadonlyArray<RoutingProblem> => {
  const inside = (inner: SchemaIssue.Issue) => shapeProblems(config, inner, path)
  const at = (predicate: string) => [problemAt(config, path, predicate)]
  switch (issue._tag) {
    case "Pointer":
      return shapeProblems(config, issue.issue, [...path, ...issue.path.map(plainKey)])
    case "Composite":
      return issue.issues.flatMap(inside)
    case "Encoding":
      return inside(issue.issue)
    case "AnyOf":
      return anyOfProblems(config, issue, path)
    case "Filter":
      return at(issue.filter.annotations?.message ?? "is not valid")
    case "MissingKey":
      return at("is missing")
    case "UnexpectedKey":
      return at(`is not known${suggestion(lastKey(path), keysOf(issue.ast))}`).map(atKey)
    case "InvalidType":
      return at(expectation(issue.ast, valueAt(config, path)))
    case "InvalidValue":
    case "Forbidden":
    case "OneOf":
      return at("is not valid")
  }
}

/**
 * Reports a value that matches no member of a union. If one member fits the type of the value, its problems are
 * reported; otherwise the alternatives are listed.
 */
const anyOfProblems = (config: unknown, issue: SchemaIssue.AnyOf, path: Path): ReadonlyArray<RoutingProblem> => {
  const value = valueAt(config, path)
  const [first, ...more] = issue.issues
  if (first === undefined) return [problemAt(config, path, expectation(issue.ast, value))]
  if (more.length === 0) return shapeProblems(config, first, path)

  // Each member of this union is one mapping that `choose` allows. The members are distinguished by their first key.
  const members = issue.issues.map((member) => ({ member, key: "ast" in member ? keysOf(member.ast)[0] : undefined }))
  const present = members.filter(({ key }) => key !== undefined && valueAt(value, [key]) !== undefined)
  const [chosen, ...others] = present
  const keys = members.flatMap(({ key }) => key ?? [])
  if (keys.length === 0) return [problemAt(config, path, expectation(issue.ast, value))]
  const listed = keys.map((key) => `\`${key}\``).join(", ")
  if (chosen === undefined) {
    const given = typeof value === "object" && value !== null ? Object.keys(value) : []
    const hint = given.map((key) => suggestion(key, keys)).find((text) => text !== "") ?? ""
    return [problemAt(config, path, `must have one of ${listed}${hint}`)]
  }
  return others.length === 0
    ? shapeProblems(config, chosen.member, path)
    : [problemAt(config, path, `must have only one of ${listed}`)]
}

/** Describes the expected values. The Schema annotation `refusals` explains why certain other words are not allowed. */
const expectation = (ast: SchemaAST.AST, value: unknown): string => {
  const words = literalsOf(ast)
  if (words.length === 0) return `must be ${[...new Set(kindsOf(ast))].join(" or ")}`
  const listed = `must be ${words.length === 1 ? "" : "one of "}${words.join(", ")}`
  if (typeof value !== "string") return listed
  const refusal = valueAt(ast.annotations, ["refusals", value])
  if (typeof refusal === "string") return `${listed}: ${refusal}`
  return words.includes(value) ? `${listed}, and not text` : `${listed}, not ${shown(value)}${suggestion(value, words)}`
}

/** The text by which messages name the keys of metadata, the only template literal in the rules language. */
const METADATA = "metadata.<key>"

const literalsOf = (ast: SchemaAST.AST): ReadonlyArray<string> => {
  if (ast._tag === "Union") return ast.types.flatMap(literalsOf)
  if (ast._tag === "TemplateLiteral") return [METADATA]
  return ast._tag === "Literal" ? [String(ast.literal)] : []
}

const kindsOf = (ast: SchemaAST.AST): ReadonlyArray<string> => {
  switch (ast._tag) {
    case "Union":
      return ast.types.flatMap(kindsOf)
    case "Suspend":
      return kindsOf(ast.thunk())
    case "String":
    case "TemplateLiteral":
      return ["text"]
    case "Number":
      return ["a number"]
    case "Boolean":
      return ["true or false"]
    case "Arrays":
      return ["a list"]
    case "Objects":
      return ["a mapping"]
    default:
      return ["something else"]
  }
}

const keysOf = (ast: SchemaAST.AST): ReadonlyArray<string> =>
  ast._tag === "Objects" ? ast.propertySignatures.map(({ name }) => String(name)) : []

const lastKey = (path: Path): string => String(path.at(-1) ?? "")

const plainKey = (key: PropertyKey): string | number => (typeof key === "symbol" ? String(key) : key)
