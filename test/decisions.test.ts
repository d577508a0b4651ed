/** The index of decisions: each file of `docs/decisions` is listed once, under a theme, with its title and its successor. */
import { assert, describe, it } from "@effect/vitest"
import { readdirSync, readFileSync } from "node:fs"
import { resolve } from "node:path"

const folder = resolve(import.meta.dirname, "../docs/decisions")
const files = readdirSync(folder).filter((name) => name.endsWith(".md") && name !== "README.md")
const index = readFileSync(resolve(folder, "README.md"), "utf8")

/** The line of a decision in the index. */
const entryOf = (file: string, text: string): string => {
  const number = file.slice(0, 4)
  const [, title] = new RegExp(`^# ${number} · (.+)\n`).exec(text) ?? []
  assert.isDefined(title, `${file} begins with "# ${number} · " and its title`)
  const [, part = "", successor] = /^(?:Supersedes .+\. )?Superseded (in part )?by \[(\d{4})\]/m.exec(text) ?? []
  const mark = successor === undefined ? "" : ` _(superseded ${part}by ${successor})_`
  return `- [${number}](${file}) ${title}${mark}`
}

describe("the index of decisions", () => {
  it("lists each decision once, with its title, and the successor of each superseded one", () => {
    const entries = index.split("\n").filter((line) => line.startsWith("- "))
    const expected = files.map((file) => entryOf(file, readFileSync(resolve(folder, file), "utf8")))
    assert.deepStrictEqual(entries.toSorted(), expected.toSorted())
  })

  it("has a theme above every decision, and decisions by number under every theme", () => {
    const [introduction = "", ...themes] = index.split("\n## ")
    assert.notInclude(introduction, "\n- ")
    for (const theme of themes) {
      const [name = "", ...lines] = theme.trim().split("\n")
      const entries = lines.filter((line) => line !== "")
      assert.isNotEmpty(entries, name)
      assert.deepStrictEqual(entries, entries.toSorted(), name)
    }
  })

  it("has numbers without a gap", () => {
    assert.deepStrictEqual(
      files.map((file) => Number(file.slice(0, 4))).toSorted((a, b) => a - b),
      files.map((_, place) => place + 1)
    )
  })
})
