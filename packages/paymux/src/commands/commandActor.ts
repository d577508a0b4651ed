/** Whom the audit log names for a command: the account at the operating system that runs it. */
import type { Actor } from "@paymux/dashboard"
import { userInfo } from "node:os"

export const commandActor = (): Actor => ({ kind: "command", id: userName(), name: null, role: null, address: null })

/** In a container the user id may have no name. */
const userName = (): string => {
  try {
    return userInfo().username
  } catch {
    return `uid ${process.getuid?.() ?? "unknown"}`
  }
}
