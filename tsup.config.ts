import { execFileSync } from "node:child_process"
import { copyFileSync, globSync, mkdirSync, readFileSync } from "node:fs"
import { basename, dirname, join } from "node:path"
import { defineConfig } from "tsup"
import type { Options } from "tsup"

interface Manifest {
  readonly name: string
  readonly private?: boolean
  readonly publishConfig: {
    readonly bin?: { readonly [name: string]: string }
    readonly exports: { readonly [entry: string]: null | string | { readonly default: string } }
  }
}

/** The build of a published package: its entries, bundled to ESM. What is not a relative import stays an import. */
const build = (folder: string): ReadonlyArray<Options> => {
  // Boundary: a manifest of this workspace.
  const {
    name,
    private: isPrivate = false,
    publishConfig
  } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Manifest
  if (isPrivate) return []
  return [
    {
      entry: {
        ...Object.fromEntries(modules(publishConfig).map((module) => [module, `${folder}/src/${module}.ts`])),
        ...workers[name]
      },
      outDir: `${folder}/dist`,
      format: "esm",
      target: "node22",
      platform: "node",
      splitting: true,
      sourcemap: true,
      clean: true,
      silent: true,
      dts: false, // tsup's declarations need an older TypeScript: `tsc -b` writes them
      skipNodeModulesBundle: true,
      removeNodeProtocol: false, // `node:sqlite` has no name without the prefix
      ...special[name]
    }
  ]
}

/** Each `./dist/<module>.js` is built from `src/<module>.ts`. */
const modules = ({ bin = {}, exports }: Manifest["publishConfig"]): ReadonlyArray<string> =>
  [...Object.values(bin), ...Object.values(exports)]
    .map((target) => (typeof target === "string" ? target : (target?.default ?? "")))
    .flatMap((target) => /^\.\/dist\/(.+)\.js$/.exec(target)?.[1] ?? [])

/** Modules that run in a thread of their own: beside the bundle that starts them, under their own name. */
const workers: { readonly [name: string]: { readonly [module: string]: string } } = {
  paymux: { RulesWorker: "packages/paymux/src/rules/worker/RulesWorker.ts" },
  "@paymux/sql": { WriterThread: "packages/sql/src/sqlite/writer/WriterThread.ts" }
}

const copy = (to: string, ...files: ReadonlyArray<string>) => {
  mkdirSync(to, { recursive: true })
  for (const file of files) copyFileSync(file, join(to, basename(file)))
}

/** Of Swagger UI: what the API reference loads, and the licenses. */
const swaggerUi = ["swagger-ui-bundle.js", "swagger-ui.css", "LICENSE", "NOTICE", "swagger-ui-bundle.js.LICENSE.txt"]

const special: { readonly [name: string]: Options } = {
  // For older runtimes than the server, and not for Node alone.
  "@paymux/client": { platform: "neutral", target: "es2022" },
  // The pages are replaced in one step: tests that run beside the build read them.
  "@paymux/dashboard": {
    clean: ["!app/**"],
    onSuccess: async () => void execFileSync(process.execPath, ["scripts/dashboard-app.ts"], { stdio: "inherit" })
  },
  "@paymux/http": {
    onSuccess: async () =>
      copy(
        "packages/http/dist/swagger-ui",
        ...swaggerUi.map((file) => `packages/http/node_modules/swagger-ui-dist/${file}`)
      )
  },
  // For authors who do not have this repository: `paymux adapter new` names the place.
  "@paymux/testkit": {
    onSuccess: async () => copy("packages/testkit", "docs/guide/write-an-adapter.md", "docs/reference/provider.md")
  },
  // Where `# yaml-language-server: $schema=./node_modules/paymux/routing.schema.json` looks for it.
  paymux: {
    onSuccess: async () => {
      copy("packages/paymux", "docs/reference/routing.schema.json")
      execFileSync(process.execPath, ["scripts/standalone/main.ts"], { stdio: "inherit" })
    }
  }
}

export default defineConfig(
  globSync("packages/{,adapters/}*/package.json").flatMap((manifest) => build(dirname(manifest)))
)
