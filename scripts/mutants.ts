/**
 * Mutation testing: `node scripts/mutants.ts --package core --seed 1 --mutants 300`.
 *
 * Changes the source of a package in one place, runs the tests that execute the place, and expects one of them to fail.
 * The run fails below the recorded rate in `test/mutation/rates.json`.
 *
 *     --package <name>  one of `test/mutation/packages.ts`; default `core`
 *     --only <id>       one mutant again, or all whose id starts so; may be repeated
 *     --record          writes the rate as the new floor
 *     --static          also code that runs while modules load: slow
 */
import { execFileSync } from "node:child_process"
import { globSync, readFileSync } from "node:fs"
import { mkdtemp, rm } from "node:fs/promises"
import { availableParallelism, tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { parseArgs } from "node:util"
import type { PartialStrykerOptions } from "@stryker-mutator/api/core"
import { Stryker } from "@stryker-mutator/core"
import { drawnPlaces, placesOfIds } from "../test/mutation/drawnPlaces.ts"
import { mutatedPackage } from "../test/mutation/packages.ts"
import { placesOf } from "../test/mutation/places.ts"
import type { DrawnPlace, RunSettings } from "../test/mutation/RunSettings.ts"
import { startPostgres } from "../test/support/PostgresServer.ts"

const { values } = parseArgs({
  options: {
    package: { type: "string" },
    seed: { type: "string", default: "1" },
    mutants: { type: "string", default: "300" },
    only: { type: "string", multiple: true, default: [] },
    record: { type: "boolean", default: false },
    static: { type: "boolean", default: false },
    workers: { type: "string", default: String(Math.max(2, availableParallelism())) }
  }
})

const main = async (): Promise<void> => {
  process.chdir(fileURLToPath(new URL("..", import.meta.url)))
  const name = values.package ?? /^packages\/([^/]+)\//.exec(values.only[0] ?? "")?.[1] ?? "core"
  const { needsPostgres = false } = mutatedPackage(name)
  const places = placesToMutate(name)
  // The processes of Stryker inherit the environment.
  process.env["PAYMUX_MUTATED_PACKAGE"] = name
  const directory = await mkdtemp(join(tmpdir(), "paymux-mutants-"))
  const postgres = needsPostgres && (process.env["DATABASE_URL"] ?? "") === "" ? await startPostgres() : null
  if (postgres !== null) process.env["DATABASE_URL"] = postgres.url
  try {
    await new Stryker(options(name, places, directory)).runMutationTest()
  } finally {
    await postgres?.stop()
    await rm(directory, { recursive: true, force: true })
  }
}

const placesToMutate = (name: string): ReadonlyArray<DrawnPlace> => {
  const all = globSync(mutatedPackage(name).sources).flatMap((path) => placesOf(path, readFileSync(path, "utf8")))
  const unknown = values.only.find((id) => placesOfIds(all, [id]).length === 0)
  if (unknown !== undefined) throw new Error(`--only ${unknown} names no place in the sources of ${name}`)
  const drawable = all.filter(({ isStatic }) => values.static || !isStatic)
  const places =
    values.only.length > 0
      ? placesOfIds(all, values.only)
      : drawnPlaces(name, drawable, number("seed"), number("mutants"))
  if (places.length > most) {
    throw new Error(
      `One run mutates at most ${most} places, not ${places.length}: use fewer --mutants or a longer --only`
    )
  }
  return places.map(({ index, location, name: within, path }) => ({ path, name: within, index, location }))
}

/** Stryker sends all mutants, each with the names of its tests, to another process as one text, which V8 limits. */
const most = 2_000

const options = (name: string, places: ReadonlyArray<DrawnPlace>, directory: string): PartialStrykerOptions => ({
  // Stryker counts columns from 0.
  mutate: places.map(
    ({ location: { end, start }, path }) => `${path}:${start.line}:${start.column - 1}-${end.line}:${end.column - 1}`
  ),
  testRunner: "vitest",
  vitest: { configFile: "test/mutation/vitest.config.ts", related: false },
  plugins: ["@stryker-mutator/vitest-runner", fileURLToPath(new URL("../test/mutation/plugins.ts", import.meta.url))],
  checkers: ["draw"],
  ignorers: ["only-drawn", "log-texts"],
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
  ignorePatterns: ["docs/examples"],
  timeoutMS: 10_000,
  dryRunTimeoutMinutes: 60,
  allowEmpty: false,
  warnings: { unknownOptions: false, slow: false, preprocessorErrors: true, unserializableOptions: true },
  paymux: {
    package: name,
    seed: number("seed"),
    mutants: number("mutants"),
    only: values.only,
    places,
    ratesFile: fileURLToPath(new URL("../test/mutation/rates.json", import.meta.url)),
    record: values.record ? { date: new Date().toISOString().slice(0, 10), commit: head() } : null,
    drawFile: join(directory, "draw.json")
  } satisfies RunSettings
})

const number = (name: "seed" | "mutants" | "workers"): number => {
  const value = Number(values[name])
  if (!Number.isInteger(value) || value < 1) throw new Error(`--${name} must be a whole number from 1`)
  return value
}

const head = (): string => execFileSync("git", ["rev-parse", "--short=8", "HEAD"], { encoding: "utf8" }).trim()

await main()
