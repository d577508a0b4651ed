/** Everything but the tests, one line per step. A failed step shows its output, and the rest still run. */
import { spawnSync } from "node:child_process"

const steps: { readonly [name: string]: ReadonlyArray<string> } = {
  lockfile: ["install", "--lockfile-only", "--frozen-lockfile", "--no-trust-lockfile"],
  typecheck: ["run", "typecheck"],
  lint: ["run", "lint"],
  "format:check": ["run", "format", "--check"],
  spelling: ["exec", "cspell", "--no-progress", "--quiet"],
  unused: ["run", "unused"],
  phrases: ["exec", "node", "scripts/phrases.ts"],
  generated: ["run", "generate", "--check"],
  counters: ["run", "counters"],
  build: ["run", "build"],
  snippets: ["exec", "node", "scripts/snippets.ts"],
  "check-packages": ["exec", "node", "scripts/check-packages.ts"]
}
/** Steps whose output is a result, and not only what failed. */
const printed = new Set(["counters", "check-packages"])
const needBuild = new Set(["snippets", "check-packages"])
const failed: Array<string> = []

const run = (step: string, command: ReadonlyArray<string>) => {
  if (needBuild.has(step) && failed.includes("build")) return { ok: false, output: "There is no build." }
  const { error, status, stderr, stdout } = spawnSync("pnpm", command, { encoding: "utf8" })
  return { ok: status === 0, output: error?.message ?? `${stdout}${stderr}` }
}

for (const [index, [step, command]] of Object.entries(steps).entries()) {
  const started = performance.now()
  const { ok, output } = run(step, command)
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  console.log(`[${index + 1}/${Object.keys(steps).length}] ${step}: ${ok ? "ok" : "FAILED"} (${seconds} s)`)
  if (!ok) failed.push(step)
  if (!ok || printed.has(step)) console.log(output)
}

console.log(failed.length === 0 ? "All checks passed." : `Failed: ${failed.join(", ")}.`)
process.exitCode = failed.length === 0 ? 0 : 1
