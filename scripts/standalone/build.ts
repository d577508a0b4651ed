/**
 * The `paymux` command and all that it imports, in few small files. It starts in about half of the time that its
 * packages take, and needs less memory.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { dirname, join, resolve } from "node:path"
import { build } from "vite"
import type { Plugin } from "vite"

const root = resolve(import.meta.dirname, "../..")

/**
 * `import` of a built-in module reads all of its exports, which loads what they come from: with `node:http` all of undici.
 * This reads those that are used.
 */
const builtinModules: Plugin = {
  name: "builtin-modules",
  enforce: "pre",
  resolveId: { filter: { id: /^node:(?!module$)/ }, handler: (id) => `\0${id}` },
  load: {
    filter: { id: /^\0node:/ },
    handler: (id) => `module.exports = process.getBuiltinModule(${JSON.stringify(id.slice(1))})`
  }
}

/**
 * Our packages find their files and threads beside their own code, and these stay where they are: beside the index of a
 * built package, and beside the module in the sources.
 */
const ownFiles: Plugin = {
  name: "own-files",
  enforce: "pre",
  transform: {
    filter: { id: /\/packages\/.+\.ts$/, code: /import\.meta\.url/ },
    handler: (code, id) => ({
      code: code.replaceAll("import.meta.url", ownUrl(id)),
      map: null
    })
  }
}

/** Node keeps the text of a module for as long as it runs, in twice the memory if a single character is not Latin. */
const asciiText: Plugin = {
  name: "ascii-text",
  generateBundle: (_options, bundle) => {
    for (const output of Object.values(bundle)) if (output.type === "chunk") output.code = escaped(output.code)
  }
}

const escaped = (code: string): string => {
  if (/String\.raw`[^`]*[^\0-\x7F]/.test(code)) throw new Error("String.raw shows escapes: write its text in ASCII.")
  // oxlint-disable-next-line unicorn/prefer-code-point -- half of a pair is escaped as itself
  return code.replaceAll(/[^\0-\x7F]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
}

/** Node reads spaces as well. Lines stay, because Node prints them with an error. */
const fewerSpaces: Plugin = {
  name: "fewer-spaces",
  generateBundle(_options, bundle) {
    for (const output of Object.values(bundle)) {
      if (output.type === "chunk") output.code = dense(output.code, literalsIn(this.parse(output.code)))
    }
  }
}

/** Literals, in which a space is a part of the text. In their order. */
const literalsIn = (node: unknown): ReadonlyArray<{ readonly start: number; readonly end: number }> => {
  if (Array.isArray(node)) return node.flatMap(literalsIn)
  if (typeof node !== "object" || node === null) return []
  // Boundary: a syntax tree of ESTree, as plugins get it.
  const { end, start, type } = node as { readonly end: number; readonly start: number; readonly type: string }
  if (type === "Literal" || type === "TemplateLiteral") return [{ start, end }]
  return Object.values(node).flatMap(literalsIn)
}

/** Beside these signs a space separates nothing: no two of them, written with a space between, are one sign without it. */
const spacedSign = / *([,;:{}()[\]=<>?&|!]) */g

const dense = (code: string, literals: ReadonlyArray<{ readonly start: number; readonly end: number }>): string => {
  const outside = (text: string): string => text.replaceAll(/(?<=\n)[\t ]+/g, "").replaceAll(spacedSign, "$1")
  let [written, from] = ["", 0]
  for (const { end, start } of literals) {
    written += outside(code.slice(from, start)) + code.slice(start, end)
    from = end
  }
  return written + outside(code.slice(from))
}

/** The licenses of what is not ours ask for it. */
const licenses: Plugin = {
  name: "licenses",
  generateBundle() {
    const folders = [...this.getModuleIds()].flatMap(
      (id) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(id) ?? []
    )
    const notices = [...new Set(folders)].sort().map(noticeOf)
    this.emitFile({ type: "asset", fileName: "LICENSES.txt", source: notices.join("\n\n") })
  }
}

const noticeOf = (folder: string): string => {
  const { license, name, version } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"))
  const texts = readdirSync(folder)
    .filter((file) => /^(?:license|notice)/i.test(file))
    .sort()
  return [
    `# ${name} ${version} (${license})`,
    ...texts.map((file) => readFileSync(join(folder, file), "utf8").trim())
  ].join("\n\n")
}

const ownUrl = (file: string): string => {
  const index = `import.meta.resolve(${JSON.stringify(packageOf(dirname(file)))})`
  const inSources = JSON.stringify(/\/src\/(.+)$/.exec(file)?.[1] ?? "")
  return `(${index}.endsWith(".ts") ? new URL(${inSources}, ${index}).href : ${index})`
}

const packageOf = (folder: string): string => {
  const manifest = join(folder, "package.json")
  return existsSync(manifest) ? JSON.parse(readFileSync(manifest, "utf8")).name : packageOf(dirname(folder))
}

/** Writes it to a folder. `plugins`: for those who look at what is built. */
export const buildStandalone = (outDir: string, plugins: ReadonlyArray<Plugin> = []) =>
  build({
    root,
    configFile: false,
    logLevel: "error",
    plugins: [builtinModules, ownFiles, asciiText, fewerSpaces, licenses, ...plugins],
    ssr: { noExternal: true },
    build: {
      ssr: true,
      outDir,
      target: "node22",
      rolldownOptions: {
        input: { runCommand: join(root, "packages/paymux/src/runCommand.ts") },
        output: {
          entryFileNames: "[name].js",
          chunkFileNames: "[name]-[hash].js",
          // Lines and names stay: Node prints both with an error.
          comments: { legal: false, annotation: false, jsdoc: false },
          minify: { compress: true, mangle: false, codegen: { removeWhitespace: false } }
        }
      }
    }
  })
