import { assert, describe, it } from "@effect/vitest"
import { execFileSync } from "node:child_process"
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { contentsOf, contentsText, pack, publishedPackages } from "../scripts/packages.ts"

const root = resolve(import.meta.dirname, "..")

const inFolder = (use: (folder: string) => void): void => {
  const folder = mkdtempSync(join(tmpdir(), "paymux-packages-test-"))
  try {
    use(folder)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

describe("the published packages", () => {
  it("are those of the workspace that are not private, with the adapters", () => {
    const names = publishedPackages(root).map(({ name }) => name)
    assert.includeMembers(names, ["paymux", "@paymux/core", "@paymux/stripe"])
    assert.deepStrictEqual(names, names.toSorted())
    assert.notIncludeMembers(names, ["@paymux/test-suites", "@paymux/dashboard-app", "paymux-workspace"])
  })

  it("leave out a private package beside them", () =>
    inFolder((folder) => {
      for (const [path, manifest] of [
        ["packages/open", { name: "open" }],
        ["packages/hidden", { name: "hidden", private: true }],
        ["packages/adapters/acme", { name: "@paymux/acme" }],
        ["test/suites", { name: "suites" }]
      ] as const) {
        mkdirSync(join(folder, path), { recursive: true })
        writeFileSync(join(folder, path, "package.json"), JSON.stringify(manifest))
      }
      assert.deepStrictEqual(publishedPackages(folder), [
        { folder: "packages/adapters/acme", name: "@paymux/acme" },
        { folder: "packages/open", name: "open" }
      ])
    }))

  it("are refused, with what to do, if they are not built", () =>
    inFolder((folder) => {
      const refused = pack(folder, { folder: "packages/open", name: "open" }, join(folder, "open.tgz"))
      assert.strictEqual(refused, "open is not built. Run `npx -y pnpm@12 build` first.")
    }))
})

it("the contents of a tarball are its files, without its folders, and their sizes, packed and unpacked", () =>
  inFolder((folder) => {
    mkdirSync(join(folder, "package/dist"), { recursive: true })
    // Of no block, of exactly one, and of more.
    for (const [name, size] of Object.entries({ "README.md": 0, "package.json": 512, "dist/index.js": 1_600 })) {
      writeFileSync(join(folder, "package", name), "x".repeat(size))
    }
    const tarball = join(folder, "made.tgz")
    execFileSync("tar", ["-czf", tarball, "-C", folder, "package"])
    const contents = contentsOf(readFileSync(tarball))
    assert.deepStrictEqual(contents, { files: 3, packed: statSync(tarball).size, unpacked: 2_112 })
    assert.strictEqual(
      contentsText("made", { ...contents, packed: 1_000 }),
      "made: 3 files, 1 KB packed, 3 KB unpacked"
    )
  }))
