/** A made package as its author has it after `npm install`: with what its package.json names, and nothing else. */
import { spawn } from "node:child_process"
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join, resolve } from "node:path"

export const repository = resolve(import.meta.dirname, "../../..")

/** Gone when the test is over; its real path, as the modules of the package see it. */
export const temporaryFolder = (): { readonly path: string } & Disposable => {
  const path = realpathSync(mkdtempSync(join(tmpdir(), "paymux-adapter-")))
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true }) }
}

/** A folder that is taken for the repository of Paymux. */
export const workspace = (): { readonly path: string } & Disposable => {
  const root = temporaryFolder()
  writeFileSync(join(root.path, "pnpm-workspace.yaml"), "packages:\n  - packages/*\n")
  writeFileSync(join(root.path, "package.json"), `${JSON.stringify({ name: "paymux-workspace" }, null, 2)}\n`)
  mkdirSync(join(root.path, "docs"))
  return root
}

export const install = (folder: string): void => {
  const { dependencies, devDependencies, peerDependencies } = manifestIn(folder)
  for (const name of Object.keys({ ...dependencies, ...devDependencies, ...peerDependencies })) {
    const link = join(folder, "node_modules", name)
    mkdirSync(dirname(link), { recursive: true })
    symlinkSync(realpathSync(join(repository, "node_modules", name)), link, "junction")
  }
}

interface Manifest {
  readonly name: string
  readonly version: string
  readonly dependencies?: { readonly [name: string]: string }
  readonly devDependencies?: { readonly [name: string]: string }
  readonly peerDependencies?: { readonly [name: string]: string }
  readonly engines: { readonly node: string }
}

export const manifestIn = (folder: string): Manifest => JSON.parse(readFileSync(join(folder, "package.json"), "utf8"))

/** Runs a program of the repository with Node in a folder; `null`: it ended well, else what it said. */
export const failureOf = (
  folder: string,
  program: string,
  args: ReadonlyArray<string>,
  env: NodeJS.ProcessEnv = process.env
): Promise<string | null> => {
  const ended = Promise.withResolvers<string | null>()
  const child = spawn(process.execPath, [join(repository, "node_modules", program), ...args], { cwd: folder, env })
  let said = ""
  child.stdout.on("data", (chunk: Buffer) => (said += chunk.toString()))
  child.stderr.on("data", (chunk: Buffer) => (said += chunk.toString()))
  child.on("error", ended.reject)
  child.on("close", (code) => ended.resolve(code === 0 ? null : `${program} ended with ${code}:\n${said}`))
  return ended.promise
}
