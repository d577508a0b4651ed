/** Where an adapter goes, and what it is there: a package of this repository, or anybody's own. */
import { Effect } from "effect"
import { existsSync, readFileSync } from "node:fs"
import { readdir } from "node:fs/promises"
import { basename, dirname, join, resolve } from "node:path"
import { AdapterRefused, refusedBy } from "./AdapterRefused.ts"

export interface Place {
  readonly home: Home
  /** Absolute. */
  readonly folder: string
}

/** `workspace`: below `packages/adapters` of Paymux's own repository. */
export type Home = "workspace" | "outside"

/** Below `cwd`, unless `dir` says where. It looks, and changes nothing. */
export const placeOf = Effect.fnUntraced(function* (
  id: string,
  cwd: string,
  dir: string | null
): Effect.fn.Return<Place, AdapterRefused> {
  const folder = dir === null ? defaultFolder(id, cwd) : resolve(cwd, dir)
  const root = workspaceAbove(folder)
  const home: Home = root !== null && dirname(folder) === adaptersOf(root) ? "workspace" : "outside"
  if (home === "workspace" && basename(folder) !== id) {
    return yield* new AdapterRefused({ message: `In the repository of Paymux the folder of "${id}" is called ${id}.` })
  }
  yield* isFree(folder)
  return { home, folder }
})

const defaultFolder = (id: string, cwd: string): string => {
  const root = workspaceAbove(cwd)
  return root === null ? join(cwd, `paymux-${id}`) : join(adaptersOf(root), id)
}

const adaptersOf = (root: string): string => join(root, "packages", "adapters")

const workspaceAbove = (folder: string): string | null => {
  if (isWorkspace(folder)) return folder
  const parent = dirname(folder)
  return parent === folder ? null : workspaceAbove(parent)
}

const isWorkspace = (folder: string): boolean =>
  existsSync(join(folder, "pnpm-workspace.yaml")) &&
  existsSync(join(folder, "package.json")) &&
  /"name":\s*"paymux-workspace"/.test(readFileSync(join(folder, "package.json"), "utf8"))

/** It does not exist, or is a folder with nothing in it but a repository that was just made. */
const isFree = Effect.fnUntraced(function* (folder: string) {
  const entries = yield* Effect.tryPromise({
    try: () => readdir(folder).catch(noneIfMissing),
    catch: (error) => refusedBy(`${folder} is no folder that can be used`, error)
  })
  if (entries.some((name) => name !== ".git"))
    return yield* new AdapterRefused({ message: `${folder} is there already, and is not empty.` })
})

const noneIfMissing = (error: NodeJS.ErrnoException): ReadonlyArray<string> => {
  if (error.code === "ENOENT") return []
  throw error
}
