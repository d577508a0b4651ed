/** The two checkouts: this one as it is, and a work tree of the other commit with its own install. */
import { execFile } from "node:child_process"
import { createHash } from "node:crypto"
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { promisify } from "node:util"
import { entry } from "./Program.ts"
import { UsageError } from "./UsageError.ts"

export const root = resolve(import.meta.dirname, "../../..")

/** Not under `node_modules`: Node strips no types there. */
const cache = join(tmpdir(), `paymux-same-${createHash("sha256").update(root).digest("hex").slice(0, 8)}`)

const git = async (repository: string, ...args: ReadonlyArray<string>): Promise<string> =>
  (await promisify(execFile)("git", args, { cwd: repository, maxBuffer: 2 ** 26 })).stdout.trim()

/** The full hash of a commit that can be replayed on. */
export const commitOf = async (name: string, repository = root): Promise<string> => {
  const hash = await git(repository, "rev-parse", "--verify", "--quiet", "--end-of-options", `${name}^{commit}`).catch(
    () => null
  )
  if (hash === null) throw new UsageError(`${name} is not a commit of this repository.`)
  await git(repository, "cat-file", "-e", `${hash}:${entry}`).catch(() => {
    throw new UsageError(`Commit ${name} has no ${entry}, which the replay starts: name a later commit.`)
  })
  return hash
}

/** What is accepted belongs to the commit, so that a reviewer sees it. */
export const refuseUncommitted = async (file: string, repository = root): Promise<void> => {
  const status = await git(repository, "status", "--porcelain", "--", file)
  if (status !== "") throw new UsageError(`${file} differs from the last commit: commit it first.`)
}

/** Installed once for a commit; the work tree of another commit is removed first. */
export const workTreeOf = async (hash: string, say: (step: string) => void): Promise<string> => {
  const folder = join(cache, hash)
  const complete = join(folder, "node_modules/.installed-for-same")
  if (existsSync(complete)) return folder
  await removeWorkTrees()
  mkdirSync(cache, { recursive: true })
  say(`checking out ${hash.slice(0, 8)}`)
  await git(root, "worktree", "add", "--detach", "--force", folder, hash)
  try {
    say(`installing ${hash.slice(0, 8)}`)
    await install(folder)
  } catch (cause) {
    await removeWorkTrees()
    throw cause
  }
  writeFileSync(complete, "")
  return folder
}

export const removeWorkTrees = async (): Promise<void> => {
  for (const name of existsSync(cache) ? readdirSync(cache) : []) {
    await git(root, "worktree", "remove", "--force", "--force", join(cache, name)).catch(() => undefined)
  }
  rmSync(cache, { recursive: true, force: true })
  await git(root, "worktree", "prune")
}

const install = async (folder: string): Promise<void> => {
  const args = ["-y", "pnpm@12", "install", "--prefer-offline", "--frozen-lockfile"]
  // Of the run that started this one: pnpm would take this checkout for that of the command.
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(?:npm_|pnpm_)/i.test(name)))
  try {
    await promisify(execFile)("npx", args, { cwd: folder, env: { ...env, CI: "true" }, maxBuffer: 2 ** 26 })
  } catch (cause) {
    const output = cause instanceof Error && "stdout" in cause ? String(cause.stdout).slice(-2_000) : ""
    throw new UsageError(`The install of ${folder} failed.\n${output}`, { cause })
  }
}

/** Both sides serve the pages of the dashboard as they are in their sources. */
export const buildPages = async (folder: string): Promise<void> => {
  const script = join(folder, "scripts/dashboard-app.ts")
  if (existsSync(script)) await promisify(execFile)(process.execPath, [script], { cwd: folder })
}
