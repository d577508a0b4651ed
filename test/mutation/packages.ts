/** The packages that the mutation run changes, and the tests that must detect the changes. */

export interface MutatedPackage {
  /** A glob from the root of the repository. */
  readonly sources: string
  /** Globs in the order in which the tests run: the cheapest, or nearest to the code, first. */
  readonly tests: ReadonlyArray<string>
  /** Some of its tests use PostgreSQL. */
  readonly needsPostgres?: true
}

export const mutatedPackages: { readonly [name: string]: MutatedPackage } = {
  core: {
    sources: "packages/core/src/{domain,execution}/**/*.ts",
    tests: [
      "packages/core/test/domain/**/!(histories|RawCardData).test.ts",
      "packages/core/test/execution/**/*.test.ts",
      "packages/core/test/engine/**/!(expiry|races|retention|reviews|recovery|erasure|adversity).test.ts",
      "packages/core/test/engine/**/{adversity,erasure}.test.ts",
      "test/books/books.test.ts",
      "test/mutation/simulation.ts",
      "packages/core/test/{domain,engine}/**/*.test.ts"
    ]
  },
  http: {
    sources: "packages/http/src/**/*.ts",
    tests: [
      "packages/http/test/{auth,pages,problems,request,requestLog}/**/*.test.ts",
      "packages/http/test/**/*.test.ts",
      "packages/paymux/test/telemetry/metrics.test.ts"
    ],
    needsPostgres: true
  },
  sql: {
    sources: "packages/sql/src/**/*.ts",
    tests: [
      "packages/sql/test/{statement,stats,sqlite}/**/*.test.ts",
      "packages/sql/test/*.test.ts",
      "packages/sql/test/postgres/*.test.ts",
      "packages/paymux/test/statements/missing.test.ts"
    ],
    needsPostgres: true
  },
  routing: { sources: "packages/routing/src/**/*.ts", tests: ["packages/routing/test/**/*.test.ts"] },
  webhooks: {
    sources: "packages/webhooks/src/**/*.ts",
    tests: ["packages/webhooks/test/**/*.test.ts"],
    needsPostgres: true
  },
  "provider-kit": {
    sources: "packages/provider-kit/src/**/*.ts",
    tests: ["packages/provider-kit/test/**/*.test.ts", "packages/adapters/stripe/test/conformance.test.ts"]
  }
}

export const mutatedPackage = (name: string | undefined): MutatedPackage => {
  const found = name !== undefined && Object.hasOwn(mutatedPackages, name) ? mutatedPackages[name] : undefined
  if (found !== undefined) return found
  throw new Error(`Unknown package "${name ?? ""}". Choose one of: ${Object.keys(mutatedPackages).join(", ")}`)
}
