/** `pnpm demo` as in a new clone: what it installs, and what it prints. */
import { assert, describe, it } from "@effect/vitest"
import { execFile } from "node:child_process"
import { existsSync, globSync, readFileSync } from "node:fs"
import { cp, mkdtemp, readdir, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { basename, join, resolve } from "node:path"
import { pathToFileURL } from "node:url"
import { promisify, stripVTControlCharacters } from "node:util"

const root = resolve(import.meta.dirname, "..")
const run = promisify(execFile)
/** The oldest Node that runs the sources: it prints the most warnings. */
const oldestNode = join(root, "node_modules/node-22/bin/node")

describe("the demo in a new clone", () => {
  it("installs what it needs and nothing else, and ends with what to do next", async () => {
    const clone = await mkdtemp(join(tmpdir(), "paymux-clone-"))
    try {
      await cp(root, clone, { recursive: true, filter: (path) => !isMade.has(basename(path)) })
      // Rejects unless every step of the demo went as expected.
      const { stderr, stdout } = await run(oldestNode, ["scripts/demo.mjs"], { cwd: clone })
      const lines = stdout.split("\n")

      assert.strictEqual(stderr, "", "log lines and warnings")
      assert.deepStrictEqual(
        lines.filter((line) => line.length > 100 || isLogLine.test(line)),
        []
      )
      assert.strictEqual(stdout, stripVTControlCharacters(stdout), "no colors outside a terminal")
      assert.strictEqual(lines[0], "Installing packages …")
      assert.match(
        lines.slice(-5).join("\n"),
        /^Every step went as expected, in \d+ seconds\. Next:\n  npx -y pnpm@12 paymux serve --sandbox  .*\n  docs\/.*\n  docs\/.*\n$/
      )
      for (const [page] of stdout.matchAll(/docs\/\S+\.md/g)) assert.isTrue(existsSync(join(root, page)), page)

      assert.isFalse(existsSync(join(clone, "node_modules/vitest")))
      assert.isAtMost((await readdir(join(clone, "node_modules/.pnpm"))).length, 75, "packages")
    } finally {
      await rm(clone, { recursive: true })
    }
  })

  it("runs with the version of Effect that the packages are tested with", () => {
    const { dependencies } = manifest("package.json")
    for (const path of globSync("packages/{,adapters/}*/package.json", { cwd: root })) {
      const tested = manifest(path).devDependencies?.["effect"]
      if (tested !== undefined) assert.strictEqual(dependencies?.["effect"], tested, path)
    }
  })

  it("shows what it waits for, outside a terminal too", async () => {
    const looks = "Array.from({ length: 9 }, (_, look) => (look < 8 ? null : look))"
    assert.strictEqual(await printed(`until("a result", () => looks.shift())`, looks), "  Waiting for a result …\n")
  })

  it("prints in colors on a terminal", async () => {
    // A pipe is no terminal: FORCE_COLOR stands for one.
    const colored = await printed(`title("A")`, "[]", { FORCE_COLOR: "1" })
    assert.strictEqual(stripVTControlCharacters(colored), "\nA\n")
    assert.notStrictEqual(colored, "\nA\n")
  })
})

describe("the documented scripts that need the whole workspace", () => {
  for (const name of ["test", "test:full", "check", "paymux"]) {
    it(`${name} installs it first, and standard output is its own`, () => {
      assert.strictEqual(manifest("package.json").scripts?.[`pre${name}`], "pnpm install --use-stderr")
    })
  }
})

/** What `step` prints, which uses the functions of the story and `looks`. */
const printed = async (step: string, looks: string, env: { readonly [name: string]: string } = {}) => {
  const story = pathToFileURL(join(root, "packages/paymux/demo/Story.ts")).href
  const program = `import { title, until } from "${story}"\nconst looks = ${looks}\nawait ${step}`
  return (await run(process.execPath, ["--input-type=module", "--eval", program], { env })).stdout
}

/** What a clone does not contain. */
const isMade = new Set(["node_modules", "dist", ".git"])

/** In any of the formats of `logs`: a level, or a time. */
const isLogLine = /\blevel=|"level"|\d{4}-\d{2}-\d{2}T|\b(?:WARN|ERROR|INFO)\b/

interface Manifest {
  readonly scripts?: { readonly [name: string]: string }
  readonly dependencies?: { readonly [name: string]: string }
  readonly devDependencies?: { readonly [name: string]: string }
}

// Boundary: a manifest of this workspace.
const manifest = (path: string) => JSON.parse(readFileSync(join(root, path), "utf8")) as Manifest
