import { parsePostgresUrl } from "@paymux/sql"
import { Redacted, Result } from "effect"
import { resolve } from "node:path"

/** `sqlite:payments.db`, `sqlite::memory:` or `:memory:`; `postgres://user:password@host:5432/database`, also with several hosts. */
export type DatabaseUrl =
  | { readonly _tag: "Sqlite"; readonly filename: string }
  /** The address holds a password. */
  | {
      readonly _tag: "Postgres"
      readonly url: Redacted.Redacted
      /** Without user and password. */
      readonly shown: string
      readonly maxConnections: number
    }
  | { readonly _tag: "Refused"; readonly sentence: string }

export type DatabaseChoice = Exclude<DatabaseUrl, { readonly _tag: "Refused" }>

export const parseDatabaseUrl = (text: string): DatabaseUrl => {
  if (text === ":memory:") return { _tag: "Sqlite", filename: ":memory:" }
  if (text.startsWith("sqlite:")) return sqlite(text.slice("sqlite:".length))
  if (/^postgres(?:ql)?:\/\//.test(text)) return postgres(text)
  return refused("The database must be sqlite:<file>, :memory: or postgres://….")
}

/** For people: without the password. */
export const shownDatabase = (database: DatabaseChoice): string =>
  database._tag === "Sqlite" ? database.filename : database.shown

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
  Result.match(parsePostgresUrl(text), {
    onFailure: refused,
    onSuccess: ({ database, shown }) =>
      database === null
        ? refused(`The PostgreSQL address ${shown} names no database: add /<database>.`)
        : { _tag: "Postgres", url: Redacted.make(text), shown, maxConnections: 10 }
  })

const refused = (sentence: string): DatabaseUrl => ({ _tag: "Refused", sentence })
