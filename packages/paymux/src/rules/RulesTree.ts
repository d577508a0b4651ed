/** What a rules file holds, each part with its place in the text (an offset in UTF-16 units). Aliases are followed. */
export type RulesTree = RulesValue | RulesList | RulesMapping

interface RulesValue {
  readonly _tag: "Value"
  readonly value: string | number | boolean | null
}

interface RulesList {
  readonly _tag: "List"
  readonly items: ReadonlyArray<RulesPart>
}

interface RulesMapping {
  readonly _tag: "Mapping"
  readonly entries: ReadonlyMap<string, RulesPart>
}

/** `at`: where its key is, or in a list where the item begins. `valueAt`: where the value itself is. */
export interface RulesPart {
  readonly at: number
  readonly valueAt: number
  readonly tree: RulesTree
}

/** More levels are no rules that anybody reads, and would exhaust the stack of what checks them. */
export const DEEPEST = 64

export const TOO_DEEP = `is nested more than ${DEEPEST} levels deep`

/** Where a point parts thousands `500.000` is written, which would be read as 500. */
export const isParted = (number: string): boolean => number.endsWith(".000")
export const PARTED = "thousands are written without a point: 500000, not 500.000"

/** As `JSON.parse` would give it: `__proto__` is a key like any other. */
export const plain = (tree: RulesTree): unknown => {
  switch (tree._tag) {
    case "Value":
      return tree.value
    case "List":
      return tree.items.map((item) => plain(item.tree))
    case "Mapping": {
      const object: Record<string, unknown> = {}
      for (const [key, { tree: member }] of tree.entries) setOwn(object, key, plain(member))
      return object
    }
  }
}

/** An assignment to `__proto__` would set the prototype instead. */
const setOwn = (object: Record<string, unknown>, key: string, value: unknown): void => {
  if (key !== "__proto__") object[key] = value
  else Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true })
}

/**
 * Where to show a problem with what stands under `path`: a value at its own start, a mapping or a list at its key, or at
 * the start of the item. Of what is not there: the nearest that holds it. The top: the start of the file.
 */
export const placeOf = (root: RulesTree, path: ReadonlyArray<string | number>, shownAt: "key" | "value"): number => {
  let found: RulesPart = { at: 0, valueAt: 0, tree: root }
  for (const key of path) {
    const inside = partAt(found.tree, key)
    if (inside === undefined) return found.at
    found = inside
  }
  return shownAt === "value" && found.tree._tag === "Value" ? found.valueAt : found.at
}

const partAt = (tree: RulesTree, key: string | number): RulesPart | undefined => {
  switch (tree._tag) {
    case "Value":
      return undefined
    case "List":
      return typeof key === "number" ? tree.items[key] : undefined
    case "Mapping":
      return tree.entries.get(String(key))
  }
}
