/** One of two PostgreSQL servers that replicate: it is killed, promoted, and built anew from the other one. */
import { PostgresClient, PostgresDatabase } from "@paymux/sql"
import { Effect, Redacted } from "effect"
import { execFile } from "node:child_process"
import { appendFileSync, chownSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { promisify } from "node:util"
import { initialize, runPostgres, urlOf } from "../support/PostgresServer.ts"
import type { Installation, RunningPostgres } from "../support/PostgresServer.ts"

export interface PostgresNode {
  readonly port: number
  readonly data: string
  /** Of its database `postgres`. */
  readonly url: string
  /** As a primary of a new cluster. */
  readonly begin: () => Promise<void>
  /** Sends SIGKILL to the server and all of its processes. */
  readonly kill: () => Promise<void>
  /** Runs `pg_ctl promote`; returns the ms until the server accepts writes. */
  readonly promote: () => Promise<number>
  /** Names the standbys that commits wait for; `""`: they wait for none. */
  readonly waitFor: (standbys: string) => Promise<void>
  /** Replaces its data by a copy of `source`, which it follows through `port` from then on. */
  readonly rebuild: (source: PostgresNode, port: number) => Promise<void>
}

export const makeNode = (installation: Installation, name: string, port: number): PostgresNode => {
  const data = join(installation.directory, name)
  const url = urlOf(port)
  const { native, owner } = installation
  let running: RunningPostgres | null = null

  const set = (setting: string, value: string) =>
    appendFileSync(join(data, "postgresql.auto.conf"), `${setting} = '${value}'\n`)

  const write = (file: string, content: string) => {
    writeFileSync(join(data, file), content)
    if (owner.uid !== undefined) chownSync(join(data, file), owner.uid, owner.gid)
  }

  const start = async () => {
    running = await runPostgres({ installation, data, port, removed: false, durable: true, settings })
  }

  return {
    port,
    data,
    url,
    begin: async () => {
      await initialize(installation, data)
      await start()
    },
    kill: async () => {
      for (const process of processesOf(data)) end(process)
      await running?.stop()
      running = null
      rmSync(join(data, "postmaster.pid"), { force: true })
    },
    promote: async () => {
      const started = performance.now()
      await promisify(execFile)(join(native, "bin", "pg_ctl"), ["promote", "-w", "-D", data], { ...owner, cwd: data })
      return performance.now() - started
    },
    waitFor: async (standbys) => {
      set("synchronous_standby_names", standbys)
      await query(url, "SELECT pg_reload_conf()")
    },
    rebuild: async (source, from) => {
      rmSync(data, { recursive: true, force: true })
      write("backup_label", await copyRunning(source, installation, data))
      set("primary_conninfo", `host=127.0.0.1 port=${from} user=paymux password=paymux application_name=${name}`)
      set("synchronous_standby_names", "")
      write("standby.signal", "")
      await start()
    }
  }
}

const settings = {
  // A standby that was away finds the log that it needs.
  wal_keep_size: "512MB",
  wal_receiver_status_interval: "1s",
  wal_receiver_timeout: "3s",
  wal_sender_timeout: "3s",
  wal_retrieve_retry_interval: "200ms"
}

/** The server first: it would end the others in good order. */
const processesOf = (data: string): ReadonlyArray<number> => {
  const server = Number(readFileSync(join(data, "postmaster.pid"), "utf8").split("\n")[0])
  const children = readFileSync(`/proc/${server}/task/${server}/children`, "utf8")
  return [
    server,
    ...children
      .split(" ")
      .filter((text) => text !== "")
      .map(Number)
  ]
}

const end = (pid: number) => {
  try {
    process.kill(pid, "SIGKILL")
  } catch {
    // It has ended already.
  }
}

/** Copies the files of a server that goes on to run; returns what the copy has to be labeled with. */
const copyRunning = (source: PostgresNode, { owner }: Installation, to: string): Promise<string> =>
  onServer(
    source.url,
    Effect.gen(function* () {
      const database = yield* PostgresDatabase
      yield* database.query("SELECT pg_backup_start('copy', true)::text", [])
      // A file that is removed meanwhile is not needed.
      yield* Effect.promise(() =>
        promisify(execFile)("cp", ["-a", source.data, to], { ...owner, cwd: "/" }).catch(ignore)
      )
      const [row] = yield* database.query("SELECT labelfile FROM pg_backup_stop(false)", [])
      rmSync(join(to, "postmaster.pid"), { force: true })
      for (const { name, parentPath } of readdirSync(join(to, "pg_wal"), { withFileTypes: true })) {
        if (/^[0-9A-F]{24}/.test(name)) rmSync(join(parentPath, name))
      }
      return String(row?.["labelfile"])
    })
  )

const ignore = () => undefined

/** Without the deadline of payments. */
const onServer = <A>(url: string, effect: Effect.Effect<A, unknown, PostgresDatabase>): Promise<A> =>
  Effect.runPromise(
    Effect.provide(effect, PostgresClient.layer({ url: Redacted.make(url), maxConnections: 1, deadlineMs: 120_000 }), {
      local: true
    })
  )

export const query = (url: string, sql: string) =>
  onServer(
    url,
    Effect.flatMap(PostgresDatabase, (database) => database.query(sql, []))
  )
