/** New databases for the sides: a file in the folder of a run, or one on a PostgreSQL server that this program starts. */
import { randomUUID } from "node:crypto"
import { join } from "node:path"
import { startPostgres } from "../../support/PostgresServer.ts"
import { query } from "./rows.ts"

export interface Databases {
  readonly create: (folder: string) => Promise<string>
  readonly close: () => Promise<void>
}

export const databaseKinds = ["sqlite", "postgres"] as const
export type DatabaseKind = (typeof databaseKinds)[number]

export const openDatabases = async (kind: DatabaseKind): Promise<Databases> => {
  if (kind === "sqlite") {
    return { create: async (folder) => `sqlite:${join(folder, "paymux.db")}`, close: async () => undefined }
  }
  const server = await startPostgres()
  return {
    create: async () => {
      const name = `paymux_same_${randomUUID().slice(0, 8)}`
      await query(server.url, `CREATE DATABASE ${name} TEMPLATE template0`)
      const url = new URL(server.url)
      url.pathname = `/${name}`
      return url.href
    },
    close: server.stop
  }
}
