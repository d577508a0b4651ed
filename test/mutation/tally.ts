/** Counts what became of the mutants that were drawn. */
import type { schema } from "@stryker-mutator/api/core"
import { reasons } from "./Draw.ts"

export interface Tally {
  readonly drawn: number
  readonly tests: number
  readonly simulation: number
  readonly timeouts: number
  /** TypeScript rejects it: it was not run. */
  readonly types: number
  /** The mutated module did not load, or an error was thrown outside a test. */
  readonly breaks: number
  readonly survived: number
  /** Survived, as no test runs the line. */
  readonly uncovered: number
}

/** Not drawn, or left out for good. */
export const isOutside = ({ status, statusReason }: Pick<schema.MutantResult, "status" | "statusReason">): boolean =>
  status === "Ignored" || (status === "CompileError" && statusReason !== reasons.types)

export const tally = ({ files, testFiles = {} }: Readonly<schema.MutationTestResult>): Tally => {
  const simulated = new Set(
    Object.entries(testFiles).flatMap(([path, { tests }]) =>
      path.includes("mutation/simulation") ? tests.map(({ id }) => id) : []
    )
  )
  const all = Object.values(files).flatMap((file) => file.mutants)
  if (!all.some(({ coveredBy = [] }) => coveredBy.some((id) => simulated.has(id)))) {
    throw new Error("The simulation ran no mutant: check the aliases of test/mutation/vitest.config.ts")
  }
  const mutants = all.filter((mutant) => !isOutside(mutant))
  const count = (status: schema.MutantStatus) => mutants.filter((mutant) => mutant.status === status).length
  const simulation = mutants.filter(
    ({ killedBy = [], status }) => status === "Killed" && killedBy.every((id) => simulated.has(id))
  ).length
  return {
    drawn: mutants.length,
    types: count("CompileError"),
    tests: count("Killed") - simulation,
    simulation,
    timeouts: count("Timeout"),
    breaks: count("RuntimeError"),
    survived: count("Survived"),
    uncovered: count("NoCoverage")
  }
}

/** Of the mutants that compile, and so had to be caught by a run. */
export const percentage = (result: Tally): number => {
  const compiling = result.drawn - result.types
  return compiling === 0 ? 100 : ((compiling - result.survived - result.uncovered) / compiling) * 100
}
