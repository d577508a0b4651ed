/** The operators' guide has every reason and every resolution, and names no other. */
import { assert, describe, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { resolve } from "node:path"
import { resolutions, reviewReasons } from "../packages/core/src/domain/Review.ts"

const page = readFileSync(resolve(import.meta.dirname, "../docs/guide/operators.md"), "utf8")

/** The cells of the rows below a heading, up to the next one. */
const rowsUnder = (heading: string): ReadonlyArray<ReadonlyArray<string>> => {
  const section = page.slice(page.indexOf(`\n${heading}\n`) + heading.length + 2)
  return section
    .slice(0, section.indexOf("\n## "))
    .split("\n")
    .filter((line) => line.startsWith("| "))
    .slice(2)
    .map((line) => line.split("|").map((cell) => cell.trim()))
}

const named = (cell: string | undefined): ReadonlyArray<string> =>
  [...(cell ?? "").matchAll(/`(\w+)`/g)].map((match) => match[1] ?? "")

describe("the operators' guide", () => {
  it("has a row for each reason, with resolutions that exist and a heading that explains it", () => {
    const section = page.slice(page.indexOf("\n## Reasons\n"), page.indexOf("\n### `inquiries_exhausted`"))
    const rows = section.split("\n").filter((line) => line.startsWith("| [`"))
    const cells = rows.map((line) => line.split("|").map((cell) => cell.trim()))
    assert.deepStrictEqual(cells.flatMap(([, reason]) => named(reason)).toSorted(), reviewReasons.toSorted())
    for (const [, reason, meaning, fitting] of cells) {
      assert.isAbove((meaning ?? "").length, 10, reason)
      assert.isNotEmpty(named(fitting), reason)
      for (const resolution of named(fitting)) assert.include(resolutions, resolution, reason)
      const anchor = /\(#([\w-]+)\)/.exec(reason ?? "")?.[1] ?? ""
      const headings = [...page.matchAll(/^### (.+)$/gm)].map(([, text]) => anchorOf(text ?? ""))
      assert.include(headings, anchor, reason)
    }
  })

  it("explains each resolution", () => {
    assert.deepStrictEqual(
      rowsUnder("## Resolve a review").flatMap(([, resolution]) => named(resolution)),
      [...resolutions]
    )
  })
})

const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\w -]/g, "")
    .replaceAll(" ", "-")
