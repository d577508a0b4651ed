/** Simulated providers with models: they take what the adapters' vendors take, and refuse what these refuse. */
import { assert, describe, it } from "@effect/vitest"
import { decodeCreatePayment } from "@paymux/core"
import type { Provider } from "@paymux/core"
import { capabilityFacts, capabilityFilter } from "@paymux/core/routing"
import { sandboxRoutes } from "@paymux/sandbox"
import { Effect, Option } from "effect"
import * as fc from "fast-check"
import { declared } from "../scripts/vendor-models.ts"

const vendors = declared()
const test = { account: "default", livemode: false }

describe("the models of the simulated providers", () => {
  for (const vendor of vendors) {
    const rail = Object.keys(vendor.capabilities.methods).join("")
    it(`like ${vendor.id}, they accept and refuse the same requests for the same reasons`, () => {
      const [simulated] = sandboxRoutes([{ id: vendor.id, methods: vendor.capabilities.methods }]).filter(({ id }) =>
        id.includes(`_${rail}_`)
      )
      if (simulated === undefined) return assert.fail(`no simulated provider for ${rail}`)
      let accepted = 0
      fc.assert(
        fc.property(requests(rail, vendor), (request) => {
          const payment = Option.getOrNull(Effect.runSync(Effect.option(decodeCreatePayment(request))))
          if (payment === null) return
          const facts = capabilityFacts(payment, test)
          const [real, ours] = [reasonOf(vendor, payment, facts), reasonOf(simulated, payment, facts)]
          if (real === null) accepted++
          // The book has USDC and USDT on its own chains, holds nothing but cards, and shows no token of another provider.
          if (isOfTheBook(real) || isOfTheBook(ours)) return
          assert.strictEqual(ours, real, JSON.stringify(request))
        }),
        { numRuns: 2_000 }
      )
      assert.isAbove(accepted, 20)
    })
  }
})

type Reason = ReturnType<ReturnType<typeof capabilityFilter>>

const reasonOf = (
  provider: Pick<Provider, "id" | "mode" | "capabilities">,
  ...[payment, facts]: Parameters<ReturnType<typeof capabilityFilter>>
): Reason => capabilityFilter(provider)(payment, facts)

const isOfTheBook = (reason: Reason): boolean =>
  reason === "asset_not_supported" || reason === "network_not_supported" || reason === "capture_method_not_supported"

const requests = (rail: string, { capabilities }: Provider) => {
  const currencies = Object.values(capabilities.methods).flatMap((method) => method.currencies)
  return fc.record(
    {
      // Below what some vendors take, what all take, and above.
      amount: fc.oneof(
        fc.integer({ min: 1, max: 99 }),
        fc.integer({ min: 100, max: 1_000_000 }),
        fc.integer({ min: 1_000_000, max: 200_000_000 })
      ),
      currency: fc.oneof(
        fc.constantFrom("INR", "USD", "EUR", "JPY", "ISK"),
        // Its own most often, so that it accepts many of the requests.
        {
          weight: 3,
          arbitrary: fc.constantFrom(...currencies.filter((currency) => currency !== "any").slice(0, 5), "INR")
        }
      ),
      payment_method: fc.oneof(
        { weight: 9, arbitrary: fc.constant(rail) },
        fc.constantFrom("upi", "card", "stablecoin")
      ),
      payment_method_details: fc.constantFrom(
        undefined,
        { upi: { flow: "intent" } },
        { upi: { flow: "qr" } },
        { upi: { flow: "collect", vpa: "asha@okaxis" } },
        { card: { token: "tok_1" } },
        { card: {} }
      ),
      customer: fc.record({
        email: fc.constant("asha@example.com"),
        phone: fc.constantFrom("+919812345678", "+4915112345678")
      }),
      client: fc.constantFrom(
        undefined,
        { ip: "203.0.113.7" },
        { ip: "203.0.113.7", user_agent: "Mozilla/5.0", referer: "https://shop.example/" }
      ),
      capture_method: fc.constantFrom("automatic", "manual")
    },
    { requiredKeys: ["amount", "currency", "payment_method", "customer"] }
  )
}
