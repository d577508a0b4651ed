/**
 * Shows that behavior did not change: `pnpm same --with <commit>` replays the requests of `test/same/corpus` on this checkout and on
 * the commit, from outside, and compares answers, rows, events, log lines and output of commands.
 *
 *     --with <commit>       what is compared with: a hash, a branch or a tag. It is checked out and installed once
 *     --database both       sqlite, postgres or both
 *     --only <group>        one group of the corpus; may be repeated
 *     --remove              removes the work tree of the other commit at the end
 *
 * Exits with 1 if there is a difference that `test/same/accepted.json` does not accept, or an entry there that accepts nothing; with 2
 * if the run cannot start.
 */
import { readFileSync } from "node:fs"
import { parseArgs } from "node:util"
import { judge, readAccepted } from "../test/same/compare/accepted.ts"
import type { Accepted } from "../test/same/compare/accepted.ts"
import { compare } from "../test/same/compare/compare.ts"
import type { Difference } from "../test/same/compare/compare.ts"
import type { Recording } from "../test/same/compare/Recording.ts"
import type { Group } from "../test/same/corpus/Entry.ts"
import { groups } from "../test/same/corpus/index.ts"
import {
  buildPages,
  commitOf,
  refuseUncommitted,
  removeWorkTrees,
  root,
  workTreeOf
} from "../test/same/record/checkouts.ts"
import { databaseKinds, openDatabases } from "../test/same/record/databases.ts"
import type { DatabaseKind } from "../test/same/record/databases.ts"
import { recordGroup } from "../test/same/record/recordGroup.ts"
import { UsageError } from "../test/same/record/UsageError.ts"

const acceptedFile = "test/same/accepted.json"

const help = `Compares the behavior of this checkout with that of another commit.

USAGE
  pnpm same --with <commit> [flags]

FLAGS
  --with <commit>      A hash, a branch or a tag; it is checked out and installed once
  --database <kind>    sqlite, postgres or both (default)
  --only <group>       One of ${groups.map(({ name }) => name).join(", ")}; may be repeated. Default: all
  --remove             Remove the work tree of the other commit at the end; default: it is kept for the next run
  --help               Show this help

Accepted differences are in ${acceptedFile}: route, field and reason, at most 20.`

const main = async (): Promise<number> => {
  const flags = flagsOf()
  if (flags.help === true) return (say(help), 0)
  if (flags.with === undefined)
    throw new UsageError("Pass --with <commit> to say which commit this checkout is compared with.")
  const chosen = groupsOf(flags.only ?? [])
  const kinds = kindsOf(flags.database ?? "both")
  const hash = await commitOf(flags.with)
  const accepted = await acceptedHere()
  const before = await workTreeOf(hash, progress)
  progress("building the pages of the dashboard")
  for (const folder of [before, root]) await buildPages(folder)
  const differences: Array<Difference> = []
  for (const kind of kinds) differences.push(...(await compareOn(kind, chosen, before)))
  if (flags.remove === true) await removeWorkTrees()
  // Entries may be about groups that did not run.
  return report(differences, accepted, chosen.length === groups.length && kinds.length === databaseKinds.length)
}

const flagsOf = () => {
  try {
    return parseArgs({
      options: {
        with: { type: "string" },
        database: { type: "string" },
        only: { type: "string", multiple: true },
        remove: { type: "boolean" },
        help: { type: "boolean" }
      }
    }).values
  } catch (cause) {
    throw new UsageError(
      `${cause instanceof Error ? cause.message.replace(/\.?(?:\n[^]*)?$/, "") : String(cause)}: see pnpm same --help.`,
      { cause }
    )
  }
}

const groupsOf = (names: ReadonlyArray<string>): ReadonlyArray<Group> => {
  const unknown = names.find((name) => !groups.some((group) => group.name === name))
  if (unknown !== undefined) {
    throw new UsageError(
      `--only must be one of ${groups.map(({ name }) => name).join(", ")}, not ${JSON.stringify(unknown)}.`
    )
  }
  return names.length === 0 ? groups : groups.filter(({ name }) => names.includes(name))
}

const kindsOf = (name: string): ReadonlyArray<DatabaseKind> => {
  if (name === "both") return databaseKinds
  const kind = databaseKinds.find((each) => each === name)
  if (kind === undefined)
    throw new UsageError(`--database must be sqlite, postgres or both, not ${JSON.stringify(name)}.`)
  return [kind]
}

const acceptedHere = async (): Promise<ReadonlyArray<Accepted>> => {
  const read = readAccepted(readFileSync(`${root}/${acceptedFile}`, "utf8"))
  if (typeof read === "string") throw new UsageError(`${acceptedFile}${read.startsWith(":") ? "" : " "}${read}`)
  await refuseUncommitted(acceptedFile)
  return read
}

/** Both sides of a group at once: each has a server, a database and a receiver of its own. */
const compareOn = async (kind: DatabaseKind, chosen: ReadonlyArray<Group>, before: string) => {
  const differences: Array<Difference> = []
  const databases = await openDatabases(kind)
  try {
    for (const group of chosen) {
      const started = performance.now()
      let done = 0
      const onEntry = () => progress(`${group.name} on ${kind}: ${++done} of ${2 * group.entries.length} entries`)
      const record = (checkout: string) => recordGroup(group, { checkout, database: databases.create, onEntry })
      const [one, other] = await both(record(before), record(root))
      const found = compare(one, other)
      differences.push(...found)
      say(line(group.name, kind, other, found.length, (performance.now() - started) / 1000))
    }
  } finally {
    await databases.close()
  }
  return differences
}

/** Waits for the other side too if one fails: its server must not outlive its database. */
const both = async (
  before: Promise<Recording>,
  after: Promise<Recording>
): Promise<readonly [Recording, Recording]> => {
  await Promise.allSettled([before, after])
  return Promise.all([before, after])
}

const line = (
  group: string,
  kind: DatabaseKind,
  { observed }: Recording,
  differences: number,
  seconds: number
): string => {
  const counts = (["request", "command", "row", "event", "log"] as const).map((each) => {
    const count = observed.filter(({ kind: of }) => of === each).length
    return `${String(count).padStart(4)} ${each === "log" ? "log line" : each}${count === 1 ? "" : "s"}`
  })
  const found = differences === 0 ? "same" : `${differences} difference${differences === 1 ? "" : "s"}`
  return `${group.padEnd(10)} ${kind.padEnd(9)}${counts.join(", ")}: ${found} in ${seconds.toFixed(0)} s`
}

const report = (differences: ReadonlyArray<Difference>, entries: ReadonlyArray<Accepted>, isWhole: boolean): number => {
  const { accepted, open, stale } = judge(differences, entries)
  const shown = new Map<string, number>()
  for (const { after, before, field, route } of open) {
    const text = `${route} · ${field} · ${short(before)} → ${short(after)}`
    shown.set(text, (shown.get(text) ?? 0) + 1)
  }
  for (const [text, times] of shown) say(times === 1 ? text : `${text} (${times} times)`)
  if (isWhole) {
    for (const { field, route } of stale)
      say(`${acceptedFile}: nothing differs any more at ${route} · ${field}: remove the entry.`)
  }
  const ofAccepted = accepted === 0 ? "" : ` ${accepted} are accepted.`
  say(
    `${open.length === 0 ? "No difference" : `${open.length} difference${open.length === 1 ? "" : "s"}`}.${ofAccepted}`
  )
  return open.length === 0 && (stale.length === 0 || !isWhole) ? 0 : 1
}

const short = (text: string | null): string => {
  if (text === null) return "nothing"
  const oneLine = JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"')
  return oneLine.length <= 300 ? oneLine : `${oneLine.slice(0, 300)}…`
}

const say = (text: string): void => {
  clear()
  process.stdout.write(`${text}\n`)
}

/** On a terminal alone. */
const progress = (text: string): void => {
  if (process.stderr.isTTY) process.stderr.write(`\r\u001b[K${text}`)
}

const clear = (): void => {
  if (process.stderr.isTTY) process.stderr.write("\r\u001b[K")
}

try {
  process.exitCode = await main()
} catch (cause) {
  if (!(cause instanceof UsageError)) throw cause
  clear()
  process.stderr.write(`${cause.message}\n`)
  process.exitCode = 2
}
