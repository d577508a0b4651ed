// cspell:ignore größe
import { assert, describe, it } from "@effect/vitest"
import { nounClauses } from "../scripts/counters/nounClauses.ts"
import { packageOf, roomOf } from "../scripts/counters/places.ts"
import { syntaxOf } from "../scripts/counters/Syntax.ts"
import { countTokens } from "../scripts/counters/tokens.ts"

const tokens = (source: string): number => countTokens(source, syntaxOf("Made.tsx", source))
const headsIn = (text: string): ReadonlyArray<string> => nounClauses(text).map(({ head }) => head)

describe("a token", () => {
  for (const [source, count] of [
    ["const total = first + 1.5e3", 6],
    ["a.b?.#c ?? $d_1", 7],
    ["x ||= y >= z && !w", 8],
    ["const f = async (...rest) => rest ** 2", 12],
    ["type A = Map<string, Array<number>>", 12],
    ["a >> b", 4],
    ['const text = "of several words"', 4],
    ["const search = /a b'c[/]/gu", 4],
    ["const made = `${a} and ${b}`", 6],
    ["const made = `${a}$`", 5],
    ["const none = ``", 3],
    ['const none = ""', 4],
    ["const größe = 1", 4],
    ["const tag = <p title='of it'>Two words\n  <br /></p>", 18]
  ] as const) {
    it(`is counted in: ${source.replace("\n", " ")}`, () => {
      assert.strictEqual(tokens(source), count)
    })
  }

  it("is neither in comments nor in imports, and is in every other statement", () => {
    const source = 'a() // one\n/* two */ b()\nimport { c } from "c"\nimport "d"\nimport type { E } from "e"\n'
    assert.strictEqual(tokens(source), 6)
    assert.strictEqual(tokens('export { a } from "a"'), 6)
    assert.strictEqual(tokens('const a = await import("a")'), 8)
  })

  it("is the same however the source is laid out", () => {
    assert.strictEqual(tokens("call({ a: 1 }, [2])"), tokens("call(\n  {\n    a: 1\n  },\n  [2]\n)"))
  })
})

describe("a noun clause", () => {
  for (const [text, found] of [
    // Headed by what or whatever.
    ["Says what it is.", ["what"]],
    ["What is given back counts twice.", ["What"]],
    ["In whatever order commits arrive.", ["whatever"]],
    ["Stores what was sent, and what came back.", ["what", "what"]],
    ["It is tried. What comes next is not.", ["What"]],
    // At the head of a sentence.
    ["Who signs in gets a session.", ["Who"]],
    ["Which provider took it, and when.", ["Which"]],
    ["Where the account is kept.", ["Where"]],
    // Behind a preposition or a verb.
    ["Resumes from where it stopped.", ["from where"]],
    ["Of who asked, nothing is stored.", ["Of who"]],
    ["The log shows which provider took it.", ["shows which"]],
    ["It is not known who approved it.", ["known who"]],
    ["An error says where it is.", ["says where"]],
    // None.
    ["What is it? Which one?", []],
    ["The provider, which took it, and a client who asks.", []],
    ["The place where rules are kept, in which each has a name.", []],
    ["Where a rule is missing, the default applies.", []],
    ["Reads `what it is` as code.", []],
    ["what", []],
    ["SELECT id FROM payments WHERE id = 1", []]
  ] as const) {
    it(`${found.length === 0 ? "is not" : "is"} in: ${text}`, () => {
      assert.deepStrictEqual(headsIn(text), [...found])
    })
  }

  it("is found in comments, strings, templates and JSX, also over two lines, and not in names of the code", () => {
    const source = `
      import { what } from "what is imported"
      // One: what
      // it was.
      /**
       * Two: what
       * it was.
       */
      const what = "Three: what it was."
      log(\`Four: what \${name} was, and what\`, "what", { what: 1 })
      const page = <p>Five: what it was.</p>
    `
    assert.deepStrictEqual(
      syntaxOf("Made.tsx", source).texts.flatMap(({ text }) => headsIn(text)),
      Array(5).fill("what")
    )
  })
})

describe("a file", () => {
  it("is a source of its package, with the fakes of adapters, without generated code", () => {
    const files = {
      "packages/core/src/domain/Payment.ts": "core",
      "packages/adapters/evm/src/testing/index.ts": "adapters/evm",
      "packages/dashboard/app/src/ui/Time.tsx": "dashboard/app",
      "packages/dashboard/src/index.ts": "dashboard",
      "packages/dashboard/app/src/api/generated/ControlApi.ts": null,
      "packages/dashboard/app/src/css.d.ts": null,
      "packages/core/test/src/made.ts": null,
      "packages/paymux/templates/adapter/src/index.ts": null,
      "test/suites/src/index.ts": null
    }
    assert.deepStrictEqual(Object.fromEntries(Object.keys(files).map((file) => [file, packageOf(file)])), files)
  })

  it("is of the tests, the suites, the benches or the scripts", () => {
    const files = {
      "test/snippets.test.ts": "tests",
      "test/support/program.ts": "tests",
      "test/suites/test/ClockBreaker.test.ts": "tests",
      "packages/core/test/domain/records.ts": "tests",
      "packages/adapters/evm/test/chain/Chain.ts": "tests",
      "docs/examples/adapter/test/fake.ts": "tests",
      "test/suites/src/index.ts": "suites",
      "test/bench/bench.ts": "benches",
      "scripts/counters/tokens.ts": "scripts",
      "packages/testkit/src/index.ts": null,
      "vitest.config.ts": null
    }
    assert.deepStrictEqual<unknown>(Object.fromEntries(Object.keys(files).map((file) => [file, roomOf(file)])), files)
  })
})
