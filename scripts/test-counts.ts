/**
 * Prints the failures and then `N passed, N failed, N skipped` over the result files of Vitest's JSON reporter: a log
 * that is read from its end names what failed.
 */
import { existsSync, readFileSync } from "node:fs"

interface Results {
  readonly numPassedTests: number
  readonly numFailedTests: number
  readonly numPendingTests: number
  readonly numTodoTests: number
  readonly testResults: ReadonlyArray<{
    readonly name: string
    readonly status: string
    readonly message: string
    readonly assertionResults: ReadonlyArray<{
      readonly status: string
      readonly fullName: string
      readonly failureMessages: ReadonlyArray<string>
    }>
  }>
}

interface Counts {
  readonly passed: number
  readonly failed: number
  readonly skipped: number
}

/** Undefined where nothing ran, so that nothing was written. */
const resultsOf = (file: string): Results | undefined => {
  const text = existsSync(file) ? readFileSync(file, "utf8") : ""
  // Vitest wrote it: its shape is the reporter's documented one.
  return text === "" ? undefined : (JSON.parse(text) as Results)
}

/** A file that could not be loaded has no tests to count: it counts as one failure. So does a run without results. */
const countsOf = (results: Results | undefined): Counts => {
  if (results === undefined) return { passed: 0, failed: 1, skipped: 0 }
  const notLoaded = results.testResults.filter(
    (suite) => suite.status === "failed" && suite.assertionResults.length === 0
  ).length
  return {
    passed: results.numPassedTests,
    failed: results.numFailedTests + notLoaded,
    skipped: results.numPendingTests + results.numTodoTests
  }
}

const failuresOf = (results: Results | undefined): ReadonlyArray<string> =>
  (results?.testResults ?? []).flatMap((suite) => {
    if (suite.status !== "failed") return []
    const failed = suite.assertionResults.filter(({ status }) => status === "failed")
    if (failed.length === 0) return [`${suite.name}\n${suite.message}`]
    return failed.map(({ fullName, failureMessages }) => `${suite.name}: ${fullName}\n${failureMessages.join("\n")}`)
  })

const files = process.argv.slice(2)
if (files.length === 0) throw new Error("usage: node scripts/test-counts.ts <results.json>...")

const results = files.map(resultsOf)
const runs = results.map(countsOf)
const sum = (part: (counts: Counts) => number): number => runs.reduce((total, counts) => total + part(counts), 0)
for (const failure of results.flatMap(failuresOf)) console.log(`FAILED ${failure.slice(0, 2000)}\n`)
const skipped = sum((counts) => counts.skipped)
const shown = skipped === 0 ? "" : `, ${skipped} skipped`
console.log(`${sum((counts) => counts.passed)} passed, ${sum((counts) => counts.failed)} failed${shown}`)
