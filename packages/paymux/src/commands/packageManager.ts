/**
 * npx and npm scripts end at SIGTERM without passing it on, and leave the server without a parent. In `npx pnpm paymux serve`
 * it is pnpm that is left, and the server still has its parent. So the server watches each process between it and the
 * outermost package manager. A server that was started otherwise may outlive its parent.
 */
import { Effect } from "effect"
import { readFileSync } from "node:fs"

/** A process that a package manager started. It was left if it has another parent now. */
interface Started {
  readonly pid: number
  readonly parent: number
}

/** From the server outwards. A daemon that a package manager started ends with none: it has a session of its own. */
const startedFrom = (first: Started): ReadonlyArray<Started> => {
  const started = [first]
  for (let pid = first.parent; ;) {
    const next = processOf(pid)
    if (next === null || next.session === pid || !next.isOfPackageManager) return started
    started.push({ pid, parent: next.parent })
    pid = next.parent
  }
}

/** `null`: it has ended, belongs to another user, or the system has no `/proc` (it is Linux's). */
const processOf = (pid: number) => {
  try {
    const environment = `\0${readFileSync(`/proc/${pid}/environ`, "latin1")}`
    return { ...placeOf(pid), isOfPackageManager: environment.includes("\0npm_command=") }
  } catch {
    return null
  }
}

/** `pid (name) state parent group session …`: the name may have spaces and brackets. */
const placeOf = (pid: number) => {
  const stat = readFileSync(`/proc/${pid}/stat`, "latin1")
  const [, parent, , session] = stat.slice(stat.lastIndexOf(")") + 2).split(" ")
  return { parent: Number(parent), session: Number(session) }
}

const parentOf = (pid: number): number | null => {
  if (pid === process.pid) return process.ppid
  try {
    return placeOf(pid).parent
  } catch {
    return null
  }
}

/** Read as the program loads: a client that waits for the printed address may end the parent before anything else runs. */
const watched = process.env["npm_command"] === undefined ? [] : startedFrom({ pid: process.pid, parent: process.ppid })

export const packageManagerEnded: Effect.Effect<void> =
  watched.length === 0
    ? Effect.never
    : Effect.repeat(Effect.sleep("1 second"), {
        until: () => watched.some(({ parent, pid }) => parentOf(pid) !== parent)
      })
