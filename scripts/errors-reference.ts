/** Writes the table of problems in `docs/reference/errors.md` from what a server's pages say of them: `pnpm errors-reference`. */
import { readFileSync, writeFileSync } from "node:fs"
import { resolve } from "node:path"
import { problemTexts } from "../packages/http/src/pages/problemTexts.ts"
import { problemCodes, statusOf } from "../packages/http/src/problems/Problem.ts"

const file = resolve(import.meta.dirname, "../docs/reference/errors.md")
const [begin, end] = ["<!-- problems:begin -->", "<!-- problems:end -->"]

/** Pure: `page` with the table between its markers. */
export const errorsReference = (page: string): string => {
  const [from, to] = [page.indexOf(begin), page.indexOf(end)]
  if (from === -1 || to < from)
    throw new Error("The markers of the problems are not a pair: mend docs/reference/errors.md.")
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

if (import.meta.main) writeFileSync(file, errorsReference(readFileSync(file, "utf8")))
