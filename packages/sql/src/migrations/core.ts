import type { MigrationSet } from "@paymux/core/store"
import { accountRefusalIndex } from "./accountRefusals.ts"
import { answerEvents } from "./answerEvents.ts"
import { breakers } from "./breakers.ts"
import { cards } from "./cards.ts"
import { charges } from "./charges.ts"
import { orders } from "./orders.ts"
import { derivedOperations } from "./derivedOperations.ts"
import { disputes } from "./disputes.ts"
import { due } from "./due.ts"
import { dueByProvider } from "./dueByProvider.ts"
import { emails } from "./emails.ts"
import { entries } from "./entries.ts"
import { eventLog } from "./eventLog.ts"
import { evidence } from "./evidence.ts"
import { forgetting } from "./forgetting.ts"
import { keptWebhooks } from "./keptWebhooks.ts"
import { kinds } from "./kinds.ts"
import { lists } from "./lists.ts"
import { openReviews } from "./openReviews.ts"
import { operations } from "./operations.ts"
import { payments } from "./payments.ts"
import { references } from "./references.ts"
import { refunds } from "./refunds.ts"
import { reviewEvents } from "./reviewEvents.ts"
import { restoration } from "./restoration.ts"
import { routing } from "./routing.ts"
import { statements } from "./statements.ts"
import { statistics } from "./statistics.ts"
import { search } from "./search.ts"
import { unknown } from "./unknown.ts"
import { unmatchedReports } from "./unmatchedReports.ts"

/** The tables of the payment store. */
export const coreMigrations: MigrationSet = {
  owner: "core",
  migrations: [
    payments,
    operations,
    routing,
    cards,
    lists,
    forgetting,
    unknown,
    entries,
    reviewEvents,
    references,
    eventLog,
    openReviews,
    statistics,
    search,
    breakers,
    refunds,
    unmatchedReports,
    evidence,
    due,
    statements,
    accountRefusalIndex,
    dueByProvider,
    emails,
    derivedOperations,
    keptWebhooks,
    restoration,
    disputes,
    charges,
    orders,
    answerEvents,
    kinds
  ]
}
