/** A rules file on the disk: what cannot be read, and how its problems are printed. */
import { assert, describe, it } from "@effect/vitest"
import { RoutingInvalid } from "@paymux/routing"
import { Effect } from "effect"
import { execFileSync } from "node:child_process"
import { mkdir, writeFile } from "node:fs/promises"
import { load } from "../../src/rules/loadRules.ts"
import { refused } from "../../src/rules/RulesFile.ts"
import { temporaryFolder } from "./folder.ts"

const refusal = Effect.fnUntraced(function* (name: string, content?: string | Uint8Array) {
  const folder = yield* temporaryFolder
  const file = `${folder}/${name}`
  if (content !== undefined) yield* Effect.promise(() => writeFile(file, content))
  const invalid = yield* Effect.flip(load(file))
  assert.strictEqual(invalid._tag, "RulesFileInvalid")
  return invalid.message.replaceAll(file, name)
})

describe("a file that is refused", () => {
  const cases: ReadonlyArray<readonly [string, string, string | Uint8Array | undefined, string]> = [
    ["is not there", "routing.yaml", undefined, "routing.yaml is not there"],
    ["is empty", "routing.yaml", "", "routing.yaml is empty: rules have at least `version: 1` and a `default`"],
    [
      "is too large, before it is read as YAML",
      "routing.yaml",
      "[".repeat(5 * 1024 * 1024),
      "routing.yaml is 5.0 MB; rules may have at most 4 MB"
    ],
    [
      "is a byte too large",
      "routing.yaml",
      "#".repeat(4 * 1024 * 1024 + 1),
      "routing.yaml is 4.1 MB; rules may have at most 4 MB"
    ],
    ["is no text", "routing.yaml", new Uint8Array([0x61, 0x3a, 0x20, 0xff]), "routing.yaml is not UTF-8"],
    ["is text of another kind", "routing.yaml", Buffer.from("\uFEFFa: 1", "utf16le"), "routing.yaml is not UTF-8"],
    [
      "is of another kind",
      "routing.toml",
      "version = 1",
      "routing.toml is not supported: rules are in .yaml, .yml or .json"
    ],
    [
      "has a fault",
      "routing.yml",
      "version: 1\nrules: [",
      "routing.yml:2:9 a bracket above is not closed, or what is in it is not indented"
    ]
  ]
  for (const [what, name, content, expected] of cases) {
    it.live(`refused: one that ${what}`, () =>
      Effect.gen(function* () {
        assert.strictEqual(yield* refusal(name, content), expected)
      })
    )
  }

  it.live("is a folder, or a pipe, without waiting for its writer", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      yield* Effect.promise(() => mkdir(`${folder}/a.yaml`))
      execFileSync("mkfifo", [`${folder}/b.yaml`])
      for (const name of ["a.yaml", "b.yaml"]) {
        assert.strictEqual((yield* Effect.flip(load(`${folder}/${name}`))).message, `${folder}/${name} is not a file`)
      }
    })
  )
})

describe("a file by a relative name", () => {
  it.live("stays at its path if the working directory changes, and keeps its name in messages", () =>
    Effect.gen(function* () {
      const cwd = yield* temporaryFolder
      const reported = execFileSync(process.execPath, [`${import.meta.dirname}/movedProcess.ts`], {
        cwd,
        encoding: "utf8"
      })
      assert.deepStrictEqual(JSON.parse(reported), [
        'routing.yaml {"version":1,"default":{"priority":["edited"]}}',
        "routing.yaml is not there",
        "in a folder that is gone: routing.yaml is not there"
      ])
    })
  )
})

describe("what the engine refused", () => {
  it.live("is printed with its places in the file, sorted, one a line", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      const file = `${folder}/routing.yaml`
      yield* Effect.promise(() => writeFile(file, "version: 2\nrules:\n  - name: x\nrulez: 1\n"))
      const rules = yield* load(file)
      const invalid = refused(
        rules,
        new RoutingInvalid({
          problems: [
            { path: ["default"], message: "`default` is missing" },
            { path: ["rulez"], message: "`rulez` is not known", at: "key" },
            { path: ["rules", 0, "choose"], message: 'rule "x": `choose` is missing' },
            { path: ["version"], message: "`version` must be 1" }
          ]
        })
      )
      assert.deepStrictEqual(invalid.message.replaceAll(`${folder}/`, "").split("\n"), [
        "routing.yaml:1:1 `default` is missing",
        "routing.yaml:1:10 `version` must be 1",
        'routing.yaml:3:5 rule "x": `choose` is missing',
        "routing.yaml:4:1 `rulez` is not known"
      ])
    })
  )
})
