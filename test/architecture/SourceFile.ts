/** One source file, as the architecture test sees it: what it imports, how long it is, and what it should not say. */
import { parseSync } from "vite"

export interface SourceFile {
  /** From the root of the repository. */
  readonly path: string
  readonly lines: number
  readonly imports: ReadonlyArray<Import>
  readonly findings: ReadonlyArray<Finding>
}

export interface Import {
  readonly specifier: string
  /** What is taken from it by name, before it is renamed. */
  readonly names: ReadonlyArray<string>
  readonly line: number
}

export type FindingKind = "any" | "non-null" | "ts-comment" | "clock" | "random" | "short-limit" | "bare-generator"

interface Finding {
  readonly kind: FindingKind
  readonly line: number
}

/** Reads the syntax tree: what stands in comments and strings is neither an import nor a finding. */
export const sourceFile = (path: string, text: string): SourceFile => {
  const { comments, errors, program } = parseSync(path, text)
  if (errors.length > 0) throw new Error(`${path} cannot be parsed: ${errors.map(({ message }) => message).join("; ")}`)
  const lineAt = (offset: number) => text.slice(0, offset).split("\n").length
  const imports: Array<Import> = []
  const findings: Array<Finding> = comments
    .filter(({ value }) => /^[\s*/]*@ts-(?:ignore|nocheck|expect-error)/m.test(value))
    .map(({ start }) => ({ kind: "ts-comment", line: lineAt(start) }))
  const wrapped = new Set<unknown>()
  walk(program, (node) => {
    if (isOfEffect(node)) for (const argument of [node["arguments"]].flat()) wrapped.add(argument)
    const imported = importOf(node)
    const kind = !wrapped.has(node) && isBareGenerator(node) ? "bare-generator" : findingOf(node)
    if (imported !== null) imports.push({ ...imported, line: lineAt(node.start) })
    if (kind !== null) findings.push({ kind, line: lineAt(node.start) })
  })
  return { path, lines: text.replace(/\n$/, "").split("\n").length, imports, findings }
}

interface Node {
  readonly type: string
  readonly start: number
  readonly [key: string]: unknown
}

const isNode = (value: unknown): value is Node =>
  typeof value === "object" && value !== null && "type" in value && "start" in value

const walk = (value: unknown, visit: (node: Node) => void): void => {
  if (Array.isArray(value)) for (const item of value) walk(item, visit)
  else if (isNode(value)) {
    visit(value)
    for (const child of Object.values(value)) if (typeof child === "object" && child !== null) walk(child, visit)
  }
}

const importOf = (node: Node): Omit<Import, "line"> | null => {
  switch (node.type) {
    case "ImportDeclaration":
    case "ExportNamedDeclaration":
    case "ExportAllDeclaration":
    case "ImportExpression":
    case "TSImportType":
      return named(node["source"], node["specifiers"])
    case "CallExpression":
      return isRequire(node["callee"]) ? named([node["arguments"]].flat()[0], []) : null
    default:
      return null
  }
}

/** `require(…)`, or `require.resolve(…)` of a file that is read without being loaded as a module. */
const isRequire = (callee: unknown): boolean =>
  isName(callee, "require") ||
  (isNode(callee) && isName(callee["object"], "require") && isName(callee["property"], "resolve"))

/** An address that is computed at run time is no import of the house. */
const named = (source: unknown, specifiers: unknown): Omit<Import, "line"> | null =>
  isNode(source) && typeof source["value"] === "string"
    ? { specifier: source["value"], names: Array.isArray(specifiers) ? specifiers.flatMap(nameOf) : [] }
    : null

const nameOf = (specifier: unknown): ReadonlyArray<string> => {
  if (!isNode(specifier)) return []
  if (specifier.type === "ImportNamespaceSpecifier") return ["*"]
  const name = specifier.type === "ExportSpecifier" ? specifier["local"] : specifier["imported"]
  return isNode(name) && typeof name["name"] === "string" ? [name["name"]] : []
}

const findingOf = (node: Node): FindingKind | null => {
  switch (node.type) {
    case "TSAnyKeyword":
      return "any"
    case "TSNonNullExpression":
      return "non-null"
    case "VariableDeclarator":
    case "PropertyDefinition":
      return node["definite"] === true ? "non-null" : null
    case "ArrowFunctionExpression":
    case "TSFunctionType":
    case "TSMethodSignature":
      return returnsSteps(node) ? "bare-generator" : null
    case "MemberExpression":
      if (isMember(node, "Date", "now") || isMember(node, "performance", "now")) return "clock"
      return isMember(node, "Math", "random") ? "random" : null
    case "NewExpression":
      return isName(node["callee"], "Date") && [node["arguments"]].flat().length === 0 ? "clock" : null
    case "CallExpression":
      if (isName(node["callee"], "Date")) return "clock"
      return isOfVitest(node["callee"]) && [node["arguments"]].flat().some(isShortLimit) ? "short-limit" : null
    default:
      return null
  }
}

/** A call of `Effect.gen`, `Effect.fnUntraced`, `Effect.fn` or `Effect.fn(…)`, whose generators become effects. */
const isOfEffect = ({ callee, type }: Node): boolean =>
  type === "CallExpression" &&
  isNode(callee) &&
  (isOfEffect(callee) ||
    (isName(callee["object"], "Effect") &&
      ["gen", "fn", "fnUntraced"].some((name) => isName(callee["property"], name))))

/** A generator that may be one of Effect's steps: it has no return type, or one of steps. A generator of values has its type. */
const isBareGenerator = (node: Node): boolean =>
  (node.type === "FunctionExpression" || node.type === "FunctionDeclaration") &&
  node["generator"] === true &&
  node["async"] !== true &&
  (!isNode(node["returnType"]) || returnsSteps(node))

/** Whether the annotated return type is `Effect.fn.Return`. */
const returnsSteps = ({ returnType }: Node): boolean => {
  const type = isNode(returnType) ? returnType["typeAnnotation"] : null
  const name = isNode(type) ? type["typeName"] : null
  if (!isNode(name) || !isName(name["right"], "Return")) return false
  return isNode(name["left"]) && isName(name["left"]["left"], "Effect") && isName(name["left"]["right"], "fn")
}

const ofVitest = ["it", "test", "describe", "beforeAll", "afterAll", "beforeEach", "afterEach"]

/** `it(…)`, `it.live(…)`, `describe.skipIf(…)(…)`. */
const isOfVitest = (callee: unknown): boolean =>
  isNode(callee) &&
  (ofVitest.some((name) => isName(callee, name)) || isOfVitest(callee["callee"]) || isOfVitest(callee["object"]))

/** Milliseconds under the ten minutes that CI gives to each test. */
const isShortLimit = (argument: unknown): boolean => {
  if (!isNode(argument)) return false
  if (argument.type === "ObjectExpression") {
    return [argument["properties"]]
      .flat()
      .some((each) => isNode(each) && isName(each["key"], "timeout") && isShortLimit(each["value"]))
  }
  return typeof argument["value"] === "number" && argument["value"] < 600_000
}

const isName = (node: unknown, name: string): boolean =>
  isNode(node) && node.type === "Identifier" && node["name"] === name

/** `Date.now`, `Date["now"]` and `globalThis.Date.now` alike. */
const isMember = ({ object, property }: Node, owner: string, name: string): boolean =>
  (isName(object, owner) ||
    (isNode(object) && object.type === "MemberExpression" && isName(object["property"], owner))) &&
  (isName(property, name) || (isNode(property) && property["value"] === name))
