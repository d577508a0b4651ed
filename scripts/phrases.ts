/** Finds the phrases that `docs/style.md` lists, in every text file of the repository or in the folders named. */
import { execFileSync } from "node:child_process"
import { readFileSync } from "node:fs"

const page = "docs/style.md"

/** What a person reads, without data from elsewhere and without SQL that an existing database has already run. */
const isChecked = (file: string): boolean =>
  /\.(ts|tsx|mjs|md|html)$/.test(file) &&
  file !== page &&
  !/(^|\/)(fixtures\/|migrations(\/|\.ts$))|CHANGELOG\.md$|packages\/core\/test\/provider\/contract\//.test(file)

/** The first column of the tables: `a, b` are two phrases. */
const phrases = readFileSync(page, "utf8")
  .split("\n")
  .filter((line) => line.startsWith("| "))
  .flatMap((line) => (line.split("|")[1] ?? "").split(",").map((phrase) => phrase.trim()))
  .filter((phrase) => phrase !== "avoid" && !phrase.startsWith("---"))

const pattern = new RegExp(`\\b(${phrases.join("|").replaceAll(" ", "\\s+")})\\b`, "gi")

/** A phrase alone in quotes is data: a name in a database, or of the operating system. */
const withoutData = (text: string): string => text.replaceAll(/"[a-z]+"/g, '""')

/** Names as words: `lastSeen` is `last Seen`, `last_seen` is `last seen`. Each character keeps its line. */
const asWords = (text: string): string => text.replaceAll(/([a-z0-9])([A-Z])/g, "$1 $2").replaceAll("_", " ")

const findings = execFileSync(
  "git",
  ["ls-files", "--cached", "--others", "--exclude-standard", ...process.argv.slice(2)],
  {
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024
  }
)
  .split("\n")
  .filter(isChecked)
  .flatMap((file) => {
    const text = asWords(withoutData(readFileSync(file, "utf8")))
    return [...text.matchAll(pattern)].map(
      ({ 0: found, index }) => `${file}:${text.slice(0, index).split("\n").length}: "${found.replaceAll(/\s+/g, " ")}"`
    )
  })

for (const finding of findings) console.log(finding)
console.log(
  findings.length === 0 ? "No phrase to avoid was found." : `${findings.length} phrases to avoid, see ${page}.`
)
process.exitCode = findings.length === 0 ? 0 : 1
