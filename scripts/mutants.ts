/**
 * Mutation testing of the payment domain and its execution: `node scripts/mutants.ts --seed 1 --mutants 500`.
 *
 * Changes the source in one place, runs the tests that execute the place and a short simulation, and expects one of them
 * to fail.
 *
 *     --only <id>    one mutant again, or all whose id starts so; may be repeated
 *     --least 85     fails the run below this percentage of caught mutants
 *     --static       also code that runs while modules load: slow
 */
import { mkdtemp, rm } from "node:fs/promises"
import { availableParallelism, tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { parseArgs } from "node:util"
import type { PartialStrykerOptions } from "@stryker-mutator/api/core"
import { Stryker } from "@stryker-mutator/core"
import type { RunSettings } from "../test/mutation/RunSettings.ts"

const { values } = parseArgs({
  options: {
    seed: { type: "string", default: "1" },
    mutants: { type: "string", default: "500" },
    only: { type: "string", multiple: true, default: [] },
    least: { type: "string", default: "85" },
    workers: { type: "string", default: String(Math.max(2, availableParallelism())) },
    static: { type: "boolean", default: false },
    files: { type: "string", default: "packages/core/src/{domain,execution}/**/*.ts" }
  }
})

const main = async (): Promise<void> => {
  process.chdir(fileURLToPath(new URL("..", import.meta.url)))
  const directory = await mkdtemp(join(tmpdir(), "paymux-mutants-"))
  try {
    await new Stryker(options(directory)).runMutationTest()
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}

const options = (directory: string): PartialStrykerOptions => ({
  mutate: [values.files],
  testRunner: "vitest",
  vitest: { configFile: "test/mutation/vitest.config.ts", related: false },
  plugins: ["@stryker-mutator/vitest-runner", fileURLToPath(new URL("../test/mutation/plugins.ts", import.meta.url))],
  checkers: ["draw"],
  ignorers: ["log-texts"],
  reporters: ["paymux"],
  coverageAnalysis: "perTest",
  // Code that runs while modules load needs a new process for each mutant, and all tests.
  ignoreStatic: !values.static,
  concurrency: number("workers"),
  // Outside of the checkout: the other tools would read the copies.
  tempDirName: join(directory, "copies"),
  // TypeScript 7 has no API: Stryker must not read the tsconfig, which it does through that API.
  tsconfigFile: join(directory, "none.json"),
  disableTypeChecks: false,
  ignorePatterns: ["docs", "packages/adapters"],
  timeoutMS: 10_000,
  allowEmpty: false,
  warnings: { unknownOptions: false, slow: false, preprocessorErrors: true, unserializableOptions: true },
  paymux: {
    seed: number("seed"),
    mutants: number("mutants"),
    only: values.only,
    least: number("least"),
    drawFile: join(directory, "draw.json")
  } satisfies RunSettings
})

const number = (name: "seed" | "mutants" | "least" | "workers"): number => {
  const value = Number(values[name])
  if (!Number.isFinite(value) || value < 0) throw new Error(`--${name} must be a number`)
  return value
}

await main()
