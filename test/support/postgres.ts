/**
 * For vitest's `globalSetup`: one PostgreSQL for all tests of a run, started when the first of them asks, so that a run
 * without such a test pays nothing. `DATABASE_URL` names a server that is to be used instead, of PostgreSQL 15 or later.
 */
import { mkdtempSync, rmSync } from "node:fs"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { TestProject } from "vitest/node"
import { startPostgres } from "./PostgresServer.ts"
import type { PostgresServer } from "./PostgresServer.ts"

declare module "vitest" {
  export interface ProvidedContext {
    /** Where a test gets the address of the server. */
    readonly postgresDoor: string
  }
}

const setup = async ({ provide }: TestProject): Promise<() => Promise<void>> => {
  const directory = mkdtempSync(join(tmpdir(), "paymux-door-"))
  const path = join(directory, "door")
  let server: Promise<PostgresServer> | undefined
  const address = async (): Promise<string> => {
    const given = process.env["DATABASE_URL"]
    if (given !== undefined && given !== "") return given
    server ??= startPostgres()
    return (await server).url
  }
  const door = createServer((socket) => {
    socket.on("error", () => socket.destroy())
    address().then(
      (url) => socket.end(JSON.stringify({ url })),
      (cause: unknown) => socket.end(JSON.stringify({ problem: String(cause) }))
    )
  })
  await new Promise<void>((resolve) => door.listen(path, resolve))
  provide("postgresDoor", path)
  return async () => {
    door.close()
    rmSync(directory, { recursive: true, force: true })
    if (server !== undefined) await server.then(({ stop }) => stop()).catch(() => undefined)
  }
}

export default setup
