/** `best: success_rate` with its defaults, as rules of the language decide it, without the engine. */
import { decodeCreatePayment } from "@paymux/core"
import type { NewPayment, PaymentId } from "@paymux/core"
import type { RoutableProvider } from "@paymux/core/routing"
import type { AttemptCount } from "@paymux/core/store"
import { compile, facts, segmentOfPayment, plan, SuccessRates, unknownHealth } from "@paymux/routing"
import type { CompiledRouting, Health } from "@paymux/routing"
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
  const [lens] = routing.lenses
  if (lens === undefined) throw new Error("The rules learn nothing")
  const rates = SuccessRates.make(lens)
  const kinds = payments.map((payment) => segmentOfPayment(payment, tenant.account, "default"))
  const open = new Map<number, AttemptCount>()
  let ended: Array<AttemptCount> = []
  let read = Number.NEGATIVE_INFINITY
  const health: Health = { ...unknownHealth, estimates: rates.estimates }

  const refresh = (now: number) => {
    read = now
    rates.settle(ended)
    ended = []
    rates.replaceOpen([...open.values()], now)
    rates.clear()
  }
  const rowOf = ({ kind, provider, startedAt }: Attempt): AttemptCount => {
    const known = kinds[kind]
    if (known === undefined) throw new Error(`There is no kind ${kind}`)
    const provided = { provider: names[provider] ?? "", count: 1, code: null, durationMs: null }
    return { ...known, ...provided, slot: startedAt, status: "pending" }
  }
  return {
    first: (now, kind, number) => {
      const payment = payments[kind]
      if (payment === undefined) throw new Error(`There is no kind ${kind}`)
      if (now - read >= EVERY) refresh(now)
      // Boundary: only the text of an id matters to routing.
      const asked = facts(payment, tenant, `pay_${run}-${number}` as PaymentId, now)
      return names.indexOf(plan(routing, payment, asked, health).candidates[0]?.provider ?? "")
    },
    began: (attempt) => {
      open.set(attempt.number, { ...rowOf(attempt), status: attempt.end === "unknown" ? "unknown" : "pending" })
    },
    ended: (attempt) => {
      open.delete(attempt.number)
      const durationMs = attempt.endedAt - attempt.startedAt
      ended.push({ ...rowOf(attempt), ...endings[attempt.end], durationMs })
    }
  }
}

/** As a server reads, ms. */
const EVERY = 2_000

const endings = {
  succeeded: { status: "succeeded", code: null },
  expired: { status: "expired", code: null },
  declined: { status: "declined", code: "do_not_honor" },
  unknown: { status: "declined", code: "do_not_honor" }
} as const

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
