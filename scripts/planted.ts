/**
 * Plants the bugs of `test/planted` one at a time and expects the tests of its own package to notice each:
 * `node scripts/planted.ts`. It changes the sources in place and restores them, also after Ctrl-C.
 *
 *     --package http   only bugs of this package; may be repeated
 *     --bug Retry      only bugs whose name contains this
 *     --whole          all tests of the package, not first the file that noticed the bug before
 *     --least 54       fails the run if fewer are noticed
 */
import { spawn } from "node:child_process"
import type { ChildProcess } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { parseArgs } from "node:util"
import { plantedBugs } from "../test/planted/bugs.ts"
import { moneyBugs } from "../test/planted/moneyBugs.ts"
import type { PlantedBug } from "../test/planted/bugs.ts"

const { values } = parseArgs({
  options: {
    package: { type: "string", multiple: true, default: [] },
    bug: { type: "string", default: "" },
    whole: { type: "boolean", default: false },
    least: { type: "string", default: "54" }
  }
})

const root = fileURLToPath(new URL("..", import.meta.url))
const folder = mkdtempSync(join(tmpdir(), "paymux-planted-"))
const planted: { restore: () => void; tests: ChildProcess | null } = { restore: () => undefined, tests: null }
process.on("exit", () => {
  planted.restore()
  planted.tests?.kill()
  rmSync(folder, { recursive: true, force: true })
})
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => process.exit(1))

const main = async (): Promise<void> => {
  const isChosen = (bug: PlantedBug) =>
    bug.name.includes(values.bug) && (values.package.length === 0 || values.package.includes(bug.package))
  const chosen = [...plantedBugs, ...moneyBugs].filter(isChosen)
  let caught = 0
  for (const bug of chosen) {
    const started = performance.now()
    plant(bug)
    const by = await noticedBy(bug)
    planted.restore()
    if (by !== null) caught++
    const seconds = Math.round((performance.now() - started) / 1000)
    console.log(`${by === null ? "NOT CAUGHT" : "caught"}  ${bug.package}: ${bug.name}  ${seconds} s  ${by ?? ""}`)
  }
  console.log(`${caught} of ${chosen.length} caught`)
  process.exitCode = caught >= Math.min(Number(values.least), chosen.length) ? 0 : 1
}

const plant = ({ file, from, name, package: owner, to }: PlantedBug): void => {
  const path = join(root, "packages", owner, "src", file)
  const source = readFileSync(path, "utf8")
  if (source.split(from).length !== 2) throw new Error(`${name}: ${file} does not have the text exactly once`)
  writeFileSync(
    path,
    source.replace(from, () => to)
  )
  planted.restore = () => {
    writeFileSync(path, source)
    planted.restore = () => undefined
  }
}

/** A test that failed; `null`: none did. */
const noticedBy = async ({ caughtBy, package: owner }: PlantedBug): Promise<string | null> => {
  const tests = `packages/${owner}/test/`
  const first = values.whole ? null : await failureIn(`${tests}${caughtBy}`)
  return first ?? (await failureIn(tests))
}

const failureIn = async (tests: string): Promise<string | null> => {
  const file = join(folder, "report.json")
  rmSync(file, { force: true })
  const code = await vitest([tests, "--maxWorkers=2", "--bail=1", "--reporter=json", `--outputFile=${file}`])
  if (code === 0) return null
  // Boundary: Vitest's report, in the form of Jest's.
  const { testResults } = JSON.parse(readFileSync(file, "utf8")) as Report
  const failed = testResults.flatMap(({ assertionResults, name }) =>
    assertionResults.flatMap(({ fullName, status }) =>
      status === "failed" ? [`${name.slice(root.length)} › ${fullName}`] : []
    )
  )
  return failed[0] ?? "the run itself"
}

interface Report {
  readonly testResults: ReadonlyArray<{
    readonly name: string
    readonly assertionResults: ReadonlyArray<{ readonly status: string; readonly fullName: string }>
  }>
}

const vitest = (args: ReadonlyArray<string>): Promise<number | null> =>
  new Promise((resolve, reject) => {
    const program = join(root, "node_modules/vitest/vitest.mjs")
    planted.tests = spawn(process.execPath, [program, "run", ...args], { cwd: root, stdio: "ignore" })
      .once("error", reject)
      .once("exit", resolve)
  })

await main()
