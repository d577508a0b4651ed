/**
 * Builds the pages of the dashboard into `packages/dashboard/dist/app`, unless they were built from the present sources.
 * `pnpm install`, the tests and the build of the package run it.
 *
 * Several processes may run it at once: each builds in a folder of its own, which then replaces the former one.
 */
import { spawnSync } from "node:child_process"
import { createHash } from "node:crypto"
import {
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync
} from "node:fs"
import { join, resolve, sep } from "node:path"

const root = resolve(import.meta.dirname, "..")
const app = join(root, "packages/dashboard/app")
const target = join(root, "packages/dashboard/dist/app")
const cache = join(root, "node_modules/.cache")
/** Within the built folder: a build by hand empties that, and with it this file. */
const marker = "built-from.txt"

export const buildDashboardApp = (): "built" | "unchanged" => {
  const sources = hashOfSources()
  if (isBuiltFrom(sources)) return "unchanged"
  mkdirSync(cache, { recursive: true })
  const scratch = mkdtempSync(join(cache, "dashboard-app-"))
  try {
    const built = join(scratch, "app")
    viteBuild(built)
    writeFileSync(join(built, marker), `${sources}\n`)
    replaceTarget(built, scratch, sources)
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
  return "built"
}

const isBuiltFrom = (sources: string): boolean => {
  const file = join(target, marker)
  return existsSync(join(target, "index.html")) && existsSync(file) && readFileSync(file, "utf8").trim() === sources
}

/** Of the name and content of each file: of the app, and of core, a part of which is bundled with it. */
const hashOfSources = (): string => {
  const hash = createHash("sha256")
  const names = ["packages/dashboard/app", "packages/core/src"]
    .flatMap((folder) => globSync(`${folder}/**`, { cwd: root, exclude: (name) => name === "node_modules" }))
    .map((name) => name.split(sep).join("/"))
    .filter((name) => statSync(join(root, name)).isFile())
  for (const name of names.sort()) {
    const bytes = readFileSync(join(root, name))
    hash.update(`${name}\0${bytes.length}\0`).update(bytes)
  }
  return hash.digest("hex")
}

const viteBuild = (outDir: string) => {
  const vite = join(app, "node_modules/vite/bin/vite.js")
  const { error, status, stderr, stdout } = spawnSync(
    process.execPath,
    [vite, "build", "--outDir", outDir, "--emptyOutDir", "--logLevel", "warn"],
    // Vitest sets NODE_ENV to "test": React would be the one for development.
    { cwd: app, encoding: "utf8", env: { ...process.env, NODE_ENV: "production" } }
  )
  if (status !== 0) throw new Error(`The dashboard was not built.\n${error?.message ?? `${stdout}${stderr}`}`)
}

/** Another process may do the same at any point. Then one of the two results stays; both are from the same sources. */
const replaceTarget = (built: string, scratch: string, sources: string) => {
  mkdirSync(join(target, ".."), { recursive: true })
  for (let attempt = 1; ; attempt++) {
    try {
      if (existsSync(target)) renameSync(target, join(scratch, `former-${attempt}`))
      renameSync(built, target)
      return
    } catch (cause) {
      if (isBuiltFrom(sources)) return
      if (attempt === 10) throw cause
    }
  }
}

if (import.meta.main) console.log(`Dashboard: ${buildDashboardApp()}.`)
