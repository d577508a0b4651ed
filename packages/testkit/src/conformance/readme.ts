/** The capability table in an adapter's README, between two markers. */
import { readFileSync, writeFileSync } from "node:fs"

const open = "<!-- paymux:capabilities -->"
const close = "<!-- /paymux:capabilities -->"

/**
 * How vitest treats snapshots in this run: `all` with `-u`, `new` where it may write what is missing, `none` in CI.
 */
export type SnapshotUpdates = "all" | "new" | "none"

/** `null`: the table is there. Otherwise what to do; where the run may write it, it is written. */
export const keepTable = (readme: URL, table: string, updates: SnapshotUpdates): string | null => {
  const text = readFileSync(readme, "utf8")
  const from = text.indexOf(open)
  const to = text.indexOf(close)
  if (from === -1 || to < from) return `README.md has no place for the capability table: add ${open} and ${close}.`
  const kept = text.slice(from + open.length, to).trim()
  if (kept === table.trim()) return null
  if (updates === "all" || (updates === "new" && kept === "")) {
    writeFileSync(readme, `${text.slice(0, from)}${open}\n\n${table.trim()}\n\n${text.slice(to)}`)
    return null
  }
  return "The capability table in README.md is not what the adapter declares: run the tests with -u, and read the change."
}
