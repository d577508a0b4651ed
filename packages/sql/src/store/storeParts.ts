import type { StoreUnavailable } from "@paymux/core/store"
import type { Effect } from "effect"
import type { StatementRunner } from "../dialect/Fragments.ts"
import { attemptCounts } from "./attemptCounts.ts"
import { erasure } from "./erasure.ts"
import { events } from "./events.ts"
import { inbox } from "./inbox.ts"
import { keptWebhooks } from "./keptWebhooks.ts"
import type { RemoveWebhooks } from "./keptWebhooks.ts"
import { keys } from "./keys.ts"
import { leases } from "./leases.ts"
import { operations } from "./operations.ts"
import { orders } from "./orders.ts"
import { payments } from "./payments.ts"
import { providerState } from "./providerState.ts"
import { retention } from "./retention.ts"

/** The parts of a payment store that each database implements in its own way. */
interface OwnParts {
  readonly removeWebhooks: RemoveWebhooks
  /** The metadata keys for which the database has an index. */
  readonly indexed: Effect.Effect<ReadonlySet<string>, StoreUnavailable>
}

/** The parts of a payment store whose statements both databases accept. */
export const storeParts = (runner: StatementRunner, { indexed, removeWebhooks }: OwnParts) => ({
  ...payments(runner),
  ...keys(runner),
  ...operations(runner),
  ...events(runner),
  ...attemptCounts(runner),
  orders: orders(runner, indexed),
  inbox: inbox(runner),
  keptWebhooks: keptWebhooks(runner, removeWebhooks),
  leases: leases(runner),
  providerState: providerState(runner),
  erasure: erasure(runner),
  retention: retention(runner)
})
