/**
 * The ceilings of noun clauses: how many the sources of each package may contain (`clauseCeilings.json`).
 *
 * A ceiling can only fall. A package above its ceiling fails, and a package below it fails too, until its ceiling is lowered.
 * A package without a ceiling may contain none.
 */
import { nounClauses } from "../counters/nounClauses.ts"
import { packageOf } from "../counters/places.ts"
import { syntaxOf } from "../counters/Syntax.ts"

/** The noun clauses of each package, one line each: file, line of the comment or text, clause, sentence. */
export interface ClausesByPackage {
  readonly [name: string]: ReadonlyArray<string>
}

export interface Ceilings {
  readonly [name: string]: number
}

export const clausesByPackage = (files: ReadonlyArray<string>, read: (file: string) => string): ClausesByPackage => {
  const found: { [name: string]: Array<string> } = {}
  for (const file of files) {
    const name = /\.tsx?$/.test(file) ? packageOf(file) : null
    if (name !== null) (found[name] ??= []).push(...clausesOf(file, read(file)))
  }
  return found
}

const clausesOf = (file: string, source: string): ReadonlyArray<string> =>
  syntaxOf(file, source).texts.flatMap(({ start, text }) =>
    nounClauses(text).map(
      ({ head, sentence }) => `${file}:${source.slice(0, start).split("\n").length}: "${head}" in: ${sentence}`
    )
  )

/** The findings for packages that are not exactly at their ceiling. */
export const ceilingFindings = (clauses: ClausesByPackage, ceilings: Ceilings): ReadonlyArray<string> =>
  [...new Set([...Object.keys(clauses), ...Object.keys(ceilings)])].toSorted().flatMap((name) => {
    const lines = clauses[name] ?? []
    const ceiling = ceilings[name] ?? 0
    if (lines.length < ceiling) {
      return [`packages/${name}: ${lines.length} noun clauses. Lower the ceiling from ${ceiling} to ${lines.length}.`]
    }
    return lines.length === ceiling
      ? []
      : [
          ...lines,
          `packages/${name}: ${lines.length} noun clauses, above the ceiling of ${ceiling}. Name things instead.`
        ]
  })
