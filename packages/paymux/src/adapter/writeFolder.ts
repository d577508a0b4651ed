/** Writes a folder with all of its files, or nothing. */
import { Effect } from "effect"
import { existsSync } from "node:fs"
import { mkdir, readdir, rm, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { type AdapterRefused, refusedBy } from "./AdapterRefused.ts"
import type { TextFile } from "./TextFile.ts"

/** The folder is empty, or is made with those above it. */
export const writeFolder = Effect.fnUntraced(function* (
  folder: string,
  files: ReadonlyArray<TextFile>
): Effect.fn.Return<void, AdapterRefused> {
  const attempt = (work: () => Promise<void>) =>
    Effect.tryPromise({ try: work, catch: (error) => refusedBy(`${folder} cannot be written`, error) })
  const [highest, ...below] = missing(folder)
  if (highest !== undefined) yield* attempt(() => mkdir(highest))
  yield* Effect.forEach(below, (each) => attempt(() => mkdir(each))).pipe(
    Effect.andThen(Effect.forEach(files, (file) => attempt(() => write(folder, file)))),
    Effect.onError(() => Effect.promise(() => (highest === undefined ? empty(folder) : remove(highest))))
  )
})

/** One by one, the highest first: a recursive `mkdir` of Node never ends in a folder that cannot hold any, as `/proc`. */
const missing = (folder: string): ReadonlyArray<string> =>
  existsSync(folder) ? [] : [...missing(dirname(folder)), folder]

const write = async (folder: string, { path, text }: TextFile): Promise<void> => {
  await mkdir(dirname(join(folder, path)), { recursive: true })
  await writeFile(join(folder, path), text, { flag: "wx" })
}

/** The repository that it was is left. */
const empty = async (folder: string): Promise<void> => {
  for (const name of await readdir(folder)) if (name !== ".git") await remove(join(folder, name))
}

const remove = (path: string): Promise<void> => rm(path, { recursive: true, force: true })
