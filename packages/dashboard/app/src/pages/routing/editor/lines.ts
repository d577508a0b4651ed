/** How two texts differ, line by line, and three of them merged. */
import { Chunk } from "@codemirror/merge"
import { Text } from "@codemirror/state"

/** Lines `from` up to and without `to` of the text before are `lines` in the text after. */
interface Hunk {
  readonly from: number
  readonly to: number
  readonly lines: ReadonlyArray<string>
}

const linesOf = (text: string): Array<string> => text.split(/\r\n?|\n/)

/** Texts that have little in common are compared coarsely, not for minutes. */
const bounds = { scanLimit: 2_000, timeout: 500 }

const hunksOf = (before: ReadonlyArray<string>, after: ReadonlyArray<string>): ReadonlyArray<Hunk> => {
  const [a, b] = [Text.of(before), Text.of(after)]
  return Chunk.build(a, b, bounds).map(({ endA, endB, fromA, fromB, toA, toB }) => {
    const [from, to] = rangeOf(a, fromA, toA, endA)
    const [fromAfter, toAfter] = rangeOf(b, fromB, toB, endB)
    return { from, to, lines: after.slice(fromAfter, toAfter) }
  })
}

const rangeOf = (text: Text, from: number, to: number, end: number): readonly [from: number, to: number] => {
  const first = from > text.length ? text.lines : text.lineAt(from).number - 1
  return [first, from === to ? first : text.lineAt(end).number]
}

export interface DiffLine {
  readonly kind: "same" | "removed" | "added"
  readonly text: string
  /** In the text that has it, from 1; of `same` in the text after. */
  readonly line: number
}

/** A part of the text around a difference. */
export type DiffPart = ReadonlyArray<DiffLine>

const context = 3

/** Empty: the texts are the same. */
export const diffOf = (before: string, after: string): ReadonlyArray<DiffPart> => {
  const [old, next] = [linesOf(before), linesOf(after)]
  const parts: Array<Array<DiffLine>> = []
  let shown = 0
  let shift = 0
  const same = (from: number, to: number): ReadonlyArray<DiffLine> =>
    old.slice(from, to).map((text, index) => ({ kind: "same", text, line: from + index + shift + 1 }))
  for (const { from, lines, to } of hunksOf(old, next)) {
    const start = Math.max(shown, from - context)
    const part = parts.at(-1)
    const open = part !== undefined && from - shown <= 2 * context ? part : []
    if (open === part) part.push(...same(shown, from))
    else {
      // What follows the part before.
      if (part !== undefined) part.push(...same(shown, Math.min(shown + context, from)))
      open.push(...same(start, from))
      parts.push(open)
    }
    open.push(...old.slice(from, to).map((text, index) => ({ kind: "removed", text, line: from + index + 1 }) as const))
    open.push(...lines.map((text, index) => ({ kind: "added", text, line: from + shift + index + 1 }) as const))
    shown = to
    shift += lines.length - (to - from)
  }
  parts.at(-1)?.push(...same(shown, shown + context))
  return parts
}

export interface MergedText {
  readonly text: string
  /** Places that both changed: both stand there, marked, and the text is not valid until one of them is chosen. */
  readonly conflicts: number
}

interface Sides {
  readonly from: number
  readonly to: number
  readonly mine: ReadonlyArray<Hunk>
  readonly theirs: ReadonlyArray<Hunk>
}

/** Makes the changes from `base` to `mine` in `theirs`. */
export const mergeTexts = (base: string, mine: string, theirs: string, theirName: string): MergedText => {
  const lines = linesOf(base)
  const merged: Array<string> = []
  let at = 0
  let conflicts = 0
  for (const { from, mine: own, theirs: other, to } of grouped(
    hunksOf(lines, linesOf(mine)),
    hunksOf(lines, linesOf(theirs))
  )) {
    merged.push(...lines.slice(at, from))
    at = to
    const [ownLines, otherLines] = [applied(lines, from, to, own), applied(lines, from, to, other)]
    if (own.length === 0 || areSame(ownLines, otherLines)) merged.push(...otherLines)
    else if (other.length === 0) merged.push(...ownLines)
    else {
      conflicts += 1
      merged.push("<<<<<<< your draft", ...ownLines, "=======", ...otherLines, `>>>>>>> ${theirName}`)
    }
  }
  return { text: [...merged, ...lines.slice(at)].join("\n"), conflicts }
}

/** No line is not one empty line. */
const areSame = (a: ReadonlyArray<string>, b: ReadonlyArray<string>) =>
  a.length === b.length && a.every((line, index) => line === b[index])

/** Changes that touch each other belong together. */
const grouped = (mine: ReadonlyArray<Hunk>, theirs: ReadonlyArray<Hunk>): ReadonlyArray<Sides> => {
  const all = [...mine, ...theirs].toSorted((a, b) => a.from - b.from || a.to - b.to)
  const groups: Array<Sides> = []
  for (const hunk of all) {
    const last = groups.at(-1)
    const [own, other] = mine.includes(hunk) ? [[hunk], []] : [[], [hunk]]
    if (last === undefined || hunk.from > last.to) {
      groups.push({ from: hunk.from, to: hunk.to, mine: own, theirs: other })
      continue
    }
    groups.splice(-1, 1, {
      from: last.from,
      to: Math.max(last.to, hunk.to),
      mine: [...last.mine, ...own],
      theirs: [...last.theirs, ...other]
    })
  }
  return groups
}

const applied = (lines: ReadonlyArray<string>, from: number, to: number, hunks: ReadonlyArray<Hunk>) => {
  const result: Array<string> = []
  let at = from
  for (const hunk of hunks) {
    result.push(...lines.slice(at, hunk.from), ...hunk.lines)
    at = hunk.to
  }
  return [...result, ...lines.slice(at, to)]
}
