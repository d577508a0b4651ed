/**
 * Prints the figures that issues set bounds on; none of them fails here.
 *
 * - By package: tokens of the sources (`counters/tokens.ts`), and the noun clauses of their comments and texts
 *   (`counters/nounClauses.ts`). The sources are `src`, with the fakes of adapters and without generated files.
 * - Lines of tests, shared suites, benches and scripts.
 *
 *     node scripts/counters.ts           # the tables
 *     node scripts/counters.ts --list    # each noun clause, with its file
 */
import { execFileSync } from "node:child_process"
import { existsSync, readFileSync } from "node:fs"
import { nounClauses } from "./counters/nounClauses.ts"
import { packageOf, roomOf } from "./counters/places.ts"
import { syntaxOf } from "./counters/Syntax.ts"
import { countTokens } from "./counters/tokens.ts"

const root = new URL("..", import.meta.url)

const main = (): void => {
  const files = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard"], {
    cwd: root,
    encoding: "utf8"
  })
    .split("\n")
    .filter((file) => /\.(?:m?ts|tsx)$/.test(file) && existsSync(new URL(file, root)))
  const measured = files.flatMap((file) => {
    const name = packageOf(file)
    return name === null ? [] : [{ file, name, ...measure(file) }]
  })
  if (process.argv.includes("--list")) {
    for (const { clauses, file } of measured) for (const { head } of clauses) console.log(`${file}: ${head}`)
    return
  }
  const packages = Object.entries(Object.groupBy(measured, ({ name }) => name)).map(([name, all = []]) => ({
    name,
    tokens: sum(all.map(({ tokens }) => tokens)),
    clauses: sum(all.map(({ clauses }) => clauses.length))
  }))
  console.log("package                 tokens  noun clauses")
  for (const row of packages) printRow(row.name, row.tokens, row.clauses)
  printRow("all", sum(packages.map(({ tokens }) => tokens)), sum(packages.map(({ clauses }) => clauses)))
  console.log("\n                         lines")
  for (const [room, all = []] of Object.entries(Object.groupBy(files, (file) => roomOf(file) ?? ""))) {
    if (room !== "") printRow(room, sum(all.map((file) => linesOf(read(file)))))
  }
}

const measure = (file: string) => {
  const source = read(file)
  const syntax = syntaxOf(file, source)
  return { tokens: countTokens(source, syntax), clauses: syntax.texts.flatMap(({ text }) => nounClauses(text)) }
}

const read = (file: string): string => readFileSync(new URL(file, root), "utf8")

const linesOf = (text: string): number => text.split("\n").length - 1

const sum = (numbers: ReadonlyArray<number>): number => numbers.reduce((total, each) => total + each, 0)

const printRow = (name: string, ...figures: ReadonlyArray<number>): void =>
  console.log(`${name.padEnd(20)}${figures.map((figure) => String(figure).padStart(10)).join("    ")}`)

main()
