/** Notices that the pages of a statement do not end. Pure, of one run in one process. */
import type { StatementPage } from "@paymux/core/statement"
import { createHash } from "node:crypto"
import { printable } from "../printable.ts"

/**
 * Pages without a movement, one after the other. A vendor without a filter by time has many of them, and so does a chain that is
 * read by ranges of blocks.
 *
 * @internal Exported for tests that reach this bound.
 */
export const mostEmptyPages = 100_000

export interface PageTrail {
  /** What is wrong with the page that follows, as the end of a sentence; `null`: nothing. */
  readonly problemOf: (page: StatementPage) => string | null
}

/** `cursor`: where the run begins or continues. */
export const pageTrail = (cursor: string | null): PageTrail => {
  // A cursor may have 10,000 characters, and a run may have thousands of pages.
  const seen = new Set(cursor === null ? [] : [digestOf(cursor)])
  let empty = 0
  return {
    problemOf: ({ movements, next }) => {
      if (next === null) return null
      const digest = digestOf(next)
      if (seen.has(digest)) return `its pages go in a circle: the next cursor ${shown(next)} was returned before.`
      seen.add(digest)
      empty = movements.length === 0 ? empty + 1 : 0
      return empty < mostEmptyPages
        ? null
        : `it has ${mostEmptyPages} empty pages in a row, up to the cursor ${shown(next)}.`
    }
  }
}

const digestOf = (cursor: string): string => createHash("sha256").update(cursor).digest("base64")

const shown = (cursor: string): string => printable(JSON.stringify(cursor.slice(0, 60)))
