/** The name of who made a change, as the pages show it. */

interface Actor {
  readonly kind: "user" | "program" | "command"
  readonly id: string
  readonly name: string | null
}

export const actorText = ({ id, kind, name }: Actor): string => name ?? (kind === "program" ? programText(id) : id)

/** The id of a program that names no actor is `program`. */
export const programText = (id: string): string => (id === "program" ? "The program" : id)
