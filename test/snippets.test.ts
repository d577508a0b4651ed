/** Where the TypeScript of the documentation is found. The checks compile it. */
import { assert, describe, it } from "@effect/vitest"
import { resolve } from "node:path"
import { snippetsOfPage, snippetsOfSource } from "../scripts/snippets/Snippet.ts"
import { snippetsIn } from "../scripts/snippets/snippetsIn.ts"

describe("the snippets of the documentation", () => {
  it("are in its pages, in the guides, and in the examples of the sources", () => {
    const paths = snippetsIn(resolve(import.meta.dirname, "..")).map(({ path }) => path)
    for (const path of ["README.md", "docs/guide/embedding.md", "packages/paymux/src/createPaymux.ts"]) {
      assert.include(paths, path)
    }
  })

  it("are read by their fences: pages as they are, sources without the comment around them", () => {
    const page =
      "# Title\n\n```ts\nconst a = 1\n\nconst b = 2\n```\n\n```sh\nls\n```\n```ts\n// fragment\nreturn a\n```\n"
    assert.deepStrictEqual(snippetsOfPage("a.md", page), [
      { path: "a.md", line: 3, code: "const a = 1\n\nconst b = 2\n" }
    ])
    const example = 'import { f } from "paymux"\nf({\n  a: 1\n\n})\n'
    const comment = (code: string) =>
      `/**\n   * @example\n   * \`\`\`ts\n${code.replaceAll(/^/gm, "   * ")}\n   * \`\`\`\n   */\n`
    assert.deepStrictEqual(snippetsOfSource("a.ts", comment(example.trimEnd())), [
      { path: "a.ts", line: 3, code: example }
    ])
    assert.deepStrictEqual(snippetsOfSource("a.ts", comment("f({ a: 1 })")), [])
  })
})
