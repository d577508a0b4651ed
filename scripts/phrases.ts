/**
 * Checks the wording that `docs/style.md` asks for: its phrases, in every text file of the repository or in the folders named,
 * and, without folders, the noun clauses of each package against their ceilings.
 *
 *     node scripts/phrases.ts            # both checks
 *     node scripts/phrases.ts docs       # the phrases in one folder
 */
import { execFileSync } from "node:child_process"
import { existsSync, readFileSync } from "node:fs"
import { ceilingFindings, clausesByPackage } from "./phrases/clauseCeilings.ts"
import type { Ceilings } from "./phrases/clauseCeilings.ts"

const read = (file: string): string => readFileSync(file, "utf8")

const page = "docs/style.md"
const ceilingsFile = "scripts/phrases/clauseCeilings.json"

/** Text for people, without data from elsewhere and without SQL that an existing database has already run. */
const isChecked = (file: string): boolean =>
  /\.(ts|tsx|mjs|md|html)$/.test(file) &&
  file !== page &&
  !/(^|\/)(fixtures\/|migrations(\/|\.ts$))|CHANGELOG\.md$|packages\/core\/test\/provider\/contract\//.test(file)

/** The first column of the tables: `a, b` are two phrases. */
const phrases = read(page)
  .split("\n")
  .filter((line) => line.startsWith("| "))
  .flatMap((line) => (line.split("|")[1] ?? "").split(",").map((phrase) => phrase.trim()))
  .filter((phrase) => phrase !== "avoid" && !phrase.startsWith("---"))

const pattern = new RegExp(`\\b(${phrases.join("|").replaceAll(" ", "\\s+")})\\b`, "gi")

/** A phrase alone in quotes is data: a name in a database, or of the operating system. */
const withoutData = (text: string): string => text.replaceAll(/"[a-z]+"/g, '""')

/** Names as words: `lastSeen` is `last Seen`, `last_seen` is `last seen`. Each character keeps its line. */
const asWords = (text: string): string => text.replaceAll(/([a-z0-9])([A-Z])/g, "$1 $2").replaceAll("_", " ")

const phrasesIn = (file: string): ReadonlyArray<string> => {
  const text = asWords(withoutData(read(file)))
  return [...text.matchAll(pattern)].map(
    ({ 0: found, index }) => `${file}:${text.slice(0, index).split("\n").length}: "${found.replaceAll(/\s+/g, " ")}"`
  )
}

const folders = process.argv.slice(2)
const files = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard", ...folders], {
  encoding: "utf8",
  maxBuffer: 64 * 1024 * 1024
})
  .split("\n")
  .filter((file) => file !== "" && existsSync(file))

const phraseFindings = files.filter(isChecked).flatMap(phrasesIn)
for (const finding of phraseFindings) console.log(finding)
console.log(
  phraseFindings.length === 0
    ? "No phrase to avoid was found."
    : `${phraseFindings.length} phrases to avoid, see ${page}.`
)

/** The ceilings are those of whole packages, and are not checked for a folder. */
const clauseFindings = (): ReadonlyArray<string> => {
  const ceilings: Ceilings = JSON.parse(read(ceilingsFile))
  return ceilingFindings(clausesByPackage(files, read), ceilings)
}

const aboveOrBelow = folders.length > 0 ? [] : clauseFindings()
for (const finding of aboveOrBelow) console.log(finding)
if (aboveOrBelow.length > 0) console.log(`The ceilings of noun clauses are in ${ceilingsFile}, see ${page}.`)

process.exitCode = phraseFindings.length + aboveOrBelow.length === 0 ? 0 : 1
