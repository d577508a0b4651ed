/** `paymux database restored`: marks a database that went back to an earlier moment. */
import { AuditLog, CurrentActor } from "@paymux/dashboard"
import { markedAs, PaymentStore } from "@paymux/core/store"
import type { RestoredMark, RestoredReport } from "@paymux/core/store"
import { iso } from "@paymux/core/wire"
import { Console, Effect, Layer, Option } from "effect"
import { Command, Flag } from "effect/cli"
import { existsSync } from "node:fs"
import { databaseLayer, engineDatabaseLayer } from "../Database.ts"
import { shownDatabase } from "../options/DatabaseUrl.ts"
import type { DatabaseChoice } from "../options/DatabaseUrl.ts"
import { printable } from "../printable.ts"
import { commandActor } from "./commandActor.ts"
import { accountFlag, databaseFlag, databaseOf } from "./database.ts"
import { durationOrZero } from "./overlap.ts"
import { momentOf } from "./timeRange.ts"
import { userError } from "./userError.ts"

const restored = Command.make(
  "restored",
  {
    database: databaseFlag,
    account: accountFlag.pipe(Flag.withDescription("The account whose audit log records the mark")),
    at: Flag.String("at").pipe(
      Flag.withDescription(
        "The time that the database went back to, such as 2026-10-01T08:00:00Z, or how long ago that is"
      )
    ),
    acceptDoubles: Flag.String("accept-doubles").pipe(
      Flag.withDescription(
        "Provider instances, separated by commas, that payments are sent to although they may be charged twice there"
      ),
      Flag.optional
    ),
    for: Flag.String("for").pipe(
      Flag.withDescription("How long clients may repeat their requests, from now on; 0s ends the mark"),
      Flag.withDefault("24h")
    )
  },
  Effect.fnUntraced(function* (flags) {
    const chosen = yield* databaseOf(flags.database)
    if (chosen._tag === "Sqlite" && !existsSync(chosen.filename)) {
      return yield* userError(new Error(`Database not found: ${chosen.filename}. Name it with --database.`))
    }
    const holdsFor = durationOrZero(flags.for)
    if (holdsFor === null) {
      return yield* userError(new Error(`--for cannot be ${JSON.stringify(flags.for)}: name a duration, such as 24h.`))
    }
    const wentBackTo = yield* momentOf("--at", flags.at)
    const acceptedDoubles = yield* instancesOf(flags.acceptDoubles)
    const report = { wentBackTo, acceptedDoubles, holdsFor }
    const mark = yield* Effect.provide(
      marked(flags.account, report),
      Layer.provideMerge(AuditLog.layer, layerFor(chosen))
    ).pipe(Effect.provideService(CurrentActor, commandActor()), Effect.mapError(userError))
    yield* Console.log(summaryOf(shownDatabase(chosen), mark))
  })
).pipe(
  Command.withDescription(
    "Mark the database as restored: servers look requests with unknown idempotency keys up at the providers before they send them"
  ),
  Command.withExamples([
    {
      command: "paymux database restored --at 2026-10-01T08:00:00Z",
      description: "Before the API is opened after a restore"
    },
    {
      command: "paymux database restored --at 2026-10-01T08:00:00Z --accept-doubles acme",
      description: "Payments go to acme, which can neither honor keys nor be asked"
    }
  ])
)

export const database = Command.make("database").pipe(
  Command.withDescription("Mark what happened to the database"),
  Command.withSubcommands([restored])
)

/** On SQLite with the lock of the engine: a running server would not see the mark. */
const layerFor = (chosen: DatabaseChoice) =>
  chosen._tag === "Sqlite" ? engineDatabaseLayer(chosen, []) : databaseLayer(chosen)

class NotMarked extends Error {}

type NewMark = Omit<RestoredReport, "until"> & { readonly holdsFor: number }

/** The clock of the database decides: a server compares the mark with it. */
const marked = Effect.fnUntraced(function* (account: string, { holdsFor, ...report }: NewMark) {
  const store = yield* PaymentStore
  const now = yield* store.now
  if (report.wentBackTo > now) {
    return yield* Effect.fail(
      new NotMarked(`--at cannot be ${iso(report.wentBackTo)}: it is in the future (now ${iso(now)}).`)
    )
  }
  yield* recorded(account, { ...report, until: now + holdsFor })
  while (true) {
    const before = yield* store.restoration.read
    const mark = markedAs(before.mark, { ...report, until: now + holdsFor }, now)
    if (yield* store.restoration.replace(before, mark)) return mark
  }
})

/** Before the mark, so that no mark is without its entry. It is of all accounts and of both modes; the log is of one. */
const recorded = Effect.fnUntraced(function* (
  account: string,
  { acceptedDoubles, until, wentBackTo }: Omit<RestoredReport, "until"> & { readonly until: number }
) {
  const { append } = yield* AuditLog
  const after = { wentBackTo: iso(wentBackTo), until: iso(until), acceptedDoubles }
  const entry = { action: "database.mark_restored", target: null, outcome: "requested", before: null, after } as const
  yield* Effect.forEach([true, false], (livemode) => append({ ...entry, tenant: { account, livemode } }), {
    discard: true
  })
})

const instancesOf = (flag: Option.Option<string>) => {
  const names = Option.isNone(flag) ? [] : flag.value.split(",").map((name) => name.trim())
  const wrong = names.find((name) => !/^[\w.:-]{1,64}$/.test(name))
  return wrong === undefined
    ? Effect.succeed([...new Set(names)])
    : userError(
        new Error(
          `--accept-doubles cannot name ${JSON.stringify(wrong)}: name provider instances, separated by commas, such as acme,stripe-us.`
        )
      )
}

const summaryOf = (database: string, { acceptedDoubles, until, wentBackTo }: RestoredMark): string =>
  [
    `Marked ${printable(database)} as restored to ${iso(wentBackTo)}, until ${iso(until)}.`,
    "Requests with unknown idempotency keys are looked up at the providers before they are sent. Where no provider refuses a second charge or proves that there is no first one, they are refused with 503 restoring.",
    ...(acceptedDoubles.length === 0
      ? []
      : [`Payments are sent to ${acceptedDoubles.join(", ")} although they may be charged twice there.`])
  ].join("\n")
