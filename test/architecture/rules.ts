/** The rules of the house, as pure functions from sources to sentences: an empty list says that a rule is kept. */
import { posix } from "node:path"
import type { FindingKind, Import, SourceFile } from "./SourceFile.ts"

/** What the sources of one package may use. */
export interface Room {
  /** Entries of the packages of this repository: `@paymux/core`, `@paymux/core/store`. */
  readonly siblings: ReadonlyArray<string>
  /** Packages from npm. */
  readonly packages: ReadonlyArray<string>
  /** Sub-path families of `effect`: `http` stands for `effect/http` and all below it. */
  readonly families: ReadonlyArray<string>
  /** Whether it may use modules of Node.js. */
  readonly node: boolean
}

export interface Manifest {
  readonly name: string
  readonly dependencies?: { readonly [name: string]: string }
  readonly devDependencies?: { readonly [name: string]: string }
  readonly peerDependencies?: { readonly [name: string]: string }
}

export interface Package {
  /** From the root of the repository: `packages/core`. */
  readonly folder: string
  readonly manifest: Manifest
  /** What is published. */
  readonly src: ReadonlyArray<SourceFile>
  /** Tests, demo, build files. */
  readonly other: ReadonlyArray<SourceFile>
}

/** Who imports whom. */
export const forbiddenImports = ({ folder, manifest, src }: Package, room: Room): ReadonlyArray<string> =>
  src.flatMap((file) =>
    file.imports.flatMap((each) => {
      const why = refusal(file, each, { folder, name: manifest.name }, room)
      return why === null ? [] : [`${at(file, each)} imports ${each.specifier}: ${why}`]
    })
  )

const refusal = (
  file: SourceFile,
  { specifier }: Import,
  { folder, name }: { readonly folder: string; readonly name: string },
  room: Room
): string | null => {
  if (specifier.startsWith(".")) {
    return target(file, specifier).startsWith(`${folder}/src/`) ? null : `the sources of ${name} end at ${folder}/src`
  }
  if (specifier.startsWith("node:")) return room.node ? null : `${name} uses nothing of Node.js`
  const from = packageOf(specifier)
  if (from === name) return "a package does not import itself"
  if (isSibling(from)) {
    return room.siblings.includes(specifier)
      ? null
      : `${name} may import ${room.siblings.join(", ") || "no package of the house"}`
  }
  if (!room.packages.includes(from)) return `${name} may import ${room.packages.join(", ")}`
  const family = from === "effect" ? familyOf(specifier) : null
  return family === null || room.families.includes(family)
    ? null
    : `${name} may use of effect's families: ${room.families.join(", ") || "none"}`
}

/** Modules of `effect` other than those that are listed. `effect` and `effect/Effect` are the two ways to take one. */
export const otherEffectModules = (files: ReadonlyArray<SourceFile>, allowed: ReadonlyArray<string>) =>
  files.flatMap((file) =>
    file.imports.flatMap((each) =>
      effectModules(each)
        .filter((module) => !allowed.includes(module))
        .map((module) => `${at(file, each)} uses ${module} of effect`)
    )
  )

const effectModules = ({ names, specifier }: Import): ReadonlyArray<string> => {
  if (specifier === "effect") return names.length === 0 ? ["*"] : names
  return specifier.startsWith("effect/") && familyOf(specifier) === null ? [specifier.slice("effect/".length)] : []
}

/** Names that more than one entry exports. */
export const exportedTwice = (entries: { readonly [entry: string]: ReadonlyArray<string> }): ReadonlyArray<string> => {
  const all = Object.values(entries).flat()
  return [...new Set(all.filter((name, place) => all.indexOf(name) !== place))].map((name) => {
    const from = Object.keys(entries).filter((entry) => entries[entry]?.includes(name))
    return `${name} is exported from ${from.join(" and ")}`
  })
}

/** What is imported is declared, and what is declared is imported. */
export const dependencyFaults = ({ manifest, other, src }: Package): ReadonlyArray<string> => {
  const { name } = manifest
  const inSrc = packagesOf(src)
  const anywhere = new Set([...inSrc, ...packagesOf(other)])
  const run = Object.keys(manifest.dependencies ?? {})
  const peer = Object.keys(manifest.peerDependencies ?? {})
  const development = Object.keys(manifest.devDependencies ?? {})
  return [
    ...[...inSrc]
      .filter((used) => used !== name && !run.includes(used) && !peer.includes(used))
      .map((used) => `${name} imports ${used}, which is not among its dependencies`),
    ...run.filter((each) => !inSrc.has(each)).map((each) => `${name} depends on ${each} and does not import it`),
    ...development
      .filter((each) => !anywhere.has(each.replace(/^@types\//, "")) && !peer.includes(each))
      .map((each) => `${name} has the development dependency ${each} and does not import it`)
  ]
}

/** Of a package that is bundled: its development dependencies become part of it. `except` are those of its dependencies. */
export const unusedDependencies = (
  { manifest, other, src }: Package,
  except: ReadonlyArray<string>
): ReadonlyArray<string> => {
  const used = packagesOf([...src, ...other])
  return Object.keys(manifest.devDependencies ?? {})
    .filter((each) => !used.has(each.replace(/^@types\//, "")) && !except.includes(each))
    .map((each) => `${manifest.name} has the development dependency ${each} and does not import it`)
}

/** Imports of types count: who reads a file of a cycle has to read all of them. One sentence for each cycle found. */
export const cycles = (files: ReadonlyArray<SourceFile>): ReadonlyArray<string> => {
  const next = new Map(
    files.map((file) => [
      file.path,
      file.imports.filter(({ specifier }) => specifier.startsWith(".")).map(({ specifier }) => target(file, specifier))
    ])
  )
  const done = new Set<string>()
  const found: Array<string> = []
  const visit = (path: string, trail: ReadonlyArray<string>): void => {
    const from = trail.indexOf(path)
    if (from !== -1) return void found.push([...trail.slice(from), path].join(" → "))
    if (done.has(path)) return
    for (const each of next.get(path) ?? []) visit(each, [...trail, path])
    done.add(path)
  }
  for (const { path } of files) visit(path, [])
  return found
}

/**
 * Imports that run from a floor to a higher one, types included. `floors`: the folders of `src`, the lowest first; a folder within
 * another may have a floor of its own. Files in `src` itself are the entries, above all floors.
 */
export const upwardImports = (
  files: ReadonlyArray<SourceFile>,
  src: string,
  floors: ReadonlyArray<string>
): ReadonlyArray<string> => {
  const levels = [...floors, "src"]
  const floorOf = (path: string): string => {
    const folder = posix.relative(src, posix.dirname(path))
    if (folder === "") return "src"
    const within = floors.filter((floor) => `${folder}/`.startsWith(`${floor}/`))
    return within.toSorted((a, b) => b.length - a.length)[0] ?? folder
  }
  return files.flatMap((file) => {
    const from = floorOf(file.path)
    if (!levels.includes(from)) return [`${file.path} is in ${from}, which is not a floor`]
    return file.imports
      .filter(({ specifier }) => specifier.startsWith("."))
      .map((each) => ({ each, to: floorOf(target(file, each.specifier)) }))
      .filter(({ to }) => levels.indexOf(to) > levels.indexOf(from))
      .map(({ each, to }) => `${at(file, each)} ${from} → ${to}`)
  })
}

/** Imports that leave the folder, types included. */
export const importsFromOutside = (files: ReadonlyArray<SourceFile>, folder: string): ReadonlyArray<string> =>
  files.flatMap((file) =>
    file.imports
      .filter(({ specifier }) => !specifier.startsWith(".") || !target(file, specifier).startsWith(`${folder}/`))
      .map((each) => `${at(file, each)} imports ${each.specifier}`)
  )

export const tooLong = (files: ReadonlyArray<SourceFile>, most: number): ReadonlyArray<string> =>
  files.filter(({ lines }) => lines > most).map(({ lines, path }) => `${path} has ${lines} lines`)

export const found = (
  files: ReadonlyArray<SourceFile>,
  kinds: ReadonlyArray<FindingKind>,
  except: ReadonlyArray<string> = []
): ReadonlyArray<string> =>
  files
    .filter(({ path }) => !except.includes(path))
    .flatMap((file) =>
      file.findings.filter(({ kind }) => kinds.includes(kind)).map((each) => `${at(file, each)} ${each.kind}`)
    )

const at = ({ path }: SourceFile, { line }: { readonly line: number }): string => `${path}:${line}`

const target = ({ path }: SourceFile, specifier: string): string => posix.join(posix.dirname(path), specifier)

const packageOf = (specifier: string): string =>
  specifier
    .split("/")
    .slice(0, specifier.startsWith("@") ? 2 : 1)
    .join("/")

const packagesOf = (files: ReadonlyArray<SourceFile>): ReadonlySet<string> =>
  new Set(
    files
      .flatMap(({ imports }) => imports)
      .map(({ specifier }) => specifier)
      .filter((specifier) => !specifier.startsWith(".") && !specifier.startsWith("node:"))
      .map(packageOf)
  )

const isSibling = (name: string): boolean => name === "paymux" || name.startsWith("@paymux/")

/** Root modules are written with a capital, families without: `effect/Effect`, `effect/http/HttpRouter`. */
const familyOf = (specifier: string): string | null => /^effect\/([a-z][^/]*)/.exec(specifier)?.[1] ?? null
