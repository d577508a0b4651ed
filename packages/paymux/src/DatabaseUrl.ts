/** `sqlite:payments.db`, `sqlite::memory:` or `:memory:`; a `postgres://` address is recognised and refused for now. */
export type DatabaseUrl =
  | { readonly _tag: "Sqlite"; readonly filename: string }
  | { readonly _tag: "Refused"; readonly sentence: string }

export const parseDatabaseUrl = (text: string): DatabaseUrl => {
  if (text === ":memory:") return { _tag: "Sqlite", filename: ":memory:" }
  if (text.startsWith("sqlite:")) return sqlite(text.slice("sqlite:".length))
  return refused(
    /^postgres(?:ql)?:\/\//.test(text)
      ? "PostgreSQL is not supported in this version: use sqlite:<file>."
      : "The database must be sqlite:<file> or :memory:."
  )
}

const sqlite = (rest: string): DatabaseUrl => {
  const filename = rest.replace(/^\/\/(?=[^/]|\/)/, "")
  return filename === "" ? refused("The database sqlite: needs a file name.") : { _tag: "Sqlite", filename }
}

const refused = (sentence: string): DatabaseUrl => ({ _tag: "Refused", sentence })
