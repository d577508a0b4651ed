import { BaseSequencer } from "vitest/node"
import type { TestSpecification } from "vitest/node"

/**
 * The files that take the longest, which would otherwise come last: where no former run is known, Vitest begins with large files.
 * On two cores each takes half a minute or more.
 */
const longest = [
  "long/crash",
  "long/dashboardDialogs",
  "long/postgresVersions",
  "long/faults",
  "long/refusals",
  "long/checkoutMatrix",
  "long/failover",
  "long/nextjs",
  "long/retryBudget",
  "long/losses",
  "checkoutInBrowser",
  "control/signInLimits",
  "dashboard/team",
  "rules/databaseRules",
  "control/people",
  "dashboard/routing",
  "SqlitePaymentStore",
  "postgres/PostgresPaymentStore",
  "dashboard/everyPage",
  "dashboard/providers",
  "dashboard/hostileText",
  "cashfree/test/conformance",
  "razorpay/test/conformance",
  "simulation/expectations",
  "serve",
  "fairness/engine",
  "statements/adapters",
  "guide/writeAnAdapter",
  "rules/reloading",
  "hosts/express",
  "hosts/nestjs",
  "examples/stablecoin",
  "dashboard/identity",
  "dashboard/statements",
  "lostFile"
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
