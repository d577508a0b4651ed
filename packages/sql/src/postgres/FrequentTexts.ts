/**
 * The texts that commits have most often. Only their commits are joined, and only 2, 4 or 8 at a time, so that few texts
 * are prepared: a session of PostgreSQL keeps each of them, and its plan, in memory.
 */
import { joinedText } from "./joined.ts"
import type { CommitStatement } from "./joined.ts"

/** One frequent text, and those that join commits which have it. */
export interface FrequentText {
  readonly sql: string
  /** The text for so many commits. */
  readonly joined: (size: number) => string
}

export interface FrequentTexts {
  /** `null`: the text of this commit is too rare, or it is too large. */
  readonly of: (statement: CommitStatement) => FrequentText | null
}

export interface FrequentTextsOptions {
  /** How many texts are frequent. */
  readonly most: number
  /** Commits between one count and the next. */
  readonly period: number
}

/** Eight times as many are well below the 65,535 parameters that a statement may have. */
const mostParameters = 1_000

export const make = ({ most, period }: FrequentTextsOptions): FrequentTexts => {
  let frequent = new Map<string, FrequentText>()
  let counts = new Map<string, number>()
  let counted = 0

  // What was frequent before counts for half, so that the texts do not change with every wave.
  const recount = () => {
    const top = [...counts].toSorted(([, one], [, other]) => other - one).slice(0, most)
    counts = new Map(top.map(([sql, count]) => [sql, count / 2]))
    frequent = new Map([...frequent].filter(([sql]) => counts.has(sql)))
    counted = 0
  }

  return {
    of: (statement) => {
      const { params, sql } = statement
      if (params.length > mostParameters) return null
      if (++counted > period) recount()
      counts.set(sql, (counts.get(sql) ?? 0) + 1)
      const known = frequent.get(sql)
      if (known !== undefined) return known
      if (frequent.size >= most) return null
      const text = frequentText(statement)
      frequent.set(sql, text)
      return text
    }
  }
}

const frequentText = (statement: CommitStatement): FrequentText => {
  const texts = new Map<number, string>()
  return {
    sql: statement.sql,
    joined: (size) => {
      const known = texts.get(size)
      if (known !== undefined) return known
      const text = joinedText(statement, size)
      texts.set(size, text)
      return text
    }
  }
}
