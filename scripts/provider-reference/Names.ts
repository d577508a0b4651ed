/** By which name a package's export is reached, and where on the page a name is explained. */
import { parseSync } from "oxc-parser"
import { readFileSync } from "node:fs"
import { posix } from "node:path"

/** `Outcome.Succeeded` for the `Succeeded` of a file that is exported as a whole under a name. */
export type Reached = (file: string, name: string) => string

export const readIndex = (root: string, index: string): Reached => {
  const wholes = new Map<string, string>()
  const singles = new Map<string, string>()
  for (const statement of parseSync(index, readFileSync(`${root}/${index}`, "utf8")).program.body) {
    if (statement.type === "ExportAllDeclaration" && statement.exported?.type === "Identifier") {
      wholes.set(from(index, statement.source.value), statement.exported.name)
    }
    if (statement.type === "ExportNamedDeclaration" && statement.source !== null) {
      for (const { exported, local } of statement.specifiers) {
        if (local.type === "Identifier" && exported.type === "Identifier") {
          singles.set(`${from(index, statement.source.value)} ${local.name}`, exported.name)
        }
      }
    }
  }
  return (file, name) => {
    const whole = wholes.get(file)
    return whole === undefined ? (singles.get(`${file} ${name}`) ?? name) : `${whole}.${name}`
  }
}

const from = (index: string, source: string): string => posix.join(posix.dirname(index), source)

/** The anchor that GitHub gives a heading. */
export const anchor = (heading: string): string =>
  `#${heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}_ -]/gu, "")
    .replaceAll(" ", "-")}`
