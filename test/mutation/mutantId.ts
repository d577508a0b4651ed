/** How a mutant is named and shown. */
import type { Mutant } from "@stryker-mutator/api/core"

export type Place = Pick<Mutant, "fileName" | "location" | "mutatorName" | "replacement">

/** From the root of the repository; Stryker hands out absolute paths and paths of its sandbox, too. */
export const pathOf = ({ fileName }: Pick<Mutant, "fileName">): string => {
  const path = fileName.replaceAll("\\", "/")
  return /packages\/[^/]+\/src\/.*$/.exec(path)?.[0] ?? path
}

/** Stryker counts lines and columns from 0 for a checker, and from 1 for a report. All functions here count from 1. */
export const countedFromOne = (mutant: Mutant): Mutant => {
  const { end, start } = mutant.location
  const next = ({ column, line }: typeof start) => ({ column: column + 1, line: line + 1 })
  return { ...mutant, location: { start: next(start), end: next(end) } }
}

/**
 * `packages/core/src/domain/transition/change.ts:65:58 LogicalOperator a && b`: the place, the kind, and what stands there instead,
 * since several mutants may share a place.
 */
export const mutantId = (mutant: Place): string => {
  const { column, line } = mutant.location.start
  const text = oneLine(mutant.replacement ?? "")
  const short = text.length > 40 ? `${text.slice(0, 40)}…` : text
  return `${pathOf(mutant)}:${line}:${column} ${mutant.mutatorName} ${short}`
}

/** The source with the mutation. */
export const mutated = (source: string, { location: { end, start }, replacement }: Place): string => {
  const lines = source.split("\n")
  const head = [...lines.slice(0, start.line - 1), (lines[start.line - 1] ?? "").slice(0, start.column - 1)].join("\n")
  const tail = [(lines[end.line - 1] ?? "").slice(end.column - 1), ...lines.slice(end.line)].join("\n")
  return `${head}${replacement ?? ""}${tail}`
}

/** The lines before and after the mutation. */
export const diffOf = (source: string, mutant: Place): string => {
  const { end, start } = mutant.location
  const before = source.split("\n")
  const after = mutated(source, mutant).split("\n")
  const last = end.line + after.length - before.length
  return [...shown("-", before.slice(start.line - 1, end.line)), ...shown("+", after.slice(start.line - 1, last))].join(
    "\n"
  )
}

/** Holds when lines move: the file, the kind, the text of the line, what is replaced, and by what. */
export const survivorKey = (source: string, mutant: Place): string => {
  const { end, start } = mutant.location
  const lines = source.split("\n").slice(start.line - 1, end.line)
  const line = lines[0]?.trim() ?? ""
  const last = lines.pop() ?? ""
  const replaced = [...lines, last.slice(0, end.column - 1)].join("\n").slice(start.column - 1)
  return [pathOf(mutant), mutant.mutatorName, line, `${oneLine(replaced)} → ${oneLine(mutant.replacement ?? "")}`].join(
    " | "
  )
}

const oneLine = (text: string): string => text.replaceAll(/\s+/g, " ").trim()

const most = 6

const shown = (sign: string, lines: ReadonlyArray<string>): ReadonlyArray<string> => {
  const left = lines.length > most ? [`${sign} … ${lines.length - most} more lines`] : []
  return [...lines.slice(0, most).map((line) => `${sign} ${line}`), ...left]
}
