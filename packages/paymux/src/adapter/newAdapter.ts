/** Makes the package of an adapter that works: a vendor that does not exist, its fake, and its test by the checks. */
import type { Rail } from "@paymux/core"
import { Effect } from "effect"
import type { Adapter } from "./Adapter.ts"
import type { AdapterRefused } from "./AdapterRefused.ts"
import { namesOf } from "./Names.ts"
import { packageFiles } from "./packageFiles.ts"
import { type Place, placeOf } from "./Place.ts"
import { readme } from "./readme.ts"
import { capabilities, sources } from "./sources.ts"
import { writeFolder } from "./writeFolder.ts"

export interface Asked {
  readonly name: string
  readonly rail: Rail
  /** Absolute. */
  readonly cwd: string
  /** `null`: by the name, below `packages/adapters` of this repository, or below `cwd`. */
  readonly dir: string | null
}

export interface Made extends Place {
  readonly adapter: Adapter
  /** In the folder. */
  readonly paths: ReadonlyArray<string>
}

/** Refused before anything is written. What cannot be written to its end is removed. */
export const newAdapter = Effect.fnUntraced(function* ({
  cwd,
  dir,
  name,
  rail
}: Asked): Effect.fn.Return<Made, AdapterRefused> {
  const names = yield* Effect.fromResult(namesOf(name))
  const { folder, home } = yield* placeOf(names.id, cwd, dir)
  const adapter: Adapter = { names, rail, home }
  const files = [...packageFiles(adapter), readme(adapter, yield* capabilities(rail)), ...(yield* sources(adapter))]
  yield* writeFolder(folder, files)
  return { home, folder, adapter, paths: files.map(({ path }) => path) }
})
