/**
 * The places of a source file at which Stryker may make mutants, each named by the function that it is in. Only names and
 * texts identify a place, so it keeps its identity when its function or its file moves.
 */
import { parseSync } from "oxc-parser"

export interface Place {
  readonly path: string
  /** From the outermost name in: `Endpoints.rotate`. Functions without a name belong to the one around them. */
  readonly name: string
  /** Its number among the places of all functions of this name in the file, in the order of the source. */
  readonly index: number
  readonly text: string
  readonly location: Location
  /** Runs only while the module loads. */
  readonly isStatic: boolean
}

/** Lines and columns count from 1; the end is exclusive. */
interface Location {
  readonly start: Position
  readonly end: Position
}

export interface Position {
  readonly line: number
  readonly column: number
}

export const placesOf = (path: string, text: string): ReadonlyArray<Place> => {
  const { errors, program } = parseSync(path, text)
  if (errors.length > 0) throw new Error(`${path} cannot be parsed: ${errors.map(({ message }) => message).join("; ")}`)
  const positionAt = positions(text)
  const counts = new Map<string, number>()
  return [...found(program)].map(({ isStatic, name, node }) => {
    const index = counts.get(name) ?? 0
    counts.set(name, index + 1)
    const location = { start: positionAt(node.start), end: positionAt(node.end) }
    return { path, name, index, text: text.slice(node.start, node.end), location, isStatic }
  })
}

/** `packages/core/src/domain/Payment.ts:10:4-10:22`. */
export const placeId = ({ location: { end, start }, path }: Pick<Place, "path" | "location">): string =>
  `${path}:${start.line}:${start.column}-${end.line}:${end.column}`

const positions = (text: string): ((offset: number) => Position) => {
  const starts = [0]
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) starts.push(at + 1)
  return (offset) => {
    const line = starts.findLastIndex((start) => start <= offset)
    return { line: line + 1, column: offset - (starts[line] ?? 0) + 1 }
  }
}

interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly [key: string]: unknown
}

interface Found {
  readonly node: Node
  readonly name: string
  readonly isStatic: boolean
}

/** Where the walk stands. */
interface Scope {
  readonly names: ReadonlyArray<string>
  readonly isStatic: boolean
  /** The node around, and its member that the walk is in. */
  readonly parent: Node | null
  readonly member: string
}

function* found(value: unknown, scope: Scope = outermost): Generator<Found> {
  if (Array.isArray(value)) for (const item of value) yield* found(item, scope)
  if (!isNode(value)) return
  // Types have no mutants; an expression with a type, as in `x as T`, may.
  if (value.type.startsWith("TS")) return yield* found(value["expression"], scope)
  const name = nameOf(value, scope)
  const names = name === null ? scope.names : [...scope.names, name]
  const isStatic = scope.isStatic && !isRunLater(value)
  if (isMutable(value, scope)) yield { node: value, name: names.join("."), isStatic }
  for (const [member, child] of Object.entries(value)) yield* found(child, { names, isStatic, parent: value, member })
}

const outermost: Scope = { names: [], isStatic: true, parent: null, member: "" }

const isNode = (value: unknown): value is Node =>
  typeof value === "object" && value !== null && "type" in value && "start" in value

const isFunction = (value: unknown): boolean =>
  isNode(value) && ["ArrowFunctionExpression", "FunctionExpression", "FunctionDeclaration"].includes(value.type)

const isRunLater = (node: Node): boolean =>
  isFunction(node) || (node.type === "PropertyDefinition" && node["static"] === false)

const nameOf = (node: Node, { isStatic }: Scope): string | null => {
  switch (node.type) {
    case "FunctionDeclaration":
    case "ClassDeclaration":
      return text(node["id"])
    case "VariableDeclarator":
      return isStatic || isFunction(node["init"]) ? text(node["id"]) : null
    case "MethodDefinition":
    case "PropertyDefinition":
      return text(node["key"])
    case "Property":
      return isFunction(node["value"]) ? text(node["key"]) : null
    default:
      return null
  }
}

/** Of an identifier, a private name or a literal. */
const text = (key: unknown): string | null => {
  if (!isNode(key)) return null
  const name = key["name"] ?? key["value"]
  return typeof name === "string" ? name : null
}

/** Whether Stryker has a mutator for such a node. A few for which it has none do no harm: they are left out later. */
const isMutable = (node: Node, { member, parent }: Scope): boolean => {
  if (member === "test" && parent !== null && conditions.has(parent.type)) return true
  switch (node.type) {
    case "LogicalExpression":
    case "UpdateExpression":
      return true
    case "BinaryExpression":
      return /^([-+*/%]|[<>]=?|[!=]==?)$/.test(String(node["operator"]))
    case "UnaryExpression":
      return /^[-!+~]$/.test(String(node["operator"]))
    case "AssignmentExpression":
      return node["operator"] !== "="
    case "ArrayExpression":
      return true
    case "ObjectExpression":
      return !isEmpty(node["properties"])
    case "BlockStatement":
      return !isEmpty(node["body"])
    case "SwitchCase":
      return !isEmpty(node["consequent"])
    case "ArrowFunctionExpression":
      return isNode(node["body"]) && node["body"].type !== "BlockStatement"
    case "TemplateLiteral":
      return true
    case "Literal":
      return typeof node["value"] === "boolean" || "regex" in node || isMutableString(node, member, parent)
    case "ExpressionStatement":
      return isRemovable(node["expression"])
    case "ThrowStatement":
      return isNode(node["argument"]) && node["argument"].type === "NewExpression"
    case "MemberExpression":
      return node["optional"] === true
    case "CallExpression":
      return node["optional"] === true || isMutableCall(node["callee"])
    default:
      return false
  }
}

const conditions: ReadonlySet<string> = new Set(["IfStatement", "ForStatement", "WhileStatement", "DoWhileStatement"])

const isEmpty = (list: unknown): boolean => Array.isArray(list) && list.length === 0

/** Not the path of an import, a key, or a directive. */
const isMutableString = (node: Node, member: string, parent: Node | null): boolean =>
  typeof node["value"] === "string" &&
  member !== "key" &&
  parent !== null &&
  !/^(Import|Export|ExpressionStatement)/.test(parent.type)

/** A call alone in its statement, unless it is a place of its own. */
const isRemovable = (expression: unknown): boolean =>
  isNode(expression) &&
  expression.type === "CallExpression" &&
  !(isNode(expression["callee"]) && expression["callee"].type === "Super") &&
  expression["optional"] !== true &&
  !isMutableCall(expression["callee"])

const isMutableCall = (callee: unknown): boolean => {
  if (!isNode(callee) || callee.type !== "MemberExpression" || callee["computed"] === true) return false
  return methods.test(text(callee["property"]) ?? "")
}

const methods =
  /^(charAt|(ends|starts)With|every|some|filter|reverse|slice|sort|substr(ing)?|to(Locale)?(Lower|Upper)Case|trim(End|Start)?|min|max|set(UTC)?(Date|Time|FullYear|Month|Hours|Minutes|Seconds|Milliseconds))$/
