/** `paymux audit`: who did what. */
import { auditActions, AuditLog, auditOutcomes } from "@paymux/dashboard"
import type { Actor, AuditFields } from "@paymux/dashboard"
import { iso } from "@paymux/core/wire"
import { Effect } from "effect"
import { Command, Flag } from "effect/cli"
import { accountFlag, databaseFlag, liveFlag, onExistingDatabase } from "./database.ts"
import { given, listFlags, listQuery, textFlag } from "./listFlags.ts"
import { printable } from "../printable.ts"
import { printPage } from "./table.ts"

const list = Command.make(
  "list",
  {
    database: databaseFlag,
    account: accountFlag,
    live: liveFlag,
    action: Flag.Literals("action", auditActions).pipe(
      Flag.withDescription("Only entries of this action"),
      Flag.optional
    ),
    actor: textFlag("actor", "Only entries of this actor: the id, as listed"),
    target: textFlag("target", "Only entries about this object: pay_…, we_…, key_…, evt_…"),
    outcome: Flag.Literals("outcome", auditOutcomes).pipe(
      Flag.withDescription("Only entries with this outcome"),
      Flag.optional
    ),
    ...listFlags("entries")
  },
  Effect.fnUntraced(function* ({ account, action, actor, database, json, live, outcome, target, ...page }) {
    const query = { ...given({ action, actorId: actor, target, outcome }), ...(yield* listQuery(page)) }
    const { entries, next } = yield* onExistingDatabase(
      database,
      AuditLog.layer,
      AuditLog.use((log) => log.list({ account, livemode: live }, query))
    )
    yield* printPage({
      next,
      entries,
      json,
      none: "No entries.",
      head: ["time", "actor", "action", "target", "outcome", "before", "after"],
      row: (entry) => [
        iso(entry.at),
        printable(actorText(entry.actor)),
        entry.action,
        entry.target ?? "",
        entry.outcome,
        printable(fieldsText(entry.before)),
        printable(fieldsText(entry.after))
      ]
    })
  })
).pipe(
  Command.withDescription("List administrative actions, newest first: who did what, and what changed"),
  Command.withExamples([
    { command: "paymux audit list --target we_…", description: "What was done to an endpoint" },
    { command: "paymux audit list --live --since 7d --json", description: "The last week of live mode, for a report" }
  ])
)

export const audit = Command.make("audit").pipe(
  Command.withDescription("Show the audit log"),
  Command.withSubcommands([list])
)

const actorText = ({ id, kind, name, role }: Actor): string =>
  [kind === "user" ? "" : kind, id, name === null ? "" : `(${name})`, role ?? ""]
    .filter((part) => part !== "")
    .join(" ")

const fieldsText = (fields: AuditFields | null): string =>
  Object.entries(fields ?? {})
    .map(([name, value]) => `${name}: ${Array.isArray(value) ? value.join(", ") : String(value ?? "–")}`)
    .join("; ")
