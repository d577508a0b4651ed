/**
 * Every test with its whole input, file by file, and then the benchmarks with bounds: `node scripts/test-full.ts`. It
 * takes hours on two cores.
 *
 * A run that was interrupted goes on at the same commit with the parts that have not passed yet.
 *
 *     --fresh        from the beginning
 *     --only <text>  the parts whose name contains it, such as the path of a file or "bench"; may be repeated
 */
import { spawnSync } from "node:child_process"
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { parseArgs } from "node:util"
import { filesInPart, longFiles } from "../test/support/turns.ts"
import config from "../vitest.config.ts"

const { values } = parseArgs({
  options: {
    fresh: { type: "boolean", default: false },
    only: { type: "string", multiple: true, default: [] }
  }
})

const root = fileURLToPath(new URL("..", import.meta.url))
const folder = join(root, "node_modules/.cache/paymux-full")
const resultsFile = join(folder, "results.json")

/** By part: how long it took at the last time (s), and the commit at which it passed last. */
interface Results {
  readonly [part: string]: { readonly seconds: number; readonly passedAt: string | null }
}

/** What the ordinary tests try, in one process. */
const ordinary = "all other tests"

/** The benchmarks that end with 1 where a bound does not hold. They need a quiet machine, so they are the last parts. */
const benches = [
  "bench compare --case engine",
  "bench compare --case http",
  "bench compare --case postgres",
  "bench at-size sqlite",
  "bench at-size postgres"
]

const parts = (): ReadonlyArray<string> => {
  const include = config.test?.include ?? []
  const files = [...longFiles(root), ...filesInPart(root, include)]
  const paths = files.map((file) => file.replaceAll("\\", "/").replace(root.replaceAll("\\", "/"), ""))
  const names = [ordinary, ...paths, ...benches]
  return values.only.length === 0 ? names : names.filter((name) => values.only.some((text) => name.includes(text)))
}

/** The commit, or `null` with changes that are not committed: then nothing is known to have passed. */
const commit = (): string | null => {
  const git = (...args: ReadonlyArray<string>) => spawnSync("git", args, { cwd: root, encoding: "utf8" }).stdout.trim()
  return git("status", "--porcelain") === "" ? git("rev-parse", "HEAD") : null
}

const read = (): Results => (existsSync(resultsFile) ? JSON.parse(readFileSync(resultsFile, "utf8")) : {})

const programOf = (part: string): ReadonlyArray<string> => {
  if (benches.includes(part)) return [join(root, "test/bench/bench.ts"), ...part.split(" ").slice(1)]
  const vitest = join(root, "node_modules/vitest/vitest.mjs")
  return part === ordinary ? [vitest, "run"] : [vitest, "run", "--config", "vitest.full.config.ts", part]
}

const run = (part: string): boolean => {
  return spawnSync(process.execPath, programOf(part), { cwd: root, stdio: "inherit" }).status === 0
}

/** As people say it: `40 s`, `12 min`, `1 h 5 min`. */
const duration = (seconds: number): string => {
  const minutes = Math.round(seconds / 60)
  if (seconds < 90) return `${Math.round(seconds)} s`
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

/** Of parts that never ran nothing is known. */
const timeLeft = (left: ReadonlyArray<string>, results: Results): string => {
  const known = left.flatMap((part) => results[part]?.seconds ?? [])
  const unknown = left.length - known.length
  const sum = known.reduce((total, each) => total + each, 0)
  return `${duration(sum)} left${unknown === 0 ? "" : `, and ${unknown} parts whose duration is not known`}`
}

const main = (): void => {
  mkdirSync(folder, { recursive: true })
  const head = commit()
  let results = read()
  const all = parts()
  if (all.length === 0) {
    console.error(`No part of the full tests has a name that contains ${values.only.join(" or ")}.`)
    process.exitCode = 1
    return
  }
  const todo = all.filter((part) => values.fresh || head === null || results[part]?.passedAt !== head)
  if (todo.length < all.length)
    console.log(`${all.length - todo.length} of ${all.length} parts have passed at this commit.`)
  const failed: Array<string> = []
  for (const [index, part] of todo.entries()) {
    console.log(`\n[${index + 1}/${todo.length}] ${part} · ${timeLeft(todo.slice(index), results)}`)
    const started = performance.now()
    const isPassed = run(part)
    const seconds = (performance.now() - started) / 1000
    results = { ...results, [part]: { seconds, passedAt: isPassed ? head : null } }
    writeFileSync(resultsFile, JSON.stringify(results))
    if (!isPassed) failed.push(part)
  }
  console.log(`\n${all.length - failed.length} of ${all.length} parts passed.`)
  for (const part of failed)
    console.log(`FAILED ${part}; again: pnpm test:full --only ${part.includes(" ") ? `"${part}"` : part}`)
  process.exitCode = failed.length === 0 ? 0 : 1
}

main()
