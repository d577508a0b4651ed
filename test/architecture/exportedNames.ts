/** The names that a module exports, types included: those of `export *` one by one, and `export * as X` as one name. */
import { posix } from "node:path"
import { parseSync } from "vite"

/** `read` gives the text of a file. */
export const exportedNames = (path: string, read: (path: string) => string): ReadonlyArray<string> => {
  const entries = parseSync(path, read(path)).module.staticExports.flatMap((statement) => statement.entries)
  const names = entries.flatMap(({ exportName, moduleRequest }) =>
    exportName.kind === "None" && moduleRequest !== null
      ? exportedNames(posix.join(posix.dirname(path), moduleRequest.value), read).filter((name) => name !== "default")
      : [exportName.name ?? "default"]
  )
  // A type and a value of one name are one name.
  return [...new Set(names)]
}
