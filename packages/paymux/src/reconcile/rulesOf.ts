/** How a provider books, as its adapter declares it. */
import type { StatementCapability } from "@paymux/core/statement"
import type { StatementRules } from "@paymux/sql"
import { Duration } from "effect"

export const rulesOf = ({ bookedWithin, paymentsInParts = false }: StatementCapability): StatementRules => ({
  bookedWithin: Duration.toMillis(Duration.fromInputUnsafe(bookedWithin)),
  paymentsInParts
})
