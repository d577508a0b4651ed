/**
 * The files of the browser program, as `vite build` writes them: `index.html`, and assets whose names change with their
 * content. They are read at the first request, and compressed once for each encoding.
 */
import { readdir, readFile } from "node:fs/promises"
import { dirname, extname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { encode } from "./encodings.ts"
import type { Encoding } from "./encodings.ts"

export interface AppFiles {
  readonly index: string
  /** By name, without a folder. */
  readonly assets: ReadonlyMap<string, Asset>
}

interface Asset {
  readonly contentType: string
  readonly isCompressible: boolean
  readonly encoded: (encoding: Encoding) => Promise<Uint8Array>
}

const thisFile = fileURLToPath(import.meta.url)

/** A path, not `resolve` or `new URL`: a bundler of a host would follow those. */
export const builtApp = join(dirname(thisFile), thisFile.endsWith(".ts") ? "../../../dist/app" : "app")

/** Reads the folder once. While the app is not built it is `null`, and read again at the next request. */
export const appFiles = (folder: string): (() => Promise<AppFiles | null>) => {
  let files: Promise<AppFiles | null> | null = null
  return async () => {
    files ??= readFiles(folder)
    try {
      const found = await files
      if (found === null) files = null
      return found
    } catch (cause) {
      files = null
      throw cause
    }
  }
}

const readFiles = async (folder: string): Promise<AppFiles | null> => {
  try {
    const index = await readFile(join(folder, "index.html"), "utf8")
    const names = await readdir(join(folder, "assets"))
    const assets = names.map(
      async (name) => [name, assetOf(name, await readFile(join(folder, "assets", name)))] as const
    )
    return { index, assets: new Map(await Promise.all(assets)) }
  } catch (cause) {
    if (isMissing(cause)) return null
    throw cause
  }
}

const isMissing = (cause: unknown): boolean => cause instanceof Error && "code" in cause && cause.code === "ENOENT"

const assetOf = (name: string, bytes: Uint8Array): Asset => {
  const contentType = contentTypes[extname(name)] ?? "application/octet-stream"
  const encoded = new Map<Encoding, Promise<Uint8Array>>()
  return {
    contentType,
    isCompressible: /^text\/|\+xml|json/.test(contentType),
    encoded: (encoding) => {
      const known = encoded.get(encoding) ?? encode(bytes, encoding)
      encoded.set(encoding, known)
      return known
    }
  }
}

const contentTypes: { readonly [extension: string]: string } = {
  ".css": "text/css; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".woff2": "font/woff2"
}
