/** Differences that the commit accepts, each with its reason: the file `accepted.json`. Pure. */
import type { Difference } from "./compare.ts"

export interface Accepted {
  readonly route: string
  /** With `*` at its end: every field that begins so, such as those of one part of a document. */
  readonly field: string
  readonly reason: string
}

/** More than these say that behavior was changed, not kept. */
export const mostAccepted = 20

/** A sentence that says what is wrong, or the entries. */
export const readAccepted = (text: string): ReadonlyArray<Accepted> | string => {
  const entries = parsed(text)
  if (!Array.isArray(entries)) return "must be a JSON array of { route, field, reason }."
  if (entries.length > mostAccepted) {
    return `has ${entries.length} entries, and at most ${mostAccepted} are allowed: restore the former behavior instead.`
  }
  const accepted: Array<Accepted> = []
  for (const [index, entry] of entries.entries()) {
    if (!isAccepted(entry)) {
      return `: entry ${index + 1} must have route, field and reason as text that is not empty, and nothing else.`
    }
    if (accepted.some(({ field, route }) => route === entry.route && field === entry.field)) {
      return `: entry ${index + 1} has the route and field of an earlier entry.`
    }
    accepted.push(entry)
  }
  return accepted
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

const isAccepted = (entry: unknown): entry is Accepted => {
  if (typeof entry !== "object" || entry === null) return false
  const fields = Object.entries(entry)
  const named = ["route", "field", "reason"].every((name) => Object.hasOwn(entry, name))
  return named && fields.length === 3 && fields.every(([, value]) => typeof value === "string" && value.trim() !== "")
}

export interface Judged {
  readonly open: ReadonlyArray<Difference>
  /** How many differences an entry accepts. */
  readonly accepted: number
  /** Entries that accept nothing any more. */
  readonly stale: ReadonlyArray<Accepted>
}

export const judge = (differences: ReadonlyArray<Difference>, accepted: ReadonlyArray<Accepted>): Judged => {
  const accepts = (each: Accepted, { field, route }: Difference) =>
    each.route === route && (each.field === field || isPartOf(each.field, field))
  const open = differences.filter((difference) => !accepted.some((each) => accepts(each, difference)))
  const stale = accepted.filter((each) => !differences.some((difference) => accepts(each, difference)))
  return { open, accepted: differences.length - open.length, stale }
}

const isPartOf = (part: string, field: string): boolean => part.endsWith("*") && field.startsWith(part.slice(0, -1))
