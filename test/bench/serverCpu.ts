/** CPU of a server of PostgreSQL on this machine: of all its processes, from what Linux counts for each. */
import { readdirSync, readFileSync } from "node:fs"
import { query } from "./PostgresDatabases.ts"

/** Answers the CPU used so far, in µs. `null`: the server is elsewhere, or this is no Linux. */
export const serverCpuOf = async (url: string): Promise<(() => number) | null> => {
  const [row] = await query(url, "SELECT pid FROM pg_stat_activity WHERE backend_type = 'checkpointer'")
  const checkpointer = statOf(Number(row?.["pid"]))
  const server = checkpointer === null ? null : statOf(checkpointer.parent)
  if (server === null || server.name !== "postgres") return null
  return () => {
    const processes = readdirSync("/proc").flatMap((entry) => {
      const stat = /^\d+$/.test(entry) ? statOf(Number(entry)) : null
      return stat === null ? [] : [stat]
    })
    // A session that has ended is counted with the process that started it.
    return processes
      .filter(({ parent, pid }) => pid === server.pid || parent === server.pid)
      .reduce((sum, { ended, own, pid }) => sum + own + (pid === server.pid ? ended : 0), 0)
  }
}

/** µs of one tick of `/proc`: a hundredth of a second on every Linux. */
const tick = 10_000

interface Stat {
  readonly pid: number
  readonly name: string
  readonly parent: number
  /** µs, of the process itself and of its children that have ended. */
  readonly own: number
  readonly ended: number
}

/** `null`: there is no such process here. */
const statOf = (pid: number): Stat | null => {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8")
    // The name is in brackets and may have any character.
    const name = text.slice(text.indexOf("(") + 1, text.lastIndexOf(")"))
    const [, parent, , , , , , , , , , user, system, endedUser, endedSystem] = text
      .slice(text.lastIndexOf(")") + 2)
      .split(" ")
      .map(Number)
    return {
      pid,
      name,
      parent: parent ?? 0,
      own: ((user ?? 0) + (system ?? 0)) * tick,
      ended: ((endedUser ?? 0) + (endedSystem ?? 0)) * tick
    }
  } catch {
    return null
  }
}
