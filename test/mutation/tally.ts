/** Counts what became of the mutants that were drawn. */
import type { schema } from "@stryker-mutator/api/core"
import { reasons } from "./Draw.ts"

export interface Tally {
  readonly drawn: number
  /** Caught by a test of the package. */
  readonly own: number
  /** Caught by tests of other folders alone, such as the simulation. */
  readonly others: number
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

export const tally = (packageName: string, { files, testFiles = {} }: Readonly<schema.MutationTestResult>): Tally => {
  const own = new Set(
    Object.entries(testFiles).flatMap(([path, { tests }]) =>
      path.includes(`packages/${packageName}/test/`) ? tests.map(({ id }) => id) : []
    )
  )
  const mutants = Object.values(files)
    .flatMap((file) => file.mutants)
    .filter((mutant) => !isOutside(mutant))
  const count = (status: schema.MutantStatus) => mutants.filter((mutant) => mutant.status === status).length
  const others = mutants.filter(
    ({ killedBy = [], status }) => status === "Killed" && killedBy.every((id) => !own.has(id))
  ).length
  return {
    drawn: mutants.length,
    types: count("CompileError"),
    own: count("Killed") - others,
    others,
    timeouts: count("Timeout"),
    breaks: count("RuntimeError"),
    survived: count("Survived"),
    uncovered: count("NoCoverage")
  }
}

/**
 * Throws if a drawn mutant runs in no test of another folder although there are some: then these tests loaded the original
 * packages, not the mutated copy.
 */
export const assertOthersRun = (
  packageName: string,
  tests: ReadonlyArray<string>,
  { files, testFiles = {} }: Readonly<schema.MutationTestResult>
): void => {
  const isOther = (path: string) => !path.includes(`packages/${packageName}/`)
  const others = new Set(
    Object.entries(testFiles).flatMap(([path, file]) => (isOther(path) ? file.tests.map(({ id }) => id) : []))
  )
  const mutants = Object.values(files).flatMap((file) => file.mutants)
  const isRun = mutants.some(({ coveredBy = [] }) => coveredBy.some((id) => others.has(id)))
  if (tests.some(isOther) && !isRun) {
    throw new Error("No test of another folder ran a mutant: check `packagesOfCopy` in test/mutation/vitest.config.ts")
  }
}

/** The mutants that compile, and so had to be caught by a run. */
export const compiling = ({ drawn, types }: Tally): number => drawn - types

export const caught = (result: Tally): number => compiling(result) - result.survived - result.uncovered
