/** The sources and tests of a new adapter: those of Acme, a small adapter that is tested with this package, renamed. */
import type { Rail } from "@paymux/core"
import { Effect } from "effect"
import { readdir, readFile } from "node:fs/promises"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import type { Adapter } from "./Adapter.ts"
import { type AdapterRefused, refusedBy } from "./AdapterRefused.ts"
import type { Names } from "./Names.ts"
import type { TextFile } from "./TextFile.ts"

/** What a rail has of its own stands in place of the file of the same name. */
export const sources = Effect.fnUntraced(function* ({
  names,
  rail
}: Adapter): Effect.fn.Return<ReadonlyArray<TextFile>, AdapterRefused> {
  const acme = yield* filesIn(template)
  const own = rail === "card" ? [] : yield* filesIn(folderOf(rail))
  const byPath = new Map([...acme, ...own].map(({ path, text }) => [path, renamed(text, names)]))
  return [...byPath].map(([path, text]) => ({ path, text }))
})

/** The table of what the adapter of a rail declares, with its markers. */
export const capabilities = (rail: Rail): Effect.Effect<string, AdapterRefused> =>
  Effect.tryPromise({
    try: async () => {
      const text = await readFile(join(folderOf(rail), "README.md"), "utf8")
      return text.slice(text.indexOf("<!-- paymux:capabilities -->")).trim()
    },
    catch: unreadable
  })

/** By its own name: the code stands in `src` here, and in `dist` of the published package. */
const template = join(dirname(createRequire(import.meta.url).resolve("paymux/package.json")), "templates", "adapter")

const folderOf = (rail: Rail): string => (rail === "card" ? template : join(template, "rails", rail))

const filesIn = (folder: string) =>
  Effect.tryPromise({
    try: async () => {
      const listed = await Promise.all(
        ["src", "test"].map(async (part) => (await readdir(join(folder, part))).sort().map((name) => `${part}/${name}`))
      )
      return Promise.all(
        listed
          .flat()
          .map(async (path): Promise<TextFile> => ({ path, text: await readFile(join(folder, path), "utf8") }))
      )
    },
    catch: unreadable
  })

const unreadable = (error: unknown): AdapterRefused => refusedBy("The template of an adapter cannot be read", error)

/**
 * Where `acme` is called, declared or imported it is the factory, else the id. In one pass: names may hold `acme`.
 *
 * @internal Exported for its own test.
 */
export const renamed = (text: string, { constant, factory, id, vendor }: Names): string =>
  text.replaceAll(/(\bacme(?=\(| = | \}))|acme|Acme|ACME/g, (found, code: string | undefined) => {
    if (code !== undefined) return factory
    if (found === "Acme") return vendor
    return found === "ACME" ? constant : id
  })
