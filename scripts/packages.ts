/** The published packages of the workspace, and their tarballs. */
import { spawnSync } from "node:child_process"
import { existsSync, globSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { gunzipSync } from "node:zlib"

export interface PublishedPackage {
  /** From the root of the repository. */
  readonly folder: string
  readonly name: string
}

export interface Contents {
  readonly files: number
  /** bytes */
  readonly packed: number
  /** bytes, the sum of all files */
  readonly unpacked: number
}

interface Manifest {
  readonly name: string
  readonly private?: boolean
}

/** Those of `packages/*` and `packages/adapters/*` that are not private, by name. */
export const publishedPackages = (root: string): ReadonlyArray<PublishedPackage> =>
  globSync("packages/{,adapters/}*/package.json", { cwd: root })
    .flatMap((file) => {
      // Boundary: a manifest of this workspace.
      const manifest = JSON.parse(readFileSync(join(root, file), "utf8")) as Manifest
      return manifest.private === true ? [] : [{ folder: dirname(file), name: manifest.name }]
    })
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))

/** Packs a built package to `tarball`. A text is why it could not. */
export const pack = (root: string, { folder, name }: PublishedPackage, tarball: string): Contents | string => {
  if (!existsSync(join(root, folder, "dist"))) return `${name} is not built. Run \`npx -y pnpm@12 build\` first.`
  const { error, status, stderr, stdout } = spawnSync("pnpm", ["pack", "--out", tarball], {
    cwd: join(root, folder),
    encoding: "utf8"
  })
  if (status !== 0) return `${name} could not be packed. ${error?.message ?? `${stdout}${stderr}`.trim()}`
  return contentsOf(readFileSync(tarball))
}

const block = 512

/** The regular files of a gzipped tar archive. */
export const contentsOf = (tarball: Uint8Array): Contents => {
  const tar = gunzipSync(tarball)
  let files = 0
  let unpacked = 0
  // A header is one block. Blocks of zeros end the archive.
  for (let at = 0; at + block <= tar.length && tar[at] !== 0;) {
    const size = Number.parseInt(tar.toString("latin1", at + 124, at + 136), 8)
    const type = tar.toString("latin1", at + 156, at + 157)
    if (type === "0" || type === "\0") {
      files += 1
      unpacked += size
    }
    at += block * (1 + Math.ceil(size / block))
  }
  return { files, packed: tarball.length, unpacked }
}

/** `@paymux/core: 210 files, 480 KB packed, 2100 KB unpacked` */
export const contentsText = (name: string, { files, packed, unpacked }: Contents): string =>
  `${name}: ${files} files, ${kilobytes(packed)} KB packed, ${kilobytes(unpacked)} KB unpacked`

const kilobytes = (bytes: number): number => Math.ceil(bytes / 1000)
