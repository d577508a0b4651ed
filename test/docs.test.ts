/**
 * The TypeScript in the documentation compiles, all in one run of tsc: each block of the pages, and each `@example` in the
 * sources that imports Paymux. An example without such an import is a fragment; a page says so with `// fragment`.
 */
import { assert, describe, it } from "@effect/vitest"
import { spawnSync } from "node:child_process"
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join, resolve } from "node:path"

const root = resolve(import.meta.dirname, "..")

interface Snippet {
  /** From the root of the repository. */
  readonly path: string
  /** Of the fence before it. */
  readonly line: number
  readonly code: string
}

/** What a page may speak of without saying where it comes from. A snippet that declares one of these uses its own. */
const atHand = `
declare global {
  const paymux: import("paymux").Paymux
  const server: import("node:http").Server
  /** The reader's own routes, and one request to them. */
  const shop: import("node:http").RequestListener
  const rawBody: string
  const headers: Record<string, string>
  const secret: string
}
export {}
`

describe("the documentation", () => {
  it("has TypeScript that compiles, in its pages and in the examples of the sources", () => {
    const snippets = [...inPages(), ...inSources()]
    for (const path of ["README.md", "docs/guide/embedding.md", "packages/paymux/src/createPaymux.ts"]) {
      assert.include(
        snippets.map((each) => each.path),
        path
      )
    }
    const wrong = { path: "wrong.md", line: 2, code: 'import { createPaymux } from "paymux"\nawait createPaymux(1)\n' }
    const [first, ...others] = faults([...snippets, wrong]).toSorted((a, b) => order(a) - order(b))
    assert.match(first ?? "tsc found nothing", /^wrong\.md:4 TS2559/)
    assert.deepStrictEqual(others, [])
  }, 180_000)

  it("is read by its fences: pages as they are, sources without the comment around them", () => {
    const page =
      "# Title\n\n```ts\nconst a = 1\n\nconst b = 2\n```\n\n```sh\nls\n```\n```ts\n// fragment\nreturn a\n```\n"
    assert.deepStrictEqual(snippetsOf("a.md", page), [{ path: "a.md", line: 3, code: "const a = 1\n\nconst b = 2\n" }])
    const source = "/**\n   * @example\n   * ```ts\n   * f({\n   *   a: 1\n   *\n   * })\n   * ```\n   */\n"
    assert.deepStrictEqual(snippetsOf("a.ts", uncommented(source)), [
      { path: "a.ts", line: 3, code: "f({\n  a: 1\n\n})\n" }
    ])
  })
})

const order = (fault: string): number => (fault.startsWith("wrong.md") ? 0 : 1)

const paths = (...patterns: ReadonlyArray<string>): ReadonlyArray<string> =>
  globSync(patterns, { cwd: root, exclude: ["**/node_modules/**", "**/dist/**"] })
    .map((path) => path.replaceAll("\\", "/"))
    .sort()

const read = (path: string): string => readFileSync(join(root, path), "utf8")

const inPages = (): ReadonlyArray<Snippet> =>
  paths("README.md", "docs/**/*.md", "packages/*/README.md", "packages/adapters/*/README.md").flatMap((path) =>
    snippetsOf(path, read(path))
  )

const inSources = (): ReadonlyArray<Snippet> =>
  paths("packages/*/src/**/*.ts", "packages/adapters/*/src/**/*.ts")
    .flatMap((path) => snippetsOf(path, uncommented(read(path))))
    .filter(({ code }) => /^import .* from "(?:@paymux\/[^"]+|paymux)"$/m.test(code))

/** The lines stay where they are. */
const uncommented = (source: string): string => source.replaceAll(/^[^\S\n]*\*(?: |$)/gm, "")

const snippetsOf = (path: string, text: string): ReadonlyArray<Snippet> =>
  [...text.matchAll(/^```ts\n([^]*?)^```$/gm)]
    .map((match) => ({ path, line: text.slice(0, match.index).split("\n").length, code: match[1] ?? "" }))
    .filter(({ code }) => !code.startsWith("// fragment\n"))

/** What the root of the repository does not depend on: adapters, and the host of an example. */
const elsewhere = (): { readonly [name: string]: ReadonlyArray<string> } => ({
  ...Object.fromEntries(
    paths("packages/adapters/*/package.json").map((path) => [
      JSON.parse(read(path)).name,
      [join(root, path, "../src/index.ts")]
    ])
  ),
  ...Object.fromEntries(
    paths("packages/adapters/*/src/testing/index.ts").map((path) => [
      `@paymux/${path.split("/")[2] ?? ""}/testing`,
      [join(root, path)]
    ])
  ),
  express: [join(root, "docs/examples/express/node_modules/@types/express/index.d.ts")]
})

/** What tsc has to say about the snippets, with the line on the page. What it says of other files is not asked here. */
const faults = (snippets: ReadonlyArray<Snippet>): ReadonlyArray<string> => {
  const cache = join(root, "node_modules/.cache")
  mkdirSync(cache, { recursive: true })
  const folder = mkdtempSync(join(cache, "snippets-"))
  try {
    writeFileSync(join(folder, "at-hand.mts"), atHand)
    for (const [index, { code, line }] of snippets.entries()) {
      writeFileSync(join(folder, `${index}.mts`), "\n".repeat(line) + code)
    }
    const compilerOptions = { noEmit: true, noUnusedLocals: false, paths: elsewhere() }
    const files = ["at-hand.mts", ...snippets.map((_, index) => `${index}.mts`)]
    const config = { extends: join(root, "tsconfig.base.json"), compilerOptions, files }
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(config))
    const tsc = join(root, "node_modules/typescript/bin/tsc")
    const { stdout } = spawnSync(process.execPath, [tsc, "--pretty", "false"], { cwd: folder, encoding: "utf8" })
    return [...stdout.matchAll(/^(\d+)\.mts\((\d+),\d+\): error (.*)$/gm)].map(
      ([, index, line, message]) => `${snippets[Number(index)]?.path}:${line} ${message}`
    )
  } finally {
    rmSync(folder, { recursive: true })
  }
}
