/** The files around the sources: what they need to be installed, checked, built and published. */
import { type Adapter, packageNameOf, railNames } from "./Adapter.ts"
import type { TextFile } from "./TextFile.ts"
import { effectRange, nodeRange, paymuxRange, toolVersions } from "./versions.ts"

export const packageFiles = (adapter: Adapter): ReadonlyArray<TextFile> => {
  switch (adapter.home) {
    case "workspace":
      return [
        { path: "package.json", text: manifest(inWorkspace(adapter)) },
        { path: "tsconfig.build.json", text: config(buildInWorkspace(adapter)) }
      ]
    case "outside":
      return [
        { path: "package.json", text: manifest(outside(adapter)) },
        { path: "tsconfig.json", text: config(check) },
        { path: "tsconfig.build.json", text: config(build) },
        { path: "tsup.config.ts", text: tsup },
        { path: ".gitignore", text: "node_modules/\ndist/\n*.tgz\n" }
      ]
    default:
      return adapter.home satisfies never
  }
}

const described = (adapter: Adapter) => ({
  name: packageNameOf(adapter),
  version: "0.0.0",
  description: `${railNames[adapter.rail]} payments by ${adapter.names.vendor}, for Paymux.`,
  keywords: [...new Set(["paymux", "paymux-adapter", adapter.names.id, adapter.rail])].sort()
})

const files = ["dist", "src", "README.md"]

const built = {
  ".": { types: "./dist/index.d.ts", default: "./dist/index.js" },
  "./package.json": "./package.json"
}

const outside = (adapter: Adapter) => ({
  ...described(adapter),
  files,
  type: "module",
  sideEffects: false,
  exports: built,
  publishConfig: { access: "public" },
  scripts: {
    test: "vitest run",
    check: "tsc --noEmit",
    build: "tsup && tsc --project tsconfig.build.json",
    prepublishOnly: "npm run check && npm test && npm run build"
  },
  dependencies: { "@paymux/provider-kit": paymuxRange },
  devDependencies: {
    "@effect/vitest": toolVersions["@effect/vitest"],
    "@paymux/core": paymuxRange,
    "@paymux/testkit": paymuxRange,
    "@types/node": toolVersions["@types/node"],
    effect: toolVersions.effect,
    paymux: paymuxRange,
    tsup: toolVersions.tsup,
    typescript: toolVersions.typescript,
    vitest: toolVersions.vitest
  },
  peerDependencies: { "@paymux/core": paymuxRange, effect: effectRange },
  engines: { node: nodeRange }
})

/** Its exports are the sources until it is packed, as those of every package here. */
const inWorkspace = (adapter: Adapter) => ({
  ...described(adapter),
  license: "Apache-2.0",
  files,
  type: "module",
  sideEffects: false,
  exports: { ".": "./src/index.ts", "./package.json": "./package.json", "./internal/*": null },
  publishConfig: { exports: { ...built, "./internal/*": null }, access: "public", provenance: true },
  dependencies: { "@paymux/core": "workspace:^", "@paymux/provider-kit": "workspace:^" },
  devDependencies: { "@paymux/testkit": "workspace:^", effect: toolVersions.effect },
  peerDependencies: { effect: effectRange },
  engines: { node: nodeRange }
})

const manifest = (value: object): string => `${JSON.stringify(value, null, 2)}\n`

/** Lists of words in one line, as formatters have them. */
const config = (value: object): string =>
  manifest(value).replaceAll(
    /\[\s+((?:"[^"]*",?\s+)+)\]/g,
    (_, words: string) => `[${words.trim().split(/\s+/).join(" ")}]`
  )

/** The options of this repository: TypeScript that Node runs as it is. */
const check = {
  compilerOptions: {
    target: "es2024",
    lib: ["es2024", "esnext.disposable"],
    types: ["node"],
    module: "nodenext",
    moduleResolution: "nodenext",
    moduleDetection: "force",
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    noImplicitOverride: true,
    noFallthroughCasesInSwitch: true,
    noUnusedLocals: true,
    erasableSyntaxOnly: true,
    verbatimModuleSyntax: true,
    isolatedModules: true,
    allowImportingTsExtensions: true,
    rewriteRelativeImportExtensions: true,
    skipLibCheck: true,
    noEmit: true
  },
  include: ["src", "test", "*.ts"]
}

const declarations = { rootDir: "src", outDir: "dist" }

const build = {
  extends: "./tsconfig.json",
  compilerOptions: {
    noEmit: false,
    declaration: true,
    declarationMap: true,
    emitDeclarationOnly: true,
    ...declarations
  },
  include: ["src"]
}

const buildInWorkspace = ({ names: { id } }: Adapter) => ({
  extends: "../../../tsconfig.declarations.json",
  compilerOptions: {
    ...declarations,
    tsBuildInfoFile: `../../../node_modules/.cache/declarations/adapters-${id}.tsbuildinfo`
  },
  include: ["src"],
  references: [{ path: "../../core/tsconfig.build.json" }, { path: "../../provider-kit/tsconfig.build.json" }]
})

const tsup = `import { defineConfig } from "tsup"

export default defineConfig({
  entry: ["src/index.ts"],
  format: "esm",
  target: "node22",
  platform: "node",
  sourcemap: true,
  clean: true,
  dts: false, // tsup's declarations need an older TypeScript: tsc writes them
  skipNodeModulesBundle: true
})
`
