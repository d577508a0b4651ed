/**
 * Figures of a run in `docs/reliability.md`: each kind has a section between two markers, which a run replaces. They are not
 * edited by hand.
 *
 * @example
 * ```ts
 * writeReliabilitySection("crash", ["| database | payments |", "|---|---|", "| SQLite | 10,000 |"].join("\n"))
 * ```
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"

export type ReliabilitySection = "crash" | "simulate"

const file = join(import.meta.dirname, "..", "docs", "reliability.md")

/** `markdown` replaces what stood between the markers of the section. The file is created if it is missing. */
export const writeReliabilitySection = (section: ReliabilitySection, markdown: string, path = file): void => {
  const text = existsSync(path) ? readFileSync(path, "utf8") : EMPTY
  writeFileSync(path, withSection(text, section, markdown))
}

/** Pure: `text` with the section replaced, or with the section at its end where it has none. */
export const withSection = (text: string, section: ReliabilitySection, markdown: string): string => {
  const [begin, end] = [`<!-- ${section}:begin -->`, `<!-- ${section}:end -->`]
  const from = text.indexOf(begin)
  const to = text.indexOf(end)
  const written = `${begin}\n${markdown.trim()}\n${end}`
  if (from === -1 && to === -1) return `${text.trimEnd()}\n\n${written}\n`
  if (from === -1 || to < from) throw new Error(`The markers of ${section} are not a pair: fix docs/reliability.md.`)
  return text.slice(0, from) + written + text.slice(to + end.length)
}

const EMPTY = `# What was tried, and what it showed

The figures of the last full runs, written by the runs themselves.
`
