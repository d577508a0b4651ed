/**
 * Which mutants TypeScript rejects: one run of `tsc` over all of them, each in a file of its own beside the original.
 * Their importers keep the original file, so an error that only an importer would show is not found.
 */
import { spawnSync } from "node:child_process"
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { mutated, pathOf } from "./mutantId.ts"
import type { Place } from "./mutantId.ts"

/** The original repository, also where Stryker has made a copy of it the current directory. */
const root = fileURLToPath(new URL("../..", import.meta.url))
const inRoot = (path: string): string => join(root, path)

/** The ids of the mutants that do not compile. */
export const typeErrors = (
  packageName: string,
  mutants: ReadonlyArray<Place & { readonly id: string }>
): ReadonlySet<string> => {
  const folder = `packages/${packageName}`
  const directory = mkdtempSync(join(tmpdir(), "paymux-mutant-types-"))
  try {
    cpSync(inRoot(`${folder}/src`), join(directory, "src"), { recursive: true })
    cpSync(inRoot(`${folder}/package.json`), join(directory, "package.json"))
    symlinkSync(inRoot(`${folder}/node_modules`), join(directory, "node_modules"))
    writeFileSync(join(directory, "tsconfig.json"), JSON.stringify(config()))
    for (const mutant of mutants) {
      const path = pathOf(mutant)
      const copy = path.replace(`${folder}/`, "").replace(/\.ts$/, `.mutant-${mutant.id}.ts`)
      writeFileSync(join(directory, copy), mutated(readFileSync(inRoot(path), "utf8"), mutant))
    }
    return rejected(directory)
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

const config = () => ({
  extends: inRoot("tsconfig.base.json"),
  compilerOptions: {
    noEmit: true,
    typeRoots: [inRoot("node_modules/@types")],
    // A condition that became constant leaves names and statements without use: that is no error of types.
    noUnusedLocals: false,
    allowUnreachableCode: true
  },
  include: ["src/**/*.ts"]
})

const rejected = (directory: string): ReadonlySet<string> => {
  const tsc = spawnSync(inRoot("node_modules/.bin/tsc"), ["--project", directory, "--pretty", "false"], {
    encoding: "utf8",
    maxBuffer: 2 ** 28
  })
  if (tsc.error !== undefined) throw tsc.error
  const lines = tsc.stdout.split("\n").filter((line) => line.includes("error TS"))
  // Without a word from the compiler every mutant would pass for one that compiles.
  if (tsc.status !== 0 && lines.length === 0) {
    throw new Error(`The types could not be checked (${tsc.signal ?? tsc.status}): ${tsc.stderr}`)
  }
  const foreign = lines.find((line) => !place.test(line))
  if (foreign !== undefined) throw new Error(`The types of the code without mutants have an error: ${foreign}`)
  return new Set(lines.map((line) => place.exec(line)?.[1] ?? ""))
}

const place = /\.mutant-([^.(]+)\.ts\(/
