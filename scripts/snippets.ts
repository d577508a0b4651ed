/**
 * Compiles the TypeScript of the documentation against the declarations that a user installs, all in one run of tsc. Needs
 * `build` first.
 */
import { spawnSync } from "node:child_process"
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { publishedPackages } from "./packages.ts"
import type { Snippet } from "./snippets/Snippet.ts"
import { snippetsIn } from "./snippets/snippetsIn.ts"

const root = resolve(import.meta.dirname, "..")

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

interface Manifest {
  readonly publishConfig: {
    readonly exports: { readonly [entry: string]: string | null | { readonly types?: string } }
  }
}

/** The declarations of each entry of the packages, and of the host of an example. */
const declarations = (): { readonly [name: string]: ReadonlyArray<string> } => ({
  ...Object.fromEntries(
    publishedPackages(root).flatMap(({ folder, name }) => {
      // Boundary: a manifest of this workspace.
      const { publishConfig } = JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8")) as Manifest
      return Object.entries(publishConfig.exports).flatMap(([entry, target]) =>
        typeof target === "object" && target?.types !== undefined
          ? [[entry.replace(".", name), [join(root, folder, target.types)]]]
          : []
      )
    })
  ),
  express: [join(root, "docs/examples/express/node_modules/@types/express/index.d.ts")]
})

/** What tsc has to say about the snippets, with the line on the page. */
const faults = (snippets: ReadonlyArray<Snippet>): ReadonlyArray<string> => {
  const cache = join(root, "node_modules/.cache")
  mkdirSync(cache, { recursive: true })
  const folder = mkdtempSync(join(cache, "snippets-"))
  try {
    writeFileSync(join(folder, "at-hand.mts"), atHand)
    for (const [index, { code, line }] of snippets.entries()) {
      writeFileSync(join(folder, `${index}.mts`), "\n".repeat(line) + code)
    }
    const compilerOptions = { noEmit: true, noUnusedLocals: false, paths: declarations() }
    const files = ["at-hand.mts", ...snippets.map((_, index) => `${index}.mts`)]
    const config = { extends: join(root, "tsconfig.base.json"), compilerOptions, files }
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(config))
    const { error, stdout } = spawnSync("tsc", ["--pretty", "false"], { cwd: folder, encoding: "utf8" })
    if (error !== undefined) return [error.message]
    return [...stdout.matchAll(/^(?:(\d+)\.mts\((\d+),\d+\): )?(error .*)$/gm)].map(([, index, line, message]) =>
      index === undefined ? `${message}` : `${snippets[Number(index)]?.path}:${line} ${message}`
    )
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Proves that faults are found, and against real declarations. */
const wrong: Snippet = {
  path: "(planted)",
  line: 2,
  code: 'import { createPaymux } from "paymux"\nawait createPaymux(1)\n'
}

const snippets = snippetsIn(root)
const found = faults([...snippets, wrong])
const unplanted = found.filter((fault) => !fault.startsWith("(planted):4 error TS2559"))
for (const fault of unplanted) console.error(fault)
if (unplanted.length === found.length) console.error("tsc has not found the planted fault.")
const ok = found.length === 1 && unplanted.length === 0
console.log(`${snippets.length} snippets of the documentation ${ok ? "compile" : "were compiled"}`)
process.exitCode = ok ? 0 : 1
