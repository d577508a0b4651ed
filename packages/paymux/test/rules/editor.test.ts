/** What an editor says of the guide's files, by the JSON Schema that they name in their first line. */
import { assert, describe, it } from "@effect/vitest"
import { Ajv2020 } from "ajv/dist/2020.js"
import { readFileSync } from "node:fs"
import { resolve } from "node:path"
import { parse } from "yaml"

const root = resolve(import.meta.dirname, "../../../..")
const read = (path: string) => readFileSync(resolve(root, path), "utf8")
const validate = new Ajv2020().compile(JSON.parse(read("docs/reference/routing.schema.json")))

interface Block {
  readonly title: string
  readonly text: string
}

const blocks = (path: string): ReadonlyArray<Block> =>
  [...read(path).matchAll(/^```yaml(.*)\n([^]*?)^```$/gm)].map(([, title = "", text = ""]) => ({ title, text }))

describe("an editor", () => {
  const whole = ["docs/guide/routing-rules.md", "docs/guide/routing-recipes.md"]
    .flatMap(blocks)
    .filter(({ text }) => /^version:/m.test(text))
  const right = whole.filter(({ title }) => !title.includes("refused"))

  it("finds nothing wrong with the guide's whole files", () => {
    assert.isAbove(right.length, 2)
    for (const { text } of right) {
      validate(parse(text))
      assert.deepStrictEqual(validate.errors ?? [], [], text)
    }
  })

  it("finds a misspelt condition before anybody asks", () => {
    const [first] = right
    const misspelt = first?.text.replace("payment_method", "paymnet_method") ?? ""
    assert.notStrictEqual(misspelt, first?.text)
    assert.isFalse(validate(parse(misspelt)))
  })
})
