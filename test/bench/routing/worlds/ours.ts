/** `best: success_rate` with its defaults, as rules of the language decide it, without the engine. */
import { decodeCreatePayment } from "@paymux/core"
import type { NewPayment, PaymentId } from "@paymux/core"
import type { RoutableProvider } from "@paymux/core/routing"
import { compile, facts, plan, segmentOf, SuccessRates, unknownHealth } from "@paymux/routing"
import type { CompiledRouting } from "@paymux/routing"
import { Effect } from "effect"
import { tenant } from "../../Sample.ts"
import type { Attempt, MakeLearner } from "./simulate.ts"
import type { Kind, World } from "./World.ts"

/** Compiled once for each world: a learner is made at once. */
export const ours = async (world: World): Promise<MakeLearner> => {
  const names = world.outcomes(0, 0).map((_, index) => `provider_${index + 1}`)
  const routing = await Effect.runPromise(
    compile({ version: 1, default: { best: "success_rate", among: names } }, names.map(routable))
  )
  const payments = await Promise.all(world.kinds.map((kind) => Effect.runPromise(decodeCreatePayment(requestOf(kind)))))
  return (_, perMinute, seed) => learner(routing, names, payments, `${perMinute}-${seed}`)
}

const learner = (
  routing: CompiledRouting,
  names: ReadonlyArray<string>,
  payments: ReadonlyArray<NewPayment>,
  run: string
): ReturnType<MakeLearner> => {
  const [windowMs = 0] = routing.windows
  const rates = SuccessRates.make(windowMs)
  const factsOf = (kind: number, payment: string, now: number) => {
    const made = payments[kind]
    if (made === undefined) throw new Error(`There is no kind ${kind}`)
    // Boundary: only the text of an id matters to routing.
    return [made, facts(made, tenant, payment as PaymentId, now)] as const
  }
  return {
    first: (now, kind, number) => {
      const [payment, asked] = factsOf(kind, `pay_${run}-${number}`, now)
      const health = {
        ...unknownHealth,
        evidence: (provider: string) => rates.evidence(provider, segmentOf(asked), now)
      }
      const answer = plan(routing, payment, asked, health)
      return names.indexOf(answer.candidates[0]?.provider ?? "")
    },
    began: () => undefined,
    ended: ({ end, endedAt, kind, provider }: Attempt) => {
      const [, asked] = factsOf(kind, "", endedAt)
      const sample = end === "succeeded" ? "success" : end === "expired" ? "expired" : "failure"
      rates.record(endedAt, names[provider] ?? "", segmentOf(asked), sample)
    }
  }
}

const routable = (id: string): RoutableProvider => ({
  id,
  mode: "test",
  capabilities: {
    methods: {
      card: { currencies: "any", flows: { hosted: {}, token: {} } },
      upi: { currencies: ["INR"], flows: { intent: {}, collect: {} } }
    },
    operations: { create: {} }
  }
})

/** The body of `POST /v1/payments`. */
const requestOf = ({ method }: Kind) => ({
  amount: 10_000,
  currency: method.rail === "upi" ? "INR" : "EUR",
  customer: { email: "payer@example.com", phone: "+491701234567" },
  ...(method.rail === "upi"
    ? {
        payment_method: "upi",
        payment_method_details: {
          upi: { flow: method.flow, ...(method.handle !== null && { vpa: `payer@${method.handle}` }) }
        }
      }
    : {
        payment_method: "card",
        payment_method_details: {
          card: {
            ...(method.flow === "token" && { token: "tok_1" }),
            bin: method.bin,
            network: "visa",
            country: method.country,
            funding: method.funding
          }
        }
      })
})
