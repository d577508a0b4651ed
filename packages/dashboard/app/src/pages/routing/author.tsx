import type { Schemas } from "../../api/client.ts"
import { Foreign } from "../../ui/Layout.tsx"

type Version = Schemas["RulesVersion"]

/** Who published a version: a person, the command line, the library, or the server. */
export const Author = ({ author, source }: Pick<Version, "author" | "source">) => {
  if (author !== null) return <Foreign text={author.name ?? author.id} />
  return <span className="text-muted">{source === "database" ? "The server" : "Not recorded"}</span>
}
