/** `paymux audit`: who did what. */
import { auditActions, AuditLog } from "@paymux/dashboard"
import type { Actor, AuditFields } from "@paymux/dashboard"
import { iso } from "@paymux/core/wire"
import { Console, Effect, Option, Schema } from "effect"
import { Command, Flag } from "effect/cli"
import { accountFlag, databaseFlag, jsonFlag, liveFlag, onExistingDatabase } from "./database.ts"
import { printable } from "./printable.ts"
import { printTable } from "./table.ts"
import { momentOf } from "./timeRange.ts"

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
    actor: Flag.String("actor").pipe(
      Flag.withDescription("Only entries of this actor: the id, as listed"),
      Flag.optional
    ),
    target: Flag.String("target").pipe(
      Flag.withDescription("Only entries about this object: pay_…, we_…, key_…, evt_…"),
      Flag.optional
    ),
    since: Flag.String("since").pipe(
      Flag.withDescription("Only entries since this time: 12h, 3d, 2026-10-01 or 2026-10-01T08:00:00Z"),
      Flag.optional
    ),
    until: Flag.String("until").pipe(
      Flag.withDescription("Only entries before this time, in the same format"),
      Flag.optional
    ),
    after: Flag.String("after").pipe(
      Flag.withDescription("The cursor that the page before printed: continue there"),
      Flag.optional
    ),
    limit: Flag.Int("limit").pipe(
      Flag.withDescription("1 to 1000"),
      Flag.withSchema(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 1000 }))),
      Flag.withDefault(20)
    ),
    json: jsonFlag
  },
  Effect.fnUntraced(function* ({ account, action, actor, after, database, json, limit, live, since, target, until }) {
    const query = {
      ...(Option.isSome(action) && { action: action.value }),
      ...(Option.isSome(actor) && { actorId: actor.value }),
      ...(Option.isSome(target) && { target: target.value }),
      ...(Option.isSome(since) && { from: yield* momentOf("--since", since.value) }),
      ...(Option.isSome(until) && { until: yield* momentOf("--until", until.value) }),
      ...(Option.isSome(after) && { after: after.value }),
      limit
    }
    const { entries, next } = yield* onExistingDatabase(
      database,
      AuditLog.layer,
      AuditLog.use((log) => log.list({ account, livemode: live }, query))
    )
    if (next !== null) yield* Console.error(`There are more: --after ${next}`)
    if (json) return yield* Console.log(JSON.stringify(entries, null, 2))
    if (entries.length === 0) return yield* Console.error("No entries.")
    yield* printTable(
      ["time", "actor", "action", "target", "outcome", "before", "after"],
      entries.map((entry) => [
        iso(entry.at),
        printable(actorText(entry.actor)),
        entry.action,
        entry.target ?? "",
        entry.outcome,
        printable(fieldsText(entry.before)),
        printable(fieldsText(entry.after))
      ])
    )
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
