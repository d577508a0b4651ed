/** `paymux statements`: what runs have read of providers' statements, and what they found. */
import { differenceKinds } from "@paymux/core/engine"
import { iso } from "@paymux/core/wire"
import { differenceStates, Statements } from "@paymux/sql"
import type { EnteredMovement, ListedDifference, StatementRun } from "@paymux/sql"
import { Console, Effect } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { databaseFlag, liveFlag, onExistingDatabase } from "./database.ts"
import { given, pageFlags, pageQuery, textFlag } from "./listFlags.ts"
import { printable } from "../printable.ts"
import { amountText } from "./amountText.ts"
import { printPage } from "./table.ts"
import { userError } from "./userError.ts"

const place = { database: databaseFlag, live: liveFlag }
const providerFlag = textFlag("provider", "Only of this provider instance")

const runs = Command.make(
  "runs",
  { ...place, provider: providerFlag, ...pageFlags() },
  Effect.fnUntraced(function* ({ database, json, live, provider, ...page }) {
    const query = { ...given({ provider }), ...pageQuery(page) }
    const { entries, next } = yield* onExistingDatabase(
      database,
      Statements.layer,
      Statements.use((statements) => statements.runs(live, query))
    )
    yield* printPage({ next, entries, json, none: "No statement was read.", head: runHead, row: runRow })
  })
).pipe(Command.withDescription("List the runs that have read statements, newest first"))

const runHead = ["run", "provider", "source", "state", "from", "until", "matched", "differ", "foreign", "problem"]

const runRow = ({
  counts,
  id,
  problem,
  provider,
  since,
  source,
  state,
  until
}: StatementRun): ReadonlyArray<string> => [
  String(id),
  provider,
  printable(source),
  state,
  since === until ? "" : iso(since),
  since === until ? "" : iso(until),
  String(counts.matched),
  String(counts.differs),
  String(counts.foreign),
  printable(problem ?? "")
]

const differences = Command.make(
  "differences",
  {
    ...place,
    provider: providerFlag,
    kind: Flag.Literals("kind", differenceKinds).pipe(Flag.withDescription("Only of this kind"), Flag.optional),
    state: Flag.Literals("state", differenceStates).pipe(
      Flag.withDescription("resolved: a later statement has what was missing; open: every other one"),
      Flag.optional
    ),
    run: Flag.Int("run").pipe(Flag.withDescription("Only those that this run has found first"), Flag.optional),
    ...pageFlags()
  },
  Effect.fnUntraced(function* ({ database, json, kind, live, provider, run, state, ...page }) {
    const query = { ...given({ provider, kind, run, state }), ...pageQuery(page) }
    const { entries, next } = yield* onExistingDatabase(
      database,
      Statements.layer,
      Statements.use((statements) => statements.differences(live, query))
    )
    yield* printPage({ next, entries, json, none: "No differences.", head: differenceHead, row: differenceRow })
  })
).pipe(Command.withDescription("List the differences between the books and statements, newest first"))

const differenceHead = [
  "difference",
  "provider",
  "payment",
  "operation",
  "movement",
  "here",
  "there",
  "found",
  "resolved"
]

const differenceRow = (difference: ListedDifference): ReadonlyArray<string> => [
  difference.kind,
  difference.provider,
  difference.paymentId ?? "",
  difference.operationId ?? "",
  printable(difference.movement ?? ""),
  moneyText(difference.expected),
  moneyText(difference.found),
  iso(difference.foundAt),
  difference.resolvedAt === null ? "" : iso(difference.resolvedAt)
]

const moneyText = (money: ListedDifference["expected"]): string =>
  money === null ? "" : amountText(money.minorUnits, money.currency)

const requiredProvider = Flag.String("provider").pipe(Flag.withDescription("The provider instance"))

const movements = (name: string, of: "foreign" | "payouts", none: string, description: string) =>
  Command.make(
    name,
    { database: databaseFlag, provider: requiredProvider, ...pageFlags() },
    Effect.fnUntraced(function* ({ database, json, provider, ...page }) {
      const query = { of, provider, ...pageQuery(page) }
      const { entries, next } = yield* onExistingDatabase(
        database,
        Statements.layer,
        Statements.use((statements) => statements.movements(query))
      )
      yield* printPage({ next, entries, json, none, head: movementHead, row: movementRow })
    })
  ).pipe(Command.withDescription(description))

const payout = Command.make(
  "payout",
  {
    payout: Argument.String("payout").pipe(Argument.withDescription("The provider's id of the payout")),
    database: databaseFlag,
    provider: requiredProvider,
    ...pageFlags()
  },
  Effect.fnUntraced(function* ({ database, json, payout: id, provider, ...page }) {
    const { entries, next } = yield* onExistingDatabase(
      database,
      Statements.layer,
      Statements.use((statements) => statements.movements({ of: "payout", payout: id, provider, ...pageQuery(page) }))
    )
    const none = "No movement names this payout."
    yield* printPage({ next, entries, json, none, head: movementHead, row: movementRow })
  })
).pipe(Command.withDescription("List the movements that a payout consists of"))

const movementHead = ["movement", "type", "amount", "fee", "net", "payout", "payment", "reference", "booked"]

const movementRow = (movement: EnteredMovement): ReadonlyArray<string> => [
  printable(movement.id),
  movement.type,
  `${movement.direction === "out" ? "-" : ""}${moneyText(movement.amount)}`,
  moneyText(movement.fee),
  moneyText(movement.net),
  printable(movement.payout ?? ""),
  movement.paymentId ?? "",
  printable(movement.reference ?? ""),
  iso(movement.bookedAt)
]

const cancel = Command.make(
  "cancel",
  {
    run: Argument.Int("run").pipe(Argument.withDescription("The number of the run, as in `paymux statements runs`")),
    ...place
  },
  Effect.fnUntraced(function* ({ database, live, run }) {
    const isCanceled = yield* onExistingDatabase(
      database,
      Statements.layer,
      Statements.use((statements) => statements.stop({ id: run, livemode: live }, "canceled", null))
    )
    if (!isCanceled) return yield* userError(new Error(`Run ${run} has ended already, or was not found.`))
    yield* Console.error("Canceled. What it has read is kept.")
  })
).pipe(Command.withDescription("Cancel a run; it stops before its next page"))

export const statements = Command.make("statements").pipe(
  Command.withDescription("Show what was read of providers' statements, and the differences from the books"),
  Command.withSubcommands([
    runs,
    differences,
    movements("foreign", "foreign", "No movements of other systems.", "List movements of other systems at the account"),
    movements("payouts", "payouts", "No payouts.", "List the payouts to the bank, newest first"),
    payout,
    cancel
  ])
)
