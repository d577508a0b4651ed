import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { writeFolder } from "../src/adapter/writeFolder.ts"
import { temporaryFolder, workspace } from "./adapterFolder.ts"
import { type Commands, startCommands } from "./Commands.ts"

let commands: Commands
beforeAll(() => {
  commands = startCommands()
})
afterAll(() => commands.stop())

const made = [".gitignore", "README.md", "package.json", "src", "test", "tsconfig.build.json", "tsconfig.json"]

describe("paymux adapter new", () => {
  it("makes a folder by the name, and says what is next", async () => {
    using folder = temporaryFolder()
    const { code, stderr, stdout } = await commands.run(folder.path, "adapter", "new", "my-pay", "--rail", "upi")
    assert.strictEqual(code, 0, stderr)
    assert.includeMembers(readdirSync(join(folder.path, "paymux-my-pay")), made)
    assert.strictEqual(
      stdout,
      "Made paymux-my-pay in paymux-my-pay: 17 files, a fake included.\nNext:\n  cd paymux-my-pay\n  npm install\n" +
        "  npm test\n  read node_modules/@paymux/testkit/write-an-adapter.md\n"
    )
  })

  it("makes the given folder, with its parents", async () => {
    using folder = temporaryFolder()
    const { stdout } = await commands.run(folder.path, "adapter", "new", "my-pay", "--dir", "a/b")
    assert.includeMembers(readdirSync(join(folder.path, "a/b")), made)
    assert.include(stdout, "cd a/b")
  })

  it("fills the folder at hand, if it is empty", async () => {
    using folder = temporaryFolder()
    const { stdout } = await commands.run(folder.path, "adapter", "new", "my-pay", "--dir", ".")
    assert.includeMembers(readdirSync(folder.path), made)
    assert.notInclude(stdout, "cd ")
  })

  it("fills a repository that was just made", async () => {
    using folder = temporaryFolder()
    mkdirSync(join(folder.path, ".git"))
    await commands.run(folder.path, "adapter", "new", "my-pay", "--dir", ".")
    assert.includeMembers(readdirSync(folder.path), [...made, ".git"])
  })

  it("in the repository of Paymux makes a package of it, from wherever in it", async () => {
    using root = workspace()
    const { stdout } = await commands.run(join(root.path, "docs"), "adapter", "new", "my-pay")
    assert.sameMembers(readdirSync(join(root.path, "packages/adapters/my-pay")), [
      "README.md",
      "package.json",
      "src",
      "test",
      "tsconfig.build.json"
    ])
    assert.include(stdout, "Made @paymux/my-pay in ../packages/adapters/my-pay")
    assert.include(stdout, "vitest run packages/adapters/my-pay")
  })

  it("in the repository of Paymux calls the folder by the name", async () => {
    using root = workspace()
    const { code, stderr } = await commands.run(root.path, "adapter", "new", "my-pay", "--dir", "packages/adapters/x1")
    assert.strictEqual(code, 1)
    assert.include(stderr, 'the folder of "my-pay" is called my-pay')
    assert.deepStrictEqual(readdirSync(root.path).sort(), ["docs", "package.json", "pnpm-workspace.yaml"])
  })

  for (const [what, occupy] of [
    ["a folder that is not empty", (path: string) => (mkdirSync(path), writeFileSync(join(path, "notes.txt"), "mine"))],
    ["a file", (path: string) => writeFileSync(path, "mine")],
    ["a link to nowhere", (path: string) => symlinkSync(join(path, "nowhere"), path)]
  ] as const) {
    it(`leaves ${what} alone`, async () => {
      using folder = temporaryFolder()
      occupy(join(folder.path, "paymux-my-pay"))
      const before = readdirSync(folder.path, { recursive: true })
      const { code, stderr, stdout } = await commands.run(folder.path, "adapter", "new", "my-pay")
      assert.strictEqual(code, 1)
      assert.include(stderr, "paymux-my-pay")
      assert.strictEqual(stdout, "")
      assert.deepStrictEqual(readdirSync(folder.path, { recursive: true }), before)
    })
  }

  it("writes nothing for a name that is refused, wherever it points", async () => {
    using folder = temporaryFolder()
    for (const name of ["../out", "new", "core"]) {
      const { code, stderr } = await commands.run(folder.path, "adapter", "new", name)
      assert.strictEqual(code, 1)
      assert.include(stderr, `"${name}"`)
    }
    assert.deepStrictEqual(readdirSync(folder.path), [])
    assert.isFalse(existsSync(join(folder.path, "../out")))
  })
})

describe("what cannot be written to its end", () => {
  // The second of these finds the first in its place.
  const files = [
    { path: "src/index.ts", text: "" },
    { path: "src/index.ts", text: "" }
  ]

  it.effect("is removed with the folders that were made for it", () =>
    Effect.gen(function* () {
      using folder = temporaryFolder()
      const error = yield* Effect.flip(writeFolder(join(folder.path, "a/b"), files))
      assert.include(error.message, "cannot be written")
      assert.deepStrictEqual(readdirSync(folder.path), [])
    })
  )

  it.effect("is removed from a folder that was there, but for its repository", () =>
    Effect.gen(function* () {
      using folder = temporaryFolder()
      mkdirSync(join(folder.path, ".git"))
      yield* Effect.flip(writeFolder(folder.path, files))
      assert.deepStrictEqual(readdirSync(folder.path), [".git"])
    })
  )
})
