import { BaseSequencer } from "vitest/node"
import type { TestSpecification } from "vitest/node"

/**
 * The files that take the longest, which would otherwise come last: where no former run is known, Vitest begins with large files.
 * On two cores each takes half a minute or more.
 */
const longest = [
  "long/failover",
  "long/refusals",
  "long/faults",
  "long/dashboardDialogs",
  "naive/inability",
  "long/postgresVersions",
  "long/crash",
  "request/ways",
  "long/checkoutMatrix",
  "long/losses",
  "long/nextjs",
  "long/retryBudget",
  "checkoutInBrowser",
  "dashboard/team",
  "dashboard/routing",
  "razorpay/test/conformance",
  "losses/losses",
  "rules/databaseRules",
  "SqlitePaymentStore",
  "dashboard/hostileText",
  "cashfree/test/conformance",
  "postgres/PostgresPaymentStore",
  "dashboard/everyPage",
  "dashboard/providers",
  "simulation/expectations",
  "statements/adapters",
  "examples/stablecoin",
  "dashboard/identity"
]

export class LongestFirst extends BaseSequencer {
  override async sort(files: Array<TestSpecification>): Promise<Array<TestSpecification>> {
    const place = ({ moduleId }: TestSpecification): number => {
      const found = longest.findIndex((name) => moduleId.endsWith(`/${name}.test.ts`))
      return found === -1 ? longest.length : found
    }
    return (await super.sort(files)).toSorted((a, b) => place(a) - place(b))
  }
}
