/** How an attempt of a world ends, and what a provider reports about it. */
import { Outcome } from "@paymux/core"
import type { NextAction } from "@paymux/core"
import { SeededRandom } from "@paymux/test-suites/simulation"
import type { FailureName, Failures, PlantedPayment, Provider, Truth, World } from "./World.ts"

export type Ending = FailureName | "paid"

/** Every ending, with its probability; they add up to 1. */
export const endings = (failures: Failures): ReadonlyArray<readonly [probability: number, ending: Ending]> => {
  const failed = failureNames.flatMap((name) => {
    const percent = failures[name] ?? 0
    return percent === 0 ? [] : [[percent / 100, name] as const]
  })
  const paid = 1 - failed.reduce((sum, [probability]) => sum + probability, 0)
  if (paid < -1e-9) throw new Error(`The failures add up to more than 100: ${JSON.stringify(failures)}`)
  return [...failed, [Math.max(0, paid), "paid"]]
}

const failureNames: ReadonlyArray<FailureName> = [
  "do_not_honor",
  "issuer_unavailable",
  "processing_error",
  "insufficient_funds",
  "lost_or_stolen",
  "suspected_fraud",
  "not_permitted",
  "authentication_failed",
  "expired",
  "not_executed"
]

/** What every provider would come to for each payment of a run: the same, whichever providers are tried. */
export const drawEndings = (
  seed: number,
  index: number,
  { at, common = {} }: Truth
): ((provider: Provider) => Ending) => {
  const everywhere = draw(SeededRandom.stream(seed, "common", index).next(), common)
  return (provider) => {
    if (everywhere !== "paid") return everywhere
    return draw(SeededRandom.stream(seed, provider, index).next(), at[provider] ?? {})
  }
}

const draw = (point: number, failures: Failures): Ending => {
  let left = point
  for (const [probability, ending] of endings(failures)) {
    left -= probability
    if (left < 0) return ending
  }
  return "paid"
}

/** The reply to the create, and what follows it. */
export interface Reported {
  readonly reply: Outcome.SendOutcome
  readonly later: { readonly afterMs: number; readonly outcome: Outcome.Outcome } | null
}

const MINUTE = 60_000
const AUTHENTICATION_MINUTES = 3

export const reportOf = (
  world: World,
  payment: PlantedPayment,
  provider: Provider,
  ending: Ending,
  now: number
): Reported => {
  const expiry = (world.expiresAfter?.[provider] ?? 15) * MINUTE
  const waits = (afterMs: number, outcome: Outcome.Outcome): Reported => ({
    reply: Outcome.pending({ nextAction: actionOf(payment, now + expiry) }),
    later: { afterMs, outcome }
  })
  switch (ending) {
    case "paid": {
      const minutes = world.paidAfter?.[provider] ?? (payment.method === "card" ? 0 : 0.5)
      return minutes === 0 ? { reply: Outcome.succeeded(), later: null } : waits(minutes * MINUTE, Outcome.succeeded())
    }
    case "do_not_honor":
    case "issuer_unavailable":
    case "processing_error":
      return { reply: Outcome.declined({ code: ending, retry: "other_provider" }), later: null }
    case "insufficient_funds":
      return { reply: Outcome.declined({ code: ending, retry: "same_later" }), later: null }
    case "lost_or_stolen":
    case "suspected_fraud":
    case "not_permitted":
      return { reply: Outcome.declined({ code: ending, retry: "never" }), later: null }
    case "authentication_failed":
      return waits(AUTHENTICATION_MINUTES * MINUTE, Outcome.declined({ code: ending, retry: "never" }))
    case "expired":
      return waits(expiry, Outcome.expired())
    case "not_executed":
      return { reply: Outcome.notExecuted({ reason: "not_sent" }), later: null }
  }
}

const actionOf = ({ amount, flow, method }: PlantedPayment, expiresAt: number): NextAction => {
  switch (method) {
    case "card":
      return { type: "redirect", url: "https://issuer.example/authenticate", expiresAt }
    case "upi":
      return flow === "collect"
        ? { type: "wait", expiresAt }
        : { type: "upi_intent", uri: `upi://pay?pa=shop@bank&am=${amount}`, expiresAt }
    case "stablecoin":
      return {
        type: "stablecoin_transfer",
        address: "0x52908400098527886E0F7030069857D2E4169EE7",
        uri: "ethereum:0x52908400098527886E0F7030069857D2E4169EE7",
        amount: (amount / 100).toFixed(2),
        asset: "USDC",
        network: "base",
        expiresAt
      }
  }
}
