/** `paymux customers erase`: the personal data of a customer's payments goes, beside running servers. */
import { Erasure } from "@paymux/core"
import type { ErasureReport, ErasureSubject, PaymentId, Tenant } from "@paymux/core"
import { isPaymentId } from "@paymux/core/wire"
import { Console, Effect, Option } from "effect"
import { Command, Flag, Prompt } from "effect/cli"
import * as Audited from "../Audited.ts"
import { accountFlag, databaseFlag, jsonFlag, liveFlag, onExistingDatabase } from "./database.ts"
import { progressBar } from "./progressBar.ts"
import { printTable } from "./table.ts"
import { userError } from "./userError.ts"

const erase = Command.make(
  "erase",
  {
    email: Flag.String("email").pipe(
      Flag.withDescription("The customer's e-mail address, exactly as in the payments"),
      Flag.optional
    ),
    phone: Flag.String("phone").pipe(
      Flag.withDescription("The customer's phone number: + and digits. Reads every payment of the account"),
      Flag.optional
    ),
    payment: Flag.String("payment").pipe(Flag.withDescription("Only this payment: pay_…"), Flag.optional),
    yes: Flag.Boolean("yes").pipe(Flag.withDescription("Do not ask for confirmation"), Flag.withDefault(false)),
    database: databaseFlag,
    account: accountFlag,
    live: liveFlag,
    json: jsonFlag
  },
  Effect.fnUntraced(function* ({ account, database, email, json, live, payment, phone, yes }) {
    const subject = subjectOf({ email, phone, payment })
    if (subject === null) {
      return yield* userError(new Error("Name the customer: pass --email, --phone or --payment (pay_…)."))
    }
    // A prompt between lines of JSON, or without a terminal, cannot be answered.
    if (!yes && (json || !process.stdin.isTTY || !process.stdout.isTTY)) {
      return yield* userError(
        new Error("Erasure cannot be undone. Not an interactive terminal: pass --yes to confirm.")
      )
    }
    const tenant = { account, livemode: live }
    yield* onExistingDatabase(
      database,
      Audited.erasure,
      Effect.gen(function* () {
        const erasure = yield* Erasure
        const found = yield* progressBar("Looking for payments", (show) => erasure.find(tenant, subject, show))
        if (found.length > 0 && !yes && !(yield* confirmed(tenant, found))) {
          return yield* Console.error("Nothing was erased.")
        }
        const report = yield* progressBar("Erasing", (show) => erasure.erase(tenant, found, show))
        yield* json ? printJson(report) : printReport(tenant, report)
      })
    )
  })
).pipe(
  Command.withDescription("Erase the personal data of a customer's payments, and keep amounts and statuses"),
  Command.withExamples([
    { command: "paymux customers erase --email asha@example.com --live", description: "All payments of a customer" },
    { command: "paymux customers erase --payment pay_… --yes", description: "One payment, without a question" }
  ])
)

export const customers = Command.make("customers").pipe(
  Command.withDescription("Erase the personal data of a customer"),
  Command.withSubcommands([erase])
)

const subjectOf = (flags: {
  readonly email: Option.Option<string>
  readonly phone: Option.Option<string>
  readonly payment: Option.Option<string>
}): ErasureSubject | null => {
  const [email, phone, payment] = [flags.email, flags.phone, flags.payment].map(Option.getOrNull)
  if ([email, phone, payment].filter((given) => typeof given === "string").length !== 1) return null
  if (typeof email === "string") return { email }
  if (typeof phone === "string") return { phone }
  return typeof payment === "string" && isPaymentId(payment) ? { payment } : null
}

const confirmed = (tenant: Tenant, found: ReadonlyArray<PaymentId>) =>
  Prompt.run(
    Prompt.Confirm({ message: `Erase the personal data of ${counted(found.length)} of ${whose(tenant)}, for good?` })
  ).pipe(Effect.catchTag("QuitError", () => Effect.succeed(false)))

const printReport = Effect.fnUntraced(function* (tenant: Tenant, { already, erased, left }: ErasureReport) {
  if (erased + already + left.length === 0) return yield* Console.error(`No such payment in ${whose(tenant)}.`)
  yield* Console.error(`Erased: ${counted(erased)}.${already === 0 ? "" : ` Erased before: ${counted(already)}.`}`)
  if (left.length === 0) return
  yield* Console.error("Left as they are, since something is under way; erase them again when it is over:")
  yield* printTable(
    ["payment", "because"],
    left.map(({ payment, reason }) => [payment, reason])
  )
})

const printJson = (report: ErasureReport) => Console.log(JSON.stringify(report, null, 2))

const counted = (payments: number): string => (payments === 1 ? "1 payment" : `${payments} payments`)

const whose = ({ account, livemode }: Tenant): string => `account ${account} (${livemode ? "live" : "test"} mode)`
