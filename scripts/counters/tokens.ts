import type { Span, Syntax } from "./Syntax.ts"

/**
 * The tokens of a source, without comments and import declarations. A token is
 *
 * - an identifier, a keyword, or a private name (`#x`),
 * - a string, a number, a regular expression, or text between JSX tags, of any length (white space between tags is none),
 * - a piece of a template before, between or after its expressions, with its marks (an empty piece is none),
 * - an operator or a punctuation mark: the longest that fits, where `>` joins only to `=>` and `>=` (so that `>>` counts twice,
 *   as two brackets of types or one operator).
 */
export const countTokens = (source: string, { leftOut, literals }: Syntax): number => {
  const words = between([...leftOut, ...literals], source).flatMap((part) => part.match(token) ?? [])
  return literals.length + words.length
}

/** What stands between the spans. */
const between = (spans: ReadonlyArray<Span>, source: string): ReadonlyArray<string> => {
  const sorted = spans.toSorted((a, b) => a.start - b.start)
  return [...sorted, { start: source.length }].map(({ start }, at) => source.slice(sorted[at - 1]?.end ?? 0, start))
}

const operators = ["...", "===", "!==", "**=", "<<=", "&&=", "||=", "??="]
const pairs = [
  "=>",
  "==",
  "!=",
  "<=",
  ">=",
  "&&",
  "||",
  "??",
  "?.",
  "++",
  "--",
  "+=",
  "-=",
  "*=",
  "/=",
  "%=",
  "&=",
  "|=",
  "^=",
  "<<",
  "**"
]

const escaped = (text: string): string => text.replaceAll(/[.*+?^$|]/g, String.raw`\$&`)

const token = new RegExp(
  [String.raw`#?[\p{ID_Start}$_][\p{ID_Continue}$]*`, ...[...operators, ...pairs].map(escaped), String.raw`\S`].join(
    "|"
  ),
  "gu"
)
