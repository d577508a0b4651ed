/**
 * YAML 1.2 (core schema) as a tree with places. What JSON cannot say is refused: tags, keys that are no text, `.nan`,
 * several documents. No value of the file is in a message.
 */
import { Result } from "effect"
import { Composer, isAlias, isMap, isScalar, isSeq, Lexer, Parser } from "yaml"
import type { CST, Document, Pair, YAMLMap, YAMLSeq } from "yaml"
import { positions } from "./Lines.ts"
import type { RulesFault } from "./RulesFault.ts"
import { DEEPEST, isParted, PARTED, TOO_DEEP } from "./RulesTree.ts"
import type { RulesPart, RulesTree } from "./RulesTree.ts"
import { NO_SPACE, yamlFault } from "./yamlFault.ts"

/** `null`: there is nothing in it but white space and comments. */
export const yamlTree = (text: string): Result.Result<RulesTree | null, ReadonlyArray<RulesFault>> => {
  const control = text.search(CONTROL)
  if (control >= 0) return Result.fail([{ at: control, message: "a control character cannot stand here" }])
  const tokens = tokensOf(text)
  if (!Array.isArray(tokens)) return Result.fail([tokens])
  const [document, another] = firstTwo(new Composer(settings).compose(tokens, true, text.length))
  if (document === undefined) return Result.succeed(null)
  const faults = documentFaults(document, text)
  if (faults.length > 0) return Result.fail(faults)
  if (another !== undefined) {
    const at = tokens.filter(({ type }) => type === "document")[1]?.offset ?? 0
    return Result.fail([{ at, message: "a second document begins here; a file has one" }])
  }
  return treeOf(document, text)
}

/** Duplicate keys are looked for here: the parser compares each key of a mapping with all others. */
const settings = { version: "1.2", schema: "core", strict: true, uniqueKeys: false, prettyErrors: false } as const

// oxlint-disable-next-line no-control-regex -- it is these characters that YAML refuses
const CONTROL = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F]/

/** Stops at what is too deep: composing it would exhaust the stack. */
const tokensOf = (text: string): Array<CST.Token> | RulesFault => {
  const parser = new Parser()
  const tokens: Array<CST.Token> = []
  for (const lexeme of new Lexer().lex(text)) {
    for (const token of parser.next(lexeme)) tokens.push(token)
    if (parser.stack.length > DEEPEST + 1 && collectionsIn(parser.stack) > DEEPEST) {
      return { at: Math.max(0, parser.offset - 1), message: TOO_DEEP }
    }
  }
  for (const token of parser.end()) tokens.push(token)
  return tokens
}

const collectionsIn = (stack: ReadonlyArray<CST.Token>): number =>
  stack.filter(({ type }) => type === "block-map" || type === "block-seq" || type === "flow-collection").length

const firstTwo = <A>(all: Iterable<A>): ReadonlyArray<A> => {
  const taken: Array<A> = []
  for (const each of all) {
    taken.push(each)
    if (taken.length === 2) break
  }
  return taken
}

/** One for each line: what else is wrong in it mostly follows from the first. */
const documentFaults = ({ directives, errors, warnings }: Document, text: string): ReadonlyArray<RulesFault> => {
  const find = positions(text)
  const byLine = new Map<number, RulesFault>()
  const add = (fault: RulesFault) => {
    const { line } = find(fault.at)
    if (!byLine.has(line)) byLine.set(line, fault)
  }
  for (const error of errors) add(yamlFault(error))
  // A tag that is not resolved is refused with all others, where it stands.
  for (const warning of warnings) if (warning.code !== "TAG_RESOLVE_FAILED") add(yamlFault(warning))
  if (directives?.yaml.explicit === true && directives.yaml.version !== "1.2") {
    add({ at: Math.max(0, text.search(/^%YAML/m)), message: "the rules are YAML 1.2, and no other version" })
  }
  return [...byLine.values()]
}

interface Measured {
  readonly tree: RulesTree
  /** Values in it, each alias counted as all that it stands for. */
  readonly size: number
  readonly depth: number
}

/** Aliases may stand for so many values at most: nine lines of them can stand for a billion. */
const MOST_ALIASED = 100_000

const nothing: Measured = { tree: { _tag: "Value", value: null }, size: 1, depth: 0 }

const treeOf = (document: Document, text: string): Result.Result<RulesTree | null, ReadonlyArray<RulesFault>> => {
  const faults: Array<RulesFault> = []
  const anchored = new Map<string, Measured>()
  /** Anchors of what is being read: an alias of one of them would have no end. */
  const open = new Set<string>()
  let aliased = 0
  const refuse = (at: number, message: string): Measured => {
    faults.push({ at, message })
    return nothing
  }

  const read = (node: unknown, depth: number): Measured => {
    if (isAlias(node)) return aliasOf(node.source, startOf(node), depth)
    if (!isMap(node) && !isSeq(node) && !isScalar(node)) return nothing
    if (node.tag !== undefined) return refuse(tagAt(text, startOf(node)), "tags are not supported")
    const { anchor } = node
    if (anchor === undefined) return contentOf(node, depth)
    open.add(anchor)
    const measured = contentOf(node, depth)
    open.delete(anchor)
    anchored.set(anchor, measured)
    return measured
  }

  const contentOf = (node: unknown, depth: number): Measured => {
    if (isMap(node)) return mappingOf(node, depth + 1)
    if (isSeq(node)) return listOf(node, depth + 1)
    if (!isScalar(node)) return nothing
    return typeof node.value === "number" && isParted(node.source ?? "")
      ? refuse(startOf(node), PARTED)
      : valueOf(node.value, startOf(node))
  }

  const valueOf = (value: unknown, at: number): Measured => {
    if (typeof value === "number" && !Number.isFinite(value)) return refuse(at, "must be a finite number")
    if (typeof value === "string" || typeof value === "number" || typeof value === "boolean" || value === null) {
      return { tree: { _tag: "Value", value }, size: 1, depth: 0 }
    }
    return refuse(at, "must be text, a number, true, false or null")
  }

  const aliasOf = (name: string, at: number, depth: number): Measured => {
    if (open.has(name)) return refuse(at, "this alias is inside of what it stands for")
    const measured = anchored.get(name)
    if (measured === undefined) return refuse(at, "there is no anchor of this name above")
    if (depth + measured.depth > DEEPEST) return refuse(at, TOO_DEEP)
    aliased += measured.size
    return aliased > MOST_ALIASED && aliased - measured.size <= MOST_ALIASED
      ? refuse(at, `the aliases up to here stand for more than ${MOST_ALIASED} values`)
      : measured
  }

  const mappingOf = (node: YAMLMap, depth: number): Measured => {
    const entries = new Map<string, RulesPart>()
    let size = 1
    let deepest = 0
    for (const pair of node.items) {
      const { at, key } = keyOf(pair)
      const value = read(pair.value, depth)
      size += value.size
      deepest = Math.max(deepest, value.depth)
      if (key === null) continue
      if (entries.has(key)) refuse(at, "this key is in the mapping twice")
      entries.set(key, { at, valueAt: pair.value === null ? at : startOf(pair.value), tree: value.tree })
    }
    return { tree: { _tag: "Mapping", entries }, size, depth: deepest + 1 }
  }

  const keyOf = ({ key, value }: Pair): { readonly at: number; readonly key: string | null } => {
    const at = startOf(key ?? value)
    const alone = value === null ? aloneFault(key) : null
    if (alone !== null) {
      refuse(at, alone)
      return { at, key: null }
    }
    if (!isScalar(key) || key.tag !== undefined || typeof key.value !== "string") {
      refuse(at, isScalar(key) && key.tag === undefined ? "a key must be text: put it in quotes" : "a key must be text")
      return { at, key: null }
    }
    if (key.value === "<<" && key.type === "PLAIN") {
      refuse(at, "there are no merge keys in YAML 1.2: write out what `<<` stands for")
      return { at, key: null }
    }
    if (key.anchor !== undefined) anchored.set(key.anchor, valueOf(key.value, at))
    return { at, key: key.value }
  }

  const listOf = (node: YAMLSeq, depth: number): Measured => {
    const items: Array<RulesPart> = []
    let size = 1
    let deepest = 0
    for (const item of node.items) {
      const measured = read(item, depth)
      const at = startOf(item)
      size += measured.size
      deepest = Math.max(deepest, measured.depth)
      items.push({ at, valueAt: at, tree: measured.tree })
    }
    return { tree: { _tag: "List", items }, size, depth: deepest + 1 }
  }

  const { tree } = read(document.contents, 0)
  if (faults.length > 0) return Result.fail(faults)
  return Result.succeed(tree._tag === "Value" && tree.value === null ? null : tree)
}

/** What stands in braces without a value was often meant as one. */
const aloneFault = (key: unknown): string | null => {
  if (!isScalar(key) || key.type !== "PLAIN") return null
  if (typeof key.value === "number") return COMMA
  return typeof key.value === "string" && key.value.includes(":") ? NO_SPACE : null
}

const COMMA = "a comma begins the next entry: decimals have a point, as in 2.9, and thousands no mark"

/** Where a node begins, its anchor and tag not counted. */
const startOf = (node: unknown): number =>
  isAlias(node) || isMap(node) || isSeq(node) || isScalar(node) ? (node.range?.[0] ?? 0) : 0

/** The tag stands before its value, and an anchor may stand between. */
const tagAt = (text: string, valueAt: number): number => {
  let at = Math.max(0, text.lastIndexOf("!", valueAt))
  while (at > 0 && !/[\s[{,]/.test(text.charAt(at - 1))) at--
  return at
}
