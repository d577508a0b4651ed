/**
 * The noun clauses of a text, by the words that head them: clauses that stand for a thing which usually has a name.
 *
 * - `what` or `whatever`, followed by a word: "what it is", "in whatever order commits arrive".
 * - `who`, `where` or `which` at the head of a sentence ("Who signs in gets a session"). `Where …, …` is a condition.
 * - `who` or `where` behind a preposition ("from where it stopped"). `in which` begins a relative clause.
 * - `who`, `where` or `which` behind a verb of saying, knowing, finding or being ("shows which provider took it").
 *
 * A direct question is none, nor is a relative clause ("the provider, which …", "a client who …", "the place where …"), nor is
 * code in backticks.
 */
export const nounClauses = (text: string): ReadonlyArray<NounClause> =>
  sentencesOf(text)
    .filter((sentence) => !sentence.endsWith("?"))
    .flatMap((sentence) =>
      patterns.flatMap((pattern) => [...sentence.matchAll(pattern)].map(([head]) => ({ head, sentence })))
    )

interface NounClause {
  /** The words that begin the clause, such as `what` or `says where`. */
  readonly head: string
  readonly sentence: string
}

/** Of texts with more than one word: one word is a name or a key. */
const sentencesOf = (text: string): ReadonlyArray<string> =>
  text
    .replaceAll(/`[^`]*`/g, "X")
    .replaceAll(/\s+/g, " ")
    .split(/(?<=[.!?:;])["')]* /)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence.includes(" "))

const prepositions = "about|after|at|before|beside|beyond|by|for|from|in|into|of|on|over|than|to|until|with|without"
const verbs =
  "ask|check|choose|compare|count|decide|define|describe|determine|explain|find|know|learn|list|log|name|print|read|record|remember|report|return|say|see|show|state|store"
const inflected = `(?:${verbs})(?:s|d|ed|ing)?|said|chose|chosen|found|knew|known|saw|seen|shown|deciding|is|are|was|were|be`

const patterns: ReadonlyArray<RegExp> = [
  /\b[Ww]hat(?:ever)?\b(?= [\p{L}\d])/gu,
  /^[("']*(?:Who|Which)\b(?= \p{L})|^[("']*Where\b(?= [^,]*$)/gu,
  new RegExp(String.raw`\b(?:${prepositions}) (?:who|where)\b`, "gi"),
  new RegExp(String.raw`\b(?:${inflected}) (?:who|where|which)\b`, "gi")
]
