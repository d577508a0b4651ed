/** Prints `N passed, N failed, N skipped` for a result file of Vitest's JSON reporter. */
import { readFileSync } from "node:fs"

interface Results {
  readonly numPassedTests: number
  readonly numFailedTests: number
  readonly numPendingTests: number
  readonly numTodoTests: number
  readonly testResults: ReadonlyArray<{ readonly status: string; readonly assertionResults: ReadonlyArray<unknown> }>
}

const file = process.argv[2]
if (file === undefined) throw new Error("usage: node scripts/test-counts.ts <results.json>")

// Vitest wrote it: its shape is the reporter's documented one.
const results = JSON.parse(readFileSync(file, "utf8")) as Results

/** A file that could not be loaded has no tests to count: it counts as one failure. */
const notLoaded = results.testResults.filter(
  (suite) => suite.status === "failed" && suite.assertionResults.length === 0
).length

const failed = results.numFailedTests + notLoaded
const skipped = results.numPendingTests + results.numTodoTests
console.log(`${results.numPassedTests} passed, ${failed} failed${skipped === 0 ? "" : `, ${skipped} skipped`}`)
