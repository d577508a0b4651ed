/**
 * What every provider adapter must keep, as one vitest suite: the laws of `LAWS.md`, over real loopback HTTP, against a
 * fake of the vendor that keeps a ledger and fails as it is told.
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
import { laws } from "./laws.ts"
import { keepTable } from "./readme.ts"
import { lawIds } from "./lawIds.ts"
import type { LawId } from "./lawIds.ts"

export interface ConformanceOptions<V extends Vendor> {
  readonly fake: Fake<V>
  /** An instance that speaks to this vendor. Called many times, with vendors of both modes. */
  readonly make: (vendor: V) => Provider
  /** The adapter's README, which has the capability table between its two markers. */
  readonly readme?: URL
  /** Laws that are not tried, each with its reason: printed, and told in the capability table. */
  readonly skip?: { readonly [id in LawId]?: string }
}

/** Registers the suite under `name`. */
export const providerConformance = <V extends Vendor>(name: string, options: ConformanceOptions<V>): void => {
  const { readme, skip = {} } = options
  refuseSkips(skip)
  describe(`${name} keeps the laws of a provider`, () => {
    const subject = judge(options)
    const notTried: Array<{ readonly why: string; readonly id: LawId }> = []
    for (const law of laws) {
      it(
        `${law.id}: ${law.title}`,
        async (context) => {
          const exempt = skip[law.id] === undefined ? await Effect.runPromise(subject.exempt(law)) : null
          const why = exempt === null ? skip[law.id] : `does not apply: ${exempt}`
          if (why !== undefined) {
            notTried.push({ why, id: law.id })
            return context.skip(why)
          }
          const broken = await Effect.runPromise(subject.tryLaw(law))
          if (broken !== null) throw withoutStack(broken)
        },
        lawTimeout
      )
    }
    afterAll(() => {
      for (const [why, laws] of Map.groupBy(notTried, (each) => each.why)) {
        process.stdout.write(`${name}: not tried: ${laws.map(({ id }) => id).join(", ")} · ${why}\n`)
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

/** ms; a law that hangs is told by its own patience, long before. */
const lawTimeout = 60_000

/** Where it was thrown says nothing to an adapter's author. */
const withoutStack = (message: string): Error => Object.assign(new Error(message), { stack: message })

const refuseSkips = (skip: { readonly [id: string]: string | undefined }): void => {
  for (const [id, reason] of Object.entries(skip)) {
    if (!lawIds.some((known) => known === id)) {
      throw new TypeError(`There is no law "${id}" to skip: the laws are ${lawIds.join(", ")}.`)
    }
    if (reason === undefined || reason.trim() === "") throw new TypeError(`Skipping the law "${id}" needs a reason.`)
  }
}
