/** Prints `N passed, N failed, N skipped` over the result files of Vitest's JSON reporter. */
import { existsSync, readFileSync } from "node:fs"

interface Results {
  readonly numPassedTests: number
  readonly numFailedTests: number
  readonly numPendingTests: number
  readonly numTodoTests: number
  readonly testResults: ReadonlyArray<{ readonly status: string; readonly assertionResults: ReadonlyArray<unknown> }>
}

interface Counts {
  readonly passed: number
  readonly failed: number
  readonly skipped: number
}

/** A file that could not be loaded has no tests to count: it counts as one failure. So does a run without results. */
const countsOf = (file: string): Counts => {
  const text = existsSync(file) ? readFileSync(file, "utf8") : ""
  if (text === "") return { passed: 0, failed: 1, skipped: 0 }
  // Vitest wrote it: its shape is the reporter's documented one.
  const results = JSON.parse(text) as Results
  const notLoaded = results.testResults.filter(
    (suite) => suite.status === "failed" && suite.assertionResults.length === 0
  ).length
  return {
    passed: results.numPassedTests,
    failed: results.numFailedTests + notLoaded,
    skipped: results.numPendingTests + results.numTodoTests
  }
}

const files = process.argv.slice(2)
if (files.length === 0) throw new Error("usage: node scripts/test-counts.ts <results.json>...")

const runs = files.map(countsOf)
const sum = (part: (counts: Counts) => number): number => runs.reduce((total, counts) => total + part(counts), 0)
const skipped = sum((counts) => counts.skipped)
const shown = skipped === 0 ? "" : `, ${skipped} skipped`
console.log(`${sum((counts) => counts.passed)} passed, ${sum((counts) => counts.failed)} failed${shown}`)
