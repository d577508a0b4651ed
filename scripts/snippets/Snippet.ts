/** A piece of TypeScript in the documentation. */
export interface Snippet {
  /** From the root of the repository. */
  readonly path: string
  /** Of the fence before it. */
  readonly line: number
  readonly code: string
}

/** A block that begins with `// fragment` is none. */
export const snippetsOfPage = (path: string, text: string): ReadonlyArray<Snippet> =>
  [...text.matchAll(/^```ts\n([^]*?)^```$/gm)]
    .map((match) => ({ path, line: text.slice(0, match.index).split("\n").length, code: match[1] ?? "" }))
    .filter(({ code }) => !code.startsWith("// fragment\n"))

/** Each `@example` that imports Paymux; another is a fragment. */
export const snippetsOfSource = (path: string, text: string): ReadonlyArray<Snippet> =>
  snippetsOfPage(path, uncommented(text)).filter(({ code }) =>
    /^import .* from "(?:@paymux\/[^"]+|paymux)"$/m.test(code)
  )

/** The lines stay where they are. */
const uncommented = (source: string): string => source.replaceAll(/^[^\S\n]*\*(?: |$)/gm, "")
