/** A provider that the check calls unable takes no payment that its rule matches: held against payments of both. */
import { assert } from "@effect/vitest"
import { Result } from "effect"
import * as fc from "fast-check"
import type { NewPayment, RequiredFact } from "@paymux/core"
import type { RoutableProvider } from "@paymux/core/routing"
import { checkRouting } from "../../src/check/checkRouting.ts"
import type { RoutingConfigInput } from "../../src/RoutingConfig.ts"
import { drawn } from "./arbitrary.ts"
import { conditions, provider } from "./arbitraryRules.ts"
import { whyNot } from "./capable.ts"
import { language, whenHolds } from "./conditions.ts"
import type { Asking, Written } from "./conditions.ts"
import type { Draw } from "./Draw.ts"
import { drawFrom } from "./Draw.ts"
import { somePayments } from "./everyPayment.ts"

/** So many pairs of a rule and a provider are searched for a payment where the check refuses nothing, too. */
const COMPARED = 2_000

/** Pairs that were searched; those that no payment was found for; those of them that the check refused. */
export interface Inability {
  readonly pairs: number
  readonly unable: number
  readonly refused: number
  /** By the fact that was named. */
  readonly reasons: ReadonlyMap<string, number>
}

/** Fails where a payment matches a rule and can be taken by a provider that was refused for it. */
export const noFalseInability = (rulesets: number, seed: number): Inability => {
  const found = { pairs: 0, unable: 0, refused: 0, reasons: new Map<string, number>() }
  const check = fc.property(drawn(oneRule), ({ providers, when }) => {
    const refused = refusedProviders(when, providers)
    // What can never hold has no payments at all.
    if (refused === null) return
    for (const declared of providers) {
      const message = refused.get(declared.id)
      if (message !== undefined) {
        assert.isNull(takenPayment(when, declared, 500), `${message}: it does`)
        const reason = / does not take (?:the )?(\S+)/.exec(message)?.[1] ?? message
        found.reasons.set(reason, (found.reasons.get(reason) ?? 0) + 1)
      }
      if (found.pairs >= COMPARED) continue
      found.pairs++
      if (message !== undefined) found.refused++
      if (message !== undefined || takenPayment(when, declared, 5_000) === null) found.unable++
    }
  })
  fc.assert(check, { numRuns: rulesets, seed })
  return found
}

interface OneRule {
  readonly when: Written
  readonly providers: ReadonlyArray<RoutableProvider>
}

const oneRule = (draw: Draw): OneRule => {
  const rail = draw.chance(0.85) ? draw.one(["upi", "card", "stablecoin"] as const) : null
  return { when: conditions(draw, rail, draw.int(0, 2)), providers: [provider(draw, "alpha"), provider(draw, "beta")] }
}

/** By provider; `null`: the rule itself is refused. */
const refusedProviders = (
  when: Written,
  providers: ReadonlyArray<RoutableProvider>
): ReadonlyMap<string, string> | null => {
  const priority = providers.map(({ id }) => id)
  const config = { version: 1, rules: [{ name: "x", when, choose: { priority } }], default: { priority } }
  const checked = checkRouting(config, providers)
  if (Result.isSuccess(checked)) return new Map()
  const { problems } = checked.failure
  if (problems.some(({ path }) => path[2] !== "choose")) return null
  return new Map(problems.map(({ message, path }) => [priority[Number(path.at(-1))] ?? "", message]))
}

/** One that matches and that the provider takes, in whichever mode; `null`: none was found. */
const takenPayment = (when: Written, declared: RoutableProvider, most: number): Asking | null => {
  // Boundary: what the provider declares, written as conditions, for its values to be tried as well.
  const config = { version: 1, rules: [{ when }, { when: declaredValues(declared) }], default: {} } as unknown
  let taken: Asking | null = null
  somePayments(config as RoutingConfigInput, most, drawFrom(most), (asking) => {
    if (!whenHolds(when, asking, language, () => {})) return false
    const mode = asking.tenant.livemode ? "live" : "test"
    const known = withFacts(asking.payment, declared)
    const takes = known.find((payment) => whyNot({ ...declared, mode }, { ...asking, payment }) === null)
    if (takes !== undefined) taken = asking
    return takes !== undefined
  })
  return taken
}

const declaredValues = ({ capabilities }: RoutableProvider): Written => {
  const methods = Object.values(capabilities.methods)
  const assets = methods.flatMap((method) => method?.assets ?? [])
  const limits = methods.flatMap((method) => method?.amounts ?? [])
  const amounts = limits.flatMap(({ max, min }) => [min ?? [], max ?? []].flat())
  const currencies = methods.flatMap((method) => (method?.currencies === "any" ? [] : (method?.currencies ?? [])))
  return {
    payment_method: "card",
    flow: "intent",
    capture_method: "manual",
    amount: [10_000, ...amounts.map((text) => Number(text.replace(".", "")))],
    ...(currencies.length > 0 && { currency: currencies }),
    "customer.phone_country": "+91",
    "card.network": methods.flatMap((method) => method?.networks ?? []),
    "stablecoin.asset": assets.map(({ asset }) => asset),
    "stablecoin.network": assets.map(({ network }) => network)
  }
}

/**
 * No condition asks what these payments differ in: all facts are there, or one of those that its flow requires is not (an
 * intent is then served by the page).
 */
const withFacts = (payment: NewPayment, declared: RoutableProvider): ReadonlyArray<NewPayment> => {
  const { rail } = payment.method
  const flows = Object.values(declared.capabilities.methods[rail]?.flows ?? {})
  const required = [...new Set(flows.flatMap((flow) => flow?.requires ?? []))]
  return [null, ...required].map((lacking) => {
    const unless = <A>(fact: RequiredFact, value: A): A | null => (fact === lacking ? null : value)
    return {
      ...payment,
      customer: {
        ...payment.customer,
        name: unless("customer.name", "A Payer"),
        address: unless("customer.address", address)
      },
      client: {
        ip: unless("client.ip", "192.0.2.1"),
        userAgent: unless("client.user_agent", "test"),
        referer: unless("client.referer", "https://shop.example"),
        acceptHeader: unless("client.accept_header", "text/html"),
        language: unless("client.language", "en"),
        timeZone: unless("client.time_zone", "UTC"),
        screen: unless("client.screen", { width: 1, height: 1, colorDepth: 24 })
      },
      description: unless("description", "Order 1"),
      returnUrl: unless("return_url", "https://shop.example/done")
    }
  })
}

const address = { line1: "1 Main Road", line2: null, city: null, state: null, postalCode: null, country: "IN" }
