/** The `paymux` command. */
import { Effect } from "effect"
import { CliOutput, Command } from "effect/cli"
import { accounts } from "./commands/accounts.ts"
import { adapter } from "./commands/adapter.ts"
import { audit } from "./commands/audit.ts"
import { breakers } from "./commands/breakers.ts"
import { customers } from "./commands/customers.ts"
import { dashboard } from "./commands/dashboard.ts"
import { doctor } from "./commands/doctor.ts"
import { events } from "./commands/events.ts"
import { keys } from "./commands/keys.ts"
import { migrate } from "./commands/migrate.ts"
import { payments } from "./commands/payments/payments.ts"
import { requests } from "./commands/requests.ts"
import { providers } from "./commands/providers.ts"
import { refunds } from "./commands/refunds.ts"
import { reports } from "./commands/reports.ts"
import { review } from "./commands/review/review.ts"
import { rules } from "./commands/rules/rules.ts"
import { serve } from "./commands/serve.ts"
import { stats } from "./commands/stats.ts"
import { webhooks } from "./commands/webhooks/webhooks.ts"
import { version } from "./version.ts"

export const paymux = Command.make("paymux").pipe(
  Command.withDescription("One payments API in front of many payment providers"),
  Command.withSubcommands([
    serve,
    doctor,
    migrate,
    keys,
    accounts,
    webhooks,
    events,
    requests,
    payments,
    providers,
    breakers,
    refunds,
    review,
    stats,
    reports,
    customers,
    audit,
    dashboard,
    rules,
    adapter
  ])
)

/** The flags that every command has are described once, in the help of `paymux` itself. */
export const run = Effect.provideService(
  Command.run(paymux, { version }),
  CliOutput.Formatter,
  CliOutput.defaultFormatter({ globalFlags: "none" })
)
