/** How two texts differ, line by line, and three of them merged. */
import { diff } from "@codemirror/merge"

/** Lines `from` up to and without `to` of the text before are `lines` in the text after. */
interface Hunk {
  readonly from: number
  readonly to: number
  readonly lines: ReadonlyArray<string>
}

const linesOf = (text: string): Array<string> => text.split(/\r\n?|\n/)

/** Texts that have little in common are compared coarsely, not for minutes. */
const bounds = { scanLimit: 2_000, timeout: 500 }

/**
 * Each distinct line is one character for the comparison. `Chunk.build` of the same library, which compares the characters
 * of lines, loses a change where two empty lines follow each other.
 */
const hunksOf = (before: ReadonlyArray<string>, after: ReadonlyArray<string>): ReadonlyArray<Hunk> => {
  const encode = encoder()
  const [old, next] = [encode(before), encode(after)]
  if (old === null || next === null) return outerHunk(before, after)
  return diff(old, next, bounds).map(({ fromA, fromB, toA, toB }) => ({
    from: fromA,
    to: toA,
    lines: after.slice(fromB, toB)
  }))
}

/** Where surrogates begin, which are no characters alone. */
const mostLines = 0xd800

/** `null`: there are more distinct lines than characters. */
const encoder = () => {
  const codes = new Map<string, number>()
  return (lines: ReadonlyArray<string>): string | null => {
    const characters = lines.map((line) => {
      const code = codes.get(line) ?? codes.size
      codes.set(line, code)
      return String.fromCharCode(code)
    })
    return codes.size > mostLines ? null : characters.join("")
  }
}

/** Everything between the first and the last line that differs. */
const outerHunk = (before: ReadonlyArray<string>, after: ReadonlyArray<string>): ReadonlyArray<Hunk> => {
  const shorter = Math.min(before.length, after.length)
  let from = 0
  while (from < shorter && before[from] === after[from]) from++
  let same = 0
  while (same < shorter - from && before[before.length - 1 - same] === after[after.length - 1 - same]) same++
  const hunk = { from, to: before.length - same, lines: after.slice(from, after.length - same) }
  return hunk.from === hunk.to && hunk.lines.length === 0 ? [] : [hunk]
}

/** `push` takes fewer arguments than a text may have lines. */
const append = <T>(target: Array<T>, items: ReadonlyArray<NoInfer<T>>): void => {
  for (const item of items) target.push(item)
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
    if (open === part) append(part, same(shown, from))
    else {
      // What follows the part before.
      if (part !== undefined) append(part, same(shown, Math.min(shown + context, from)))
      append(open, same(start, from))
      parts.push(open)
    }
    append(
      open,
      old.slice(from, to).map((text, index) => ({ kind: "removed", text, line: from + index + 1 }))
    )
    append(
      open,
      lines.map((text, index) => ({ kind: "added", text, line: from + shift + index + 1 }))
    )
    shown = to
    shift += lines.length - (to - from)
  }
  append(parts.at(-1) ?? [], same(shown, shown + context))
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
    append(merged, lines.slice(at, from))
    at = to
    const [ownLines, otherLines] = [applied(lines, from, to, own), applied(lines, from, to, other)]
    if (own.length === 0 || areSame(ownLines, otherLines)) append(merged, otherLines)
    else if (other.length === 0) append(merged, ownLines)
    else {
      conflicts += 1
      append(merged, ["<<<<<<< your draft", ...ownLines, "=======", ...otherLines, `>>>>>>> ${theirName}`])
    }
  }
  return { text: [...merged, ...lines.slice(at)].join("\n"), conflicts }
}

/** No line is not one empty line. */
const areSame = (a: ReadonlyArray<string>, b: ReadonlyArray<string>) =>
  a.length === b.length && a.every((line, index) => line === b[index])

/** Changes that touch each other belong together. */
const grouped = (mine: ReadonlyArray<Hunk>, theirs: ReadonlyArray<Hunk>): ReadonlyArray<Sides> => {
  const isMine = new Set(mine)
  const all = [...mine, ...theirs].toSorted((a, b) => a.from - b.from || a.to - b.to)
  const groups: Array<Sides> = []
  for (const hunk of all) {
    const last = groups.at(-1)
    const [own, other] = isMine.has(hunk) ? [[hunk], []] : [[], [hunk]]
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
    append(result, [...lines.slice(at, hunk.from), ...hunk.lines])
    at = hunk.to
  }
  return [...result, ...lines.slice(at, to)]
}
