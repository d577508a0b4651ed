/** The reference of the provider contract says what the sources say, and all of it. */
import { assert, describe, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { resolve } from "node:path"
import { anchor } from "../scripts/provider-reference/Names.ts"
import { contractFiles, outline } from "../scripts/provider-reference/outline.ts"
import { readModule } from "../scripts/provider-reference/SourceModule.ts"
import type { Declaration, Member } from "../scripts/provider-reference/SourceModule.ts"

const root = resolve(import.meta.dirname, "..")
const file = "docs/reference/provider.md"
const page = readFileSync(resolve(root, file), "utf8")

const declarations = [...new Set([...contractFiles, ...outline.map((section) => section.file)])].flatMap((path) => [
  ...readModule(root, path).declarations.values()
])

/** Whether the page has a heading or a row for it. */
const isExplained = (name: string): boolean => new RegExp(`^(### |\\| )\`(\\w+\\.)?${name}[\`(]`, "m").test(page)

/** What stands under its heading; what has none stands in the table of another. */
const under = (name: string): string =>
  new RegExp(`^### \`(?:\\w+\\.)?${name}\`\n([^]*?)(?=^##)`, "m").exec(page)?.[1] ?? page

const membersOf = (declaration: Declaration): ReadonlyArray<Member> =>
  declaration.kind === "interface" || declaration.kind === "error" ? declaration.members : []

describe("the page", () => {
  // Read by lines, not by the parser that the page is made with.
  for (const path of contractFiles) {
    const source = readFileSync(resolve(root, path), "utf8")

    it(`leaves out no export of ${path}`, () => {
      const names = [...source.matchAll(/^export (?:abstract )?(?:const|type|interface|class|function) (\w+)/gm)]
      assert.isNotEmpty(names)
      assert.deepStrictEqual(
        names.flatMap(([, name = ""]) => (isExplained(name) ? [] : [name])),
        []
      )
    })

    it(`leaves out no member of ${path}`, () => {
      const blocks = source.matchAll(/^(?:export )?(?:interface|type|class) (\w+)[^]*?(?=^$|^export )/gm)
      const missing = [...blocks].flatMap(([block, owner = ""]) => {
        const members = block.matchAll(/^ {2}(?:\| \{ | {4})?(?:readonly (\w+\??): |(\w+): Schema\.)/gm)
        const text = under(owner)
        return [...members].flatMap(([, member, field]) => {
          const name = member ?? field ?? ""
          const isThere = new RegExp(`[\`{;] ?${name.replace("?", "\\?")}[\`:]`).test(text)
          return name === "_tag" || isThere ? [] : [`${owner}.${name}`]
        })
      })
      assert.deepStrictEqual(missing, [])
    })
  }

  it("says of every export and of every member what it is", () => {
    const small = new Set(outline.flatMap(({ items }) => items.flatMap((item) => namesOfSmallTypes(item))))
    const silent = declarations
      .filter(({ isExported, name }) => isExported && !small.has(name) && isExplained(name))
      .flatMap((declaration) => [
        ...(declaration.doc.text === "" ? [declaration.name] : []),
        ...membersOf(declaration).flatMap(({ doc, name, type }) =>
          doc.text !== "" || /^"\w+"$/.test(type.text) ? [] : [`${declaration.name}.${name}`]
        )
      ])
    assert.deepStrictEqual(silent, [])
    assert.notMatch(page, /\|\s*\|$/m)
  })

  it("names no type without an explanation", () => {
    const ofOthers =
      /^(Effect|Scope|Schema|Codec|Duration|Input|Promise|AbortSignal|Uint8Array|ReadonlyArray|Omit|Pick)$/
    const parameters = /^(Options|Encoded|Id|Named|Webhook)$/
    const named = declarations
      .filter(({ isExported, name }) => isExported && isExplained(name))
      .flatMap((declaration) => [
        ...membersOf(declaration).map(({ type }) => type.text),
        ...(declaration.kind === "alias" ? [declaration.type.text] : []),
        ...(declaration.kind === "function" ? [declaration.takes, declaration.gives] : [])
      ])
      .flatMap((text) => text.replaceAll(/"[^"]*"/g, "").match(/\b[A-Z]\w*[a-z]\w*/g) ?? [])
    const unexplained = new Set(
      named.filter((name) => !ofOthers.test(name) && !parameters.test(name) && !isExplained(name))
    )
    assert.isAbove(named.length, 100)
    assert.deepStrictEqual([...unexplained], [])
  })

  it("has only links that lead somewhere", () => {
    const headings = [...page.matchAll(/^#{2,3} (.+)$/gm)].map(([, heading = ""]) => anchor(heading))
    assert.strictEqual(new Set(headings).size, headings.length)
    const links = [...page.matchAll(/\]\((#[^)]+)\)/g)].map(([, link = ""]) => link)
    assert.isAbove(links.length, 50)
    assert.deepStrictEqual(
      links.filter((link) => !headings.includes(link)),
      []
    )
  })
})

const namesOfSmallTypes = (item: (typeof outline)[number]["items"][number]): ReadonlyArray<string> =>
  typeof item !== "string" && "types" in item ? item.types.map(({ name }) => name) : []
