/** What the made files say is true of this repository, and they are in its style. */
import { assert, describe, it } from "@effect/vitest"
import { rails } from "@paymux/core"
import { Effect, Result } from "effect"
import { copyFileSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { dependencyFaults, forbiddenImports, found, tooLong } from "../../../test/architecture/rules.ts"
import type { Package, Room } from "../../../test/architecture/rules.ts"
import { sourceFile } from "../../../test/architecture/SourceFile.ts"
import { namesOf } from "../src/adapter/Names.ts"
import { type Asked, newAdapter } from "../src/adapter/newAdapter.ts"
import { packageFiles } from "../src/adapter/packageFiles.ts"
import { sources } from "../src/adapter/sources.ts"
import { effectRange, nodeRange, paymuxRange, toolVersions } from "../src/adapter/versions.ts"
import { failureOf, manifestIn, repository, temporaryFolder, workspace } from "./adapterFolder.ts"

const names = Result.getOrThrow(namesOf("my-pay"))
const json = (text: string | undefined) => JSON.parse(text ?? "null")
const read = (path: string) => json(readFileSync(join(repository, path), "utf8"))

describe("what a new adapter asks for", () => {
  it("are the versions of this repository", () => {
    const { dependencies, devDependencies } = manifestIn(repository)
    for (const [name, version] of Object.entries(toolVersions))
      assert.strictEqual(version, { ...dependencies, ...devDependencies }[name], name)
    const paymux = manifestIn(join(repository, "packages/paymux"))
    assert.strictEqual(paymuxRange, `^${paymux.version}`)
    assert.strictEqual(effectRange, paymux.peerDependencies?.["effect"])
    assert.strictEqual(nodeRange, paymux.engines.node)
  })

  it("are TypeScript's options of this repository", () => {
    const files = packageFiles({ names, rail: "card", home: "outside" })
    const { compilerOptions } = json(files.find(({ path }) => path === "tsconfig.json")?.text)
    assert.deepStrictEqual(compilerOptions, { ...read("tsconfig.base.json").compilerOptions, noEmit: true })
  })
})

describe("a new adapter in this repository", () => {
  const room: Room = {
    siblings: ["@paymux/core", "@paymux/provider-kit"],
    packages: ["effect"],
    families: ["http"],
    node: true
  }
  for (const rail of rails) {
    it.effect(`keeps the rules of the house: ${rail}`, () =>
      Effect.gen(function* () {
        const adapter = { names, rail, home: "workspace" } as const
        const folder = "packages/adapters/my-pay"
        const files = (yield* sources(adapter)).map(({ path, text }) => sourceFile(`${folder}/${path}`, text))
        const src = files.filter(({ path }) => path.startsWith(`${folder}/src/`))
        const manifest = json(packageFiles(adapter).find(({ path }) => path === "package.json")?.text)
        const made: Package = { folder, manifest, src, other: files.filter((file) => !src.includes(file)) }
        assert.isAbove(src.length, 5)
        assert.deepStrictEqual(forbiddenImports(made, room), [])
        assert.deepStrictEqual(dependencyFaults(made), [])
        assert.deepStrictEqual(found(src, ["any", "non-null", "ts-comment", "clock", "random"]), [])
        assert.deepStrictEqual(tooLong(src, 400), [])
      })
    )
  }

  it("is published as the other packages are", () => {
    const { description, keywords, name, ...rest } = json(
      packageFiles({ names, rail: "card", home: "workspace" }).find(({ path }) => path === "package.json")?.text
    )
    const { description: _, name: __, ...sandbox } = read("packages/sandbox/package.json")
    assert.strictEqual(name, "@paymux/my-pay")
    assert.include(keywords, "paymux-adapter")
    assert.include(description, "MyPay")
    assert.deepStrictEqual(rest, {
      ...sandbox,
      devDependencies: { "@paymux/testkit": "workspace:^", ...sandbox.devDependencies }
    })
  })
})

describe("the files of a new adapter", () => {
  it("are formatted, however long its name is", async () => {
    using elsewhere = temporaryFolder()
    using root = workspace()
    for (const name of ["ab", "my-pay", "a".repeat(30)]) {
      await made({ name, rail: "card", cwd: root.path, dir: null })
      for (const rail of rails) await made({ name, rail, cwd: elsewhere.path, dir: `${rail}/${name}` })
    }
    for (const { path } of [elsewhere, root]) assert.isNull(await formatFault(path))
    // The output names the fault: the check reads these files.
    writeFileSync(join(elsewhere.path, "wrong.ts"), "const  x = 1;\n")
    assert.include((await formatFault(elsewhere.path)) ?? "", "wrong.ts")
  })
})

const made = (asked: Asked) => Effect.runPromise(newAdapter(asked))

const formatFault = (folder: string) => {
  // Its patterns are of the folder that it stands in.
  copyFileSync(join(repository, ".oxfmtrc.json"), join(folder, ".oxfmtrc.json"))
  return failureOf(folder, "oxfmt/bin/oxfmt", ["--check", "."])
}
