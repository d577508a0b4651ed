/** The check of wording: phrases to avoid, and the ceilings of noun clauses. */
import { assert, describe, it } from "@effect/vitest"
import { execFileSync, spawnSync } from "node:child_process"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join, resolve } from "node:path"
import { ceilingFindings, clausesByPackage } from "../scripts/phrases/clauseCeilings.ts"

const root = resolve(import.meta.dirname, "..")
const script = join(root, "scripts/phrases.ts")
/** Scripts are TypeScript, which this Node runs without a build. */
const node = join(root, "node_modules/node/bin/node")

const style = "# Style\n\n| avoid | write |\n| --- | --- |\n| foo, old bar | baz |\n"
const clause = "/** What a store provides. */\nexport const a = 1\n"
const clear = "/** The contract of a store. */\nexport const a = 1\n"

/** The exit code and the output of the check in a repository with these files. */
const check = (files: { readonly [path: string]: string }, ...folders: ReadonlyArray<string>) => {
  const folder = mkdtempSync(join(tmpdir(), "paymux-phrases-test-"))
  try {
    for (const [path, text] of Object.entries({ "docs/style.md": style, ...files })) {
      mkdirSync(dirname(join(folder, path)), { recursive: true })
      writeFileSync(join(folder, path), text)
    }
    execFileSync("git", ["init", "--quiet"], { cwd: folder })
    const { status, stderr, stdout } = spawnSync(node, [script, ...folders], { cwd: folder, encoding: "utf8" })
    assert.strictEqual(stderr, "")
    return { status, lines: stdout.trimEnd().split("\n") }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const ceilings = (counts: { readonly [name: string]: number }) => ({
  "scripts/phrases/clauseCeilings.json": JSON.stringify(counts)
})

describe("the check of wording", () => {
  it("passes if no phrase of the table is used, and each package is at its ceiling", () => {
    const passed = check({ "packages/shop/src/a.ts": clear, "packages/old/src/a.ts": clause, ...ceilings({ old: 1 }) })
    assert.deepStrictEqual(passed, { status: 0, lines: ["No phrase to avoid was found."] })
  })

  it("fails on a phrase of the table, also within a name", () => {
    const failed = check({
      "docs/a.md": "One.\nIt is\nFoo.\n",
      "test/a.ts": "const oldBar = 1\n",
      ...ceilings({})
    })
    assert.deepStrictEqual(failed, {
      status: 1,
      lines: ['docs/a.md:3: "Foo"', 'test/a.ts:1: "old Bar"', "2 phrases to avoid, see docs/style.md."]
    })
  })

  it("fails on a package above its ceiling, and names each of its clauses", () => {
    const failed = check({ "packages/shop/src/a.ts": `\n${clause}${clause}`, ...ceilings({ shop: 1 }) })
    assert.strictEqual(failed.status, 1)
    assert.deepStrictEqual(failed.lines.slice(1), [
      'packages/shop/src/a.ts:2: "What" in: What a store provides.',
      'packages/shop/src/a.ts:4: "What" in: What a store provides.',
      "packages/shop: 2 noun clauses, above the ceiling of 1. Name things instead.",
      "The ceilings of noun clauses are in scripts/phrases/clauseCeilings.json, see docs/style.md."
    ])
  })

  it("fails on a package below its ceiling, and names the new one", () => {
    const failed = check({ "packages/shop/src/a.ts": clear, ...ceilings({ shop: 1 }) })
    assert.strictEqual(failed.status, 1)
    assert.include(failed.lines, "packages/shop: 0 noun clauses. Lower the ceiling from 1 to 0.")
  })

  it("checks only the phrases of a folder that is named", () => {
    const passed = check({ "packages/shop/src/a.ts": clause, "docs/a.md": "foo", ...ceilings({}) }, "packages")
    assert.deepStrictEqual(passed, { status: 0, lines: ["No phrase to avoid was found."] })
  })
})

describe("a ceiling", () => {
  it("is zero for a package without one, and falls when its package is removed", () => {
    assert.deepStrictEqual(ceilingFindings({ added: ["a clause"] }, {}), [
      "a clause",
      "packages/added: 1 noun clauses, above the ceiling of 0. Name things instead."
    ])
    assert.deepStrictEqual(ceilingFindings({}, { removed: 2 }), [
      "packages/removed: 0 noun clauses. Lower the ceiling from 2 to 0."
    ])
  })

  it("counts comments and texts of sources, and neither tests, generated files nor code", () => {
    const files = {
      "packages/shop/src/a.ts": 'const what = "is"\n// Finds\n// what it was.\nlog("Whatever it is.")\n',
      "packages/adapters/acme/src/b.ts": "const a = `What ${name} is.`\n",
      "packages/dashboard/app/src/C.tsx": "const a = <p>What it was.</p>\n",
      "packages/shop/test/a.test.ts": clause,
      "packages/shop/src/generated/a.ts": clause,
      "packages/shop/src/a.css": "What it was.",
      "docs/a.md": "What it was."
    }
    const found = clausesByPackage(Object.keys(files), (file) => new Map(Object.entries(files)).get(file) ?? "")
    assert.deepStrictEqual(found, {
      shop: [
        'packages/shop/src/a.ts:2: "what" in: Finds what it was.',
        'packages/shop/src/a.ts:4: "Whatever" in: Whatever it is.'
      ],
      "adapters/acme": ['packages/adapters/acme/src/b.ts:1: "What" in: What X is.'],
      "dashboard/app": ['packages/dashboard/app/src/C.tsx:1: "What" in: What it was.']
    })
  })
})
