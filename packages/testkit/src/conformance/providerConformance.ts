/**
 * What every provider adapter must keep, as one vitest suite: the checks of `CONFORMANCE.md`, over real loopback HTTP, against a
 * fake of the vendor that keeps a ledger and injects faults.
 *
 * @example
 * ```ts
 * // fragment
 * import { providerConformance } from "@paymux/testkit"
 * import { acme } from "../src/index.ts"
 * import { fake } from "./fake.ts"
 *
 * providerConformance("acme", {
 *   fake,
 *   make: ({ credentials, url }) => acme({ apiKey: credentials.apiKey, baseUrl: url }),
 *   skip: { "webhook-batch": "Acme sends one event per body" }
 * })
 * ```
 */
import type { Provider } from "@paymux/core"
import { afterAll, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { Fake, Vendor } from "../fake/Vendor.ts"
import { judge } from "./judge.ts"
import { checks } from "./checks.ts"
import { keepTable } from "./readme.ts"
import { checkIds } from "./checkIds.ts"
import type { CheckId } from "./checkIds.ts"

export interface ConformanceOptions<V extends Vendor> {
  readonly fake: Fake<V>
  /** An instance that speaks to this vendor. Called many times, with vendors of both modes. */
  readonly make: (vendor: V) => Provider
  /** The adapter's README, which has the capability table between its two markers. */
  readonly readme?: URL
  /** Checks that are not tried, each with its reason: printed, and shown in the capability table. */
  readonly skip?: { readonly [id in CheckId]?: string }
}

/** Registers the suite under `name`. */
export const providerConformance = <V extends Vendor>(name: string, options: ConformanceOptions<V>): void => {
  const { readme, skip = {} } = options
  refuseSkips(skip)
  describe(`${name} passes the checks of a provider`, () => {
    const subject = judge(options)
    const notTried: Array<{ readonly why: string; readonly id: CheckId }> = []
    for (const check of checks) {
      it(
        `${check.id}: ${check.title}`,
        async (context) => {
          const exempt = skip[check.id] === undefined ? await Effect.runPromise(subject.exempt(check)) : null
          const why = exempt === null ? skip[check.id] : `does not apply: ${exempt}`
          if (why !== undefined) {
            notTried.push({ why, id: check.id })
            return context.skip(why)
          }
          const broken = await Effect.runPromise(subject.tryCheck(check))
          if (broken !== null) throw withoutStack(broken)
        },
        checkTimeout
      )
    }
    afterAll(() => {
      for (const [why, checks] of Map.groupBy(notTried, (each) => each.why)) {
        process.stdout.write(`${name}: not tried: ${checks.map(({ id }) => id).join(", ")} · ${why}\n`)
      }
    })
    if (readme === undefined) return
    it("the README has the capability table of what is declared", async ({ expect }) => {
      const { snapshotState } = expect.getState()
      const table = await Effect.runPromise(subject.table(skip))
      const wrong = keepTable(readme, table, snapshotState.snapshotUpdateState)
      if (wrong !== null) throw withoutStack(wrong)
    })
  })
}

/** ms; a check that hangs is reported by its own timeout, long before. */
const checkTimeout = 60_000

/** Where it was thrown says nothing to an adapter's author. */
const withoutStack = (message: string): Error => Object.assign(new Error(message), { stack: message })

const refuseSkips = (skip: { readonly [id: string]: string | undefined }): void => {
  for (const [id, reason] of Object.entries(skip)) {
    if (!checkIds.some((known) => known === id)) {
      throw new TypeError(`There is no check "${id}" to skip: the checks are ${checkIds.join(", ")}.`)
    }
    if (reason === undefined || reason.trim() === "") throw new TypeError(`Skipping the check "${id}" needs a reason.`)
  }
}
