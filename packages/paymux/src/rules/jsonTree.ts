/** JSON (RFC 8259) as a tree with places. No value of the file is in a message. */
import { Result } from "effect"
import type { RulesFault } from "./RulesFault.ts"
import { DEEPEST, isParted, PARTED, TOO_DEEP } from "./RulesTree.ts"
import type { RulesPart, RulesTree } from "./RulesTree.ts"

/** `null`: there is nothing in it, or `null`. */
export const jsonTree = (text: string): Result.Result<RulesTree | null, ReadonlyArray<RulesFault>> => {
  const { faults, tree } = read(text)
  if (faults.length > 0) return Result.fail(faults)
  if (tree === null || (tree._tag === "Value" && tree.value === null)) return Result.succeed(null)
  return isJson(text) ? Result.succeed(tree) : Result.fail([{ at: 0, message: "this is not valid JSON" }])
}

/** What every other reader of JSON goes by has the last word. */
const isJson = (text: string): boolean => {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

interface Read {
  readonly tree: RulesTree | null
  /** At most one of syntax, at which reading ends; any number of others. */
  readonly faults: ReadonlyArray<RulesFault>
}

const read = (text: string): Read => {
  const faults: Array<RulesFault> = []
  let at = 0

  /** What is returned ends the reading; a fault that can be passed over is only noted. */
  const fault = (message: string, where = at): null => {
    faults.push({ at: where, message })
    return null
  }
  /** What `pattern` (sticky) matches here is passed over. */
  const take = (pattern: RegExp): string | null => {
    pattern.lastIndex = at
    const found = pattern.exec(text)?.[0] ?? null
    if (found !== null) at += found.length
    return found
  }
  const space = () => take(/[ \t\r\n]*/y)

  const valueOf = (depth: number): RulesTree | null => {
    switch (text.charAt(at)) {
      case "{":
        return depth < DEEPEST ? mappingOf(depth + 1) : fault(TOO_DEEP)
      case "[":
        return depth < DEEPEST ? listOf(depth + 1) : fault(TOO_DEEP)
      case '"': {
        const value = textOf()
        return value === null ? null : { _tag: "Value", value }
      }
      default:
        return wordOf()
    }
  }

  const wordOf = (): RulesTree | null => {
    const start = at
    const word = take(/-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.])|(?:true|false|null)(?!\w)/y)
    if (word === null) return fault("a value is missing here: text is in double quotes")
    const value: unknown = JSON.parse(word)
    if (typeof value === "number" && !Number.isFinite(value)) fault("must be a finite number", start)
    if (isParted(word)) fault(PARTED, start)
    return typeof value === "number" || typeof value === "boolean" ? { _tag: "Value", value } : NULL
  }

  const textOf = (): string | null => {
    const start = at
    at++
    for (;;) {
      // oxlint-disable-next-line no-control-regex -- it is these characters that JSON refuses
      take(/[^"\\\u0000-\u001F]*/y)
      const next = text.charAt(at)
      if (next === '"') break
      if (next === "\\" && take(/\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y) === null) return fault("there is no such escape")
      if (next === "\n" || next === "\r" || next === "") return fault("a quote is not closed", start)
      if (next !== "\\") return fault("a control character cannot stand here")
    }
    at++
    const value: unknown = JSON.parse(text.slice(start, at))
    return String(value)
  }

  const mappingOf = (depth: number): RulesTree | null => {
    const entries = new Map<string, RulesPart>()
    at++
    space()
    if (take(/\}/y) !== null) return { _tag: "Mapping", entries }
    do {
      space()
      const keyAt = at
      if (text.charAt(at) !== '"') return fault("a key in double quotes is missing here")
      const key = textOf()
      if (key === null) return null
      space()
      if (take(/:/y) === null) return fault("a `:` is missing here")
      space()
      const valueAt = at
      const tree = valueOf(depth)
      if (tree === null) return null
      if (entries.has(key)) fault("this key is in the mapping twice", keyAt)
      entries.set(key, { at: keyAt, valueAt, tree })
      space()
    } while (take(/,/y) !== null)
    return take(/\}/y) === null ? fault("a `,` or `}` is missing here") : { _tag: "Mapping", entries }
  }

  const listOf = (depth: number): RulesTree | null => {
    const items: Array<RulesPart> = []
    at++
    space()
    if (take(/\]/y) !== null) return { _tag: "List", items }
    do {
      space()
      const itemAt = at
      const tree = valueOf(depth)
      if (tree === null) return null
      items.push({ at: itemAt, valueAt: itemAt, tree })
      space()
    } while (take(/,/y) !== null)
    return take(/\]/y) === null ? fault("a `,` or `]` is missing here") : { _tag: "List", items }
  }

  space()
  if (at === text.length) return { tree: null, faults }
  const tree = valueOf(0)
  space()
  if (tree !== null && at < text.length) fault("nothing can follow the end of the rules")
  return { tree, faults }
}

const NULL: RulesTree = { _tag: "Value", value: null }
