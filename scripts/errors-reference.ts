/** The table of problems in `docs/reference/errors.md`, from the texts of the server's pages. `pnpm generate` writes it. */
import { problemTexts } from "../packages/http/src/pages/problemTexts.ts"
import { problemCodes, statusOf } from "../packages/http/src/problems/Problem.ts"

const [begin, end] = ["<!-- problems:begin -->", "<!-- problems:end -->"]

/** Pure: `page` with the table between its markers. */
export const errorsReference = (page: string): string => {
  const [from, to] = [page.indexOf(begin), page.indexOf(end)]
  if (from === -1 || to < from)
    throw new Error("The markers of the problems are not a pair: fix docs/reference/errors.md.")
  return `${page.slice(0, from)}${begin}\n${problemTable}\n${page.slice(to)}`
}

const row = (code: (typeof problemCodes)[number]): string => {
  const { meaning, more, remedy } = problemTexts[code]
  return `| \`${code}\` | ${statusOf(code)} | ${meaning}${more === undefined ? "" : ` See ${more}.`} | ${remedy} |`
}

const problemTable = [
  "| code | status | what it means | what to do |",
  "| --- | --- | --- | --- |",
  ...problemCodes.map(row)
].join("\n")
