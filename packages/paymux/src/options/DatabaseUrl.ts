import { Redacted } from "effect"
import { resolve } from "node:path"

/** `sqlite:payments.db`, `sqlite::memory:` or `:memory:`; `postgres://user:password@host:5432/database`. */
export type DatabaseUrl =
  | { readonly _tag: "Sqlite"; readonly filename: string }
  /** The address holds a password. */
  | { readonly _tag: "Postgres"; readonly url: Redacted.Redacted; readonly maxConnections: number }
  | { readonly _tag: "Refused"; readonly sentence: string }

export type DatabaseChoice = Exclude<DatabaseUrl, { readonly _tag: "Refused" }>

export const parseDatabaseUrl = (text: string): DatabaseUrl => {
  if (text === ":memory:") return { _tag: "Sqlite", filename: ":memory:" }
  if (text.startsWith("sqlite:")) return sqlite(text.slice("sqlite:".length))
  if (/^postgres(?:ql)?:\/\//.test(text)) return postgres(text)
  return refused("The database must be sqlite:<file>, :memory: or postgres://….")
}

/** For people: without the password. */
export const shownDatabase = (database: DatabaseChoice): string => {
  if (database._tag === "Sqlite") return database.filename
  const { host, pathname, protocol } = new URL(Redacted.value(database.url))
  return `${protocol}//${host}${pathname}`
}

/** For another thread or process of this machine, with the password; `null`: it is in the memory of this one. */
export const sharedUrl = (database: DatabaseChoice): string | null => {
  if (database._tag === "Postgres") return Redacted.value(database.url)
  return database.filename === ":memory:" ? null : `sqlite:${resolve(database.filename)}`
}

const sqlite = (rest: string): DatabaseUrl => {
  const filename = rest.replace(/^\/\/(?=[^/]|\/)/, "")
  return filename === "" ? refused("The database sqlite: needs a file name.") : { _tag: "Sqlite", filename }
}

const postgres = (text: string): DatabaseUrl =>
  URL.canParse(text) && new URL(text).pathname.length > 1
    ? { _tag: "Postgres", url: Redacted.make(text), maxConnections: 10 }
    : refused("A PostgreSQL address reads postgres://user:password@host:5432/database.")

const refused = (sentence: string): DatabaseUrl => ({ _tag: "Refused", sentence })
