/** The `paymux` command, with all that it can do. */
import { Command } from "effect/cli"
import { accounts } from "./commands/accounts.ts"
import { adapter } from "./commands/adapter.ts"
import { audit } from "./commands/audit.ts"
import { breakers } from "./commands/breakers.ts"
import { customers } from "./commands/customers.ts"
import { database } from "./commands/databaseRestored.ts"
import { dashboard } from "./commands/dashboard.ts"
import { doctor } from "./commands/doctor.ts"
import { events } from "./commands/events.ts"
import { keys } from "./commands/keys.ts"
import { migrate } from "./commands/migrate.ts"
import { payments } from "./commands/payments/payments.ts"
import { requests } from "./commands/requests.ts"
import { providers } from "./commands/providers.ts"
import { reconcile } from "./commands/reconcile.ts"
import { refunds } from "./commands/refunds.ts"
import { reports } from "./commands/reports.ts"
import { disputes } from "./commands/disputes.ts"
import { review } from "./commands/review/review.ts"
import { rules } from "./commands/rules/rules.ts"
import { secret } from "./commands/secret.ts"
import { serve } from "./commands/serve.ts"
import { statements } from "./commands/statements.ts"
import { stats } from "./commands/stats.ts"
import { webhooks } from "./commands/webhooks/webhooks.ts"
import { named, running } from "./command.ts"

export const paymux = named.pipe(
  Command.withSubcommands([
    serve,
    doctor,
    migrate,
    database,
    secret,
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
    disputes,
    stats,
    reports,
    reconcile,
    statements,
    customers,
    audit,
    dashboard,
    rules,
    adapter
  ])
)

export const run = running(paymux)
