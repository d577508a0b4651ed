/** `paymux reports`: provider reports that match no payment, and what an operator decides about them. */
import { iso, isPaymentId } from "@paymux/core/wire"
import type { OperationId, Tenant } from "@paymux/core"
import { ReportRefused, reportStatuses, UnmatchedReports } from "@paymux/sql"
import type { UnmatchedReport } from "@paymux/sql"
import { Console, Effect, Option } from "effect"
import { Argument, Command, Flag, Prompt } from "effect/cli"
import * as Audited from "../Audited.ts"
import { accountFlag, databaseFlag, liveFlag, onExistingDatabase } from "./database.ts"
import { given, listFlags, listQuery, textFlag } from "./listFlags.ts"
import { printable } from "../printable.ts"
import { amountText } from "./amountText.ts"
import { printPage, printTable } from "./table.ts"
import { userError } from "./userError.ts"

const place = { database: databaseFlag, live: liveFlag }
const where = { ...place, account: accountFlag }
const yesFlag = Flag.Boolean("yes").pipe(Flag.withDescription("Do not ask for confirmation"), Flag.withDefault(false))
const idArgument = Argument.String("report").pipe(Argument.withDescription("rpt_…, as in `paymux reports list`"))

/** Reports belong to no account. */
const anyAccount = (live: boolean): Tenant => ({ account: "default", livemode: live })

const list = Command.make(
  "list",
  {
    ...place,
    status: Flag.Literals("status", reportStatuses).pipe(
      Flag.withDescription("Only reports with this status; repeatable. Default: all"),
      Flag.atLeast(0)
    ),
    provider: textFlag("provider", "Only reports of this provider"),
    kind: textFlag("kind", "Only reports of this kind, such as succeeded or refund_succeeded"),
    ...listFlags("reports")
  },
  Effect.fnUntraced(function* ({ database, json, kind, live, provider, status, ...page }) {
    const query = {
      ...(status.length > 0 && { statuses: status }),
      ...given({ provider, kind }),
      ...(yield* listQuery(page))
    }
    const { next, data: reports } = yield* onExistingDatabase(
      database,
      Audited.reports,
      UnmatchedReports.use((service) => service.list(anyAccount(live), query))
    )
    yield* printPage({ next, entries: reports, json, none: "No unmatched reports.", head, row })
  })
).pipe(
  Command.withDescription("List provider reports that match no payment, newest first"),
  Command.withExamples([
    { command: "paymux reports list --live --status parked", description: "Reports that an operator must look at" }
  ])
)

const head = ["report", "status", "provider", "kind", "amount", "reference", "operation", "payment", "received"]

const row = (report: UnmatchedReport): ReadonlyArray<string> => [
  report.id,
  report.status,
  report.provider,
  report.kind,
  report.amount === null ? "" : amountText(report.amount, report.currency ?? ""),
  printable(report.reference ?? ""),
  report.operationId ?? "",
  report.paymentId ?? "",
  iso(report.receivedAt)
]

const show = Command.make(
  "show",
  { report: idArgument, ...place },
  Effect.fnUntraced(function* ({ database, live, report: id }) {
    const report = yield* onExistingDatabase(
      database,
      Audited.reports,
      UnmatchedReports.use((service) => service.get(anyAccount(live), id)).pipe(Effect.mapError(inWords(id, live)))
    )
    yield* Console.log(JSON.stringify(report, null, 2))
  })
).pipe(Command.withDescription("Show a report with everything that is known about it"))

const match = Command.make(
  "match",
  {
    report: idArgument,
    payment: Argument.String("payment").pipe(Argument.withDescription("pay_…")),
    operation: Flag.String("operation").pipe(
      Flag.withDescription(
        "op_…: the operation that it is about, such as a refund. Default: the payment's create operation at that provider"
      ),
      Flag.optional
    ),
    yes: yesFlag,
    ...where
  },
  Effect.fnUntraced(function* ({ account, database, live, operation, payment, report: id, yes }) {
    const tenant = { account, livemode: live }
    if (!isPaymentId(payment)) {
      return yield* userError(
        new Error(`Payment ${payment} not found in account ${account} (${live ? "live" : "test"} mode).`)
      )
    }
    // Boundary: a text that is the id of no operation is refused by its payment.
    const operationId = Option.getOrUndefined(operation) as OperationId | undefined
    yield* decided(database, id, live, yes, `Match it to payment ${payment}? It cannot be undone.`, (service) =>
      service.match(tenant, id, { paymentId: payment, ...(operationId !== undefined && { operationId }) })
    )
    yield* Console.error(`Matched. A running server applies it to ${payment} within seconds, or at its next start.`)
  })
).pipe(
  Command.withDescription("Match a report to the payment that it is about, and apply it"),
  Command.withExamples([
    { command: "paymux reports match rpt_… pay_… --live", description: "A charge of a payment that was restored" }
  ])
)

const dismiss = Command.make(
  "dismiss",
  {
    report: idArgument,
    note: Flag.String("note").pipe(Flag.withDescription("Why: 1 to 1000 characters, kept with the report")),
    yes: yesFlag,
    ...where
  },
  Effect.fnUntraced(function* ({ account, database, live, note, report: id, yes }) {
    yield* decided(database, id, live, yes, "Dismiss it?", (service) =>
      service.dismiss({ account, livemode: live }, id, note)
    )
    yield* Console.error("Dismissed. It is kept, and can still be matched.")
  })
).pipe(Command.withDescription("Dismiss a report that is about no payment of yours"))

export const reports = Command.make("reports").pipe(
  Command.withDescription("Show provider reports that match no payment, and match or dismiss them"),
  Command.withSubcommands([list, show, match, dismiss])
)

/** Shows the report, asks, and decides. */
const decided = Effect.fnUntraced(function* (
  database: Option.Option<string>,
  id: string,
  live: boolean,
  yes: boolean,
  question: string,
  decide: (service: UnmatchedReports["Service"]) => ReturnType<UnmatchedReports["Service"]["match"]>
) {
  if (!yes && (!process.stdin.isTTY || !process.stdout.isTTY)) {
    return yield* userError(new Error("Not an interactive terminal: pass --yes to confirm."))
  }
  const report = yield* onExistingDatabase(
    database,
    Audited.reports,
    Effect.gen(function* () {
      const service = yield* UnmatchedReports
      const before = yield* service.get(anyAccount(live), id)
      if (!yes) {
        yield* printTable(head, [row(before)])
        const isConfirmed = yield* Prompt.run(Prompt.Confirm({ message: question })).pipe(
          Effect.catchTag("QuitError", () => Effect.succeed(false))
        )
        if (!isConfirmed) return yield* Effect.fail(new Error("Nothing was changed."))
      }
      return yield* decide(service)
    }).pipe(Effect.mapError(inWords(id, live)))
  )
  yield* Console.log(JSON.stringify(report, null, 2))
})

const inWords =
  (id: string, live: boolean) =>
  (error: Error): Error => {
    if (!(error instanceof ReportRefused)) return error
    const { present, reason } = error
    if (reason === "not_found") return new Error(`Report ${id} not found (${live ? "live" : "test"} mode).`)
    if (present === undefined) return error
    const to = present.paymentId === null ? "" : ` to ${present.paymentId}`
    return new Error(`${error.message} Report ${id} is ${present.status}${to}.`)
  }
