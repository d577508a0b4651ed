/** Who performs an administrative action. */
import { Context } from "effect"

/** What a person may do in the dashboard. */
export const roles = ["owner", "developer", "operator", "routing", "viewer"] as const
export type Role = (typeof roles)[number]

export interface Actor {
  /**
   * `user`: a person who signed in. `command`: someone at a terminal of the server. `program`: the program that embeds
   * Paymux.
   */
  readonly kind: "user" | "command" | "program"
  /** Of the user in their system, or the name of the account at the operating system. */
  readonly id: string
  /** For people, such as a name or an email address; `null`: as `id`. */
  readonly name: string | null
  /** `null`: of a command and of a program, which may do everything. */
  readonly role: Role | null
  /** The IP address of the request; `null`: there was no request. */
  readonly address: string | null
}

/** A program that names no person. */
export const theProgram: Actor = { kind: "program", id: "program", name: null, role: null, address: null }

/** Whom the audit log names for the actions of this fiber. */
export const CurrentActor: Context.Reference<Actor> = Context.Reference<Actor>("@paymux/dashboard/CurrentActor", {
  defaultValue: () => theProgram
})
