/** The position of the cursor in the mappings and lists of a YAML text, from the text before it. */

export interface YamlPlace {
  /** The keys from the root down to what is being written; of a value, its own key is the last. */
  readonly path: ReadonlyArray<string>
  /** `item`: the beginning of an entry of a list, which may be a value, or a mapping with its first key. */
  readonly kind: "key" | "value" | "item"
}

const keyThen = /^"?([\w.+-]+)"?\s*:(?:\s+(.*))?$/s

/** `before`: the line up to the cursor. `lineAbove`: the text of a line by how far it is above; `null`: above the first. */
export const placeAt = (before: string, lineAbove: (distance: number) => string | null): YamlPlace | null => {
  const { column, content, dashes } = contentOf(before)
  const flow = scanFlow(content)
  if (flow === null) return null
  const { openers, segment } = flow
  const path = [...parentsAbove(column, lineAbove), ...openers.flatMap(({ key }) => (key === null ? [] : [key]))]
  const [, key, value] = keyThen.exec(segment.trimStart()) ?? []
  if (key !== undefined && value !== undefined) return { path: [...path, key], kind: "value" }
  const last = openers.at(-1)
  const isItem = last === undefined ? dashes > 0 : last.open === "["
  return { path, kind: isItem ? "item" : "key" }
}

/** Without its indentation and the dashes of lists. `column`: of the first key. */
const contentOf = (line: string) => {
  const [lead = ""] = /^ *(?:- +)*/.exec(line) ?? []
  return { column: lead.length, content: line.slice(lead.length), dashes: lead.split("-").length - 1 }
}

interface Opener {
  readonly open: string
  /** `null`: of an entry of a list. */
  readonly key: string | null
}

/** The braces and brackets that are open at the end, and the text after the last of them. `null`: a comment or text. */
const scanFlow = (content: string): { openers: ReadonlyArray<Opener>; segment: string } | null => {
  const openers: Array<Opener> = []
  let segment = ""
  let quote: string | null = null
  for (let index = 0; index < content.length; index++) {
    const character = content.charAt(index)
    if (quote !== null) {
      if (character === quote) quote = null
      segment += character
    } else if (character === "#" && (segment === "" || /\s$/.test(segment))) return null
    else if ("{[".includes(character)) {
      openers.push({ open: character, key: keyThen.exec(segment.trim())?.[1] ?? null })
      segment = ""
    } else if ("}]".includes(character)) {
      openers.pop()
      segment = ""
    } else if (character === "," && openers.length > 0) segment = ""
    else {
      if (`"'`.includes(character)) quote = character
      segment += character
    }
  }
  return { openers, segment }
}

/** A key without a value, or one whose value begins on its line. */
const opensBlock = /^"?([\w.+-]+)"?\s*:\s*(?:[{[]\s*)?(?:#.*)?$/

/** Longer rules than this are completed without their place. */
const farthest = 400

const parentsAbove = (column: number, lineAbove: (distance: number) => string | null): ReadonlyArray<string> => {
  const parents: Array<string> = []
  let limit = column
  for (let distance = 1; distance <= farthest && limit > 0; distance++) {
    const line = lineAbove(distance)
    if (line === null) break
    const above = contentOf(line)
    const key = opensBlock.exec(above.content)?.[1]
    if (key === undefined || above.column >= limit) continue
    parents.unshift(key)
    limit = above.column - 2 * above.dashes
    if (above.dashes > 0) limit = Math.max(limit, 1)
  }
  return parents
}
