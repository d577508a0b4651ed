/** Payments of every scenario, so many at a time, each carried through to its end: `stop` waits for those under way. */
import type { PaymentJson } from "@paymux/core/wire"
import type { Answered, Merchant } from "./Merchant.ts"
import { requestOf, scenarios, stepOf } from "./Scenarios.ts"
import type { Scenario } from "./Scenarios.ts"

export interface Traffic {
  readonly started: () => number
  /** Rejects where a request was never answered. */
  readonly stop: () => Promise<void>
}

export interface TrafficOptions {
  readonly merchant: Merchant
  /** Before every idempotency key, so that two runs do not share one. */
  readonly prefix: string
  /** Payments under way at the same time. */
  readonly concurrency: number
  /** Default: every one. */
  readonly of?: ReadonlyArray<Scenario>
}

export const startTraffic = ({ concurrency, merchant, of = scenarios, prefix }: TrafficOptions): Traffic => {
  const state = { started: 0, stopping: false }
  const worker = async () => {
    while (!state.stopping) {
      const number = state.started++
      const scenario = of[number % of.length]
      if (scenario !== undefined) await carryThrough(merchant, `${prefix}-${number}`, scenario)
    }
  }
  const workers = Array.from({ length: concurrency }, worker)
  const all = Promise.all(workers)
  // Sent at the stop.
  all.catch(() => undefined)
  return {
    started: () => state.started,
    stop: async () => {
      state.stopping = true
      await all
    }
  }
}

/** ms: how long a payment is given to get where the next step makes sense. */
const PATIENCE = 4_000

const carryThrough = async (merchant: Merchant, key: string, scenario: Scenario): Promise<void> => {
  const created = await merchant.post("/v1/payments", key, requestOf(scenario, key))
  if (created.status !== 201) return
  const { id } = paymentOf(created)
  for (const [index, step] of (scenario.next ?? []).entries()) {
    const { amount, from, path } = stepOf(step, scenario)
    if ((await merchant.waitFor(id, from, PATIENCE)) === null) return
    await merchant.post(`/v1/payments/${id}/${path}`, `${key}-${index}`, amount === null ? {} : { amount })
  }
}

/** What the API answers is what its Schema says: packages/core holds that. */
export const paymentOf = ({ body }: Answered): PaymentJson => JSON.parse(body)
