/**
 * What `best: success_rate` is compared with, as routers of the same engine. They learn from the results at once, while
 * `best: success_rate` reads the database every two seconds: a small advantage for them.
 *
 * **SR-V3** is a model of the success-rate routing of decision-engine (AGPL-3.0), from its documentation and the behavior of
 * its published source; no code of it is used. Differences:
 * - Its state is in this process, without the read cache of 75 ms.
 * - Elimination, the downtime reset and the autopilot are off, as by default. Filters by failure reason are off, too:
 *   these worlds have no failures of the payer.
 * - Its segment is the payment method; optional segments by network or BIN are off, as by default.
 * - Of its two modes of exploration, `hedging` is the one in which all payments update the scores. The other one, in
 *   which only explored payments do, learns twenty times slower.
 */
import type { OutcomeStatus } from "@paymux/core/store"
import { SeededRandom } from "@paymux/test-suites/simulation"

/** Orders the providers for the next payment, and learns from its attempts. */
export interface Policy {
  readonly order: (now: number) => ReadonlyArray<string>
  /** One ended attempt; a timeout is `unknown`. `now` is in ms. */
  readonly learn: (provider: string, status: OutcomeStatus, now: number) => void
}

type MakePolicy = (providers: ReadonlyArray<string>, seed: number) => Policy

export const priority: MakePolicy = (providers) => ({ order: () => providers, learn: () => undefined })

const FORMER = { windowMs: 1_800_000, minSamples: 50, explore: 0.05 } as const

/**
 * The former algorithm of `best: success_rate`: the weight of an attempt falls linearly over the window, a
 * provider with fewer than 50 attempts is behind all others, 5 % explore, and attempts after a failover count.
 */
export const former: MakePolicy = (providers, seed) => {
  const random = SeededRandom.stream(seed, "former")
  const known = new Map(providers.map((provider) => [provider, linearWindow(FORMER.windowMs)]))
  const score = (provider: string, now: number): number => {
    const { rate, samples } = known.get(provider)?.at(now) ?? { rate: 0, samples: 0 }
    return samples < FORMER.minSamples ? -1 : rate
  }
  return {
    order: (now) => {
      const scores = new Map(providers.map((provider) => [provider, score(provider, now)]))
      const ranked = providers.toSorted((a, b) => (scores.get(b) ?? -1) - (scores.get(a) ?? -1))
      if (random.next() >= FORMER.explore) return ranked
      return first(ranked[random.between(1, ranked.length - 1)], ranked)
    },
    learn: (provider, status, now) => {
      if (status === "succeeded" || status === "declined") known.get(provider)?.add(now, status === "succeeded")
    }
  }
}

/** Sums of counts and of counts times age, which change with time without a pass over all attempts. */
const linearWindow = (windowMs: number) => {
  const attempts: Array<{ readonly at: number; readonly success: number }> = []
  let oldest = 0
  const sums = { counted: 0, succeeded: 0, countedTimes: 0, succeededTimes: 0 }
  const change = (by: 1 | -1, { at, success }: { readonly at: number; readonly success: number }): void => {
    sums.counted += by
    sums.succeeded += by * success
    sums.countedTimes += by * at
    sums.succeededTimes += by * success * at
  }
  return {
    add: (at: number, isSuccess: boolean): void => {
      const attempt = { at, success: isSuccess ? 1 : 0 }
      attempts.push(attempt)
      change(1, attempt)
    },
    at: (now: number): { readonly rate: number; readonly samples: number } => {
      for (let next = attempts[oldest]; next !== undefined && next.at <= now - windowMs; next = attempts[oldest]) {
        change(-1, next)
        oldest++
      }
      const start = now - windowMs
      const weight = sums.countedTimes - start * sums.counted
      const rate = weight > 0 ? (sums.succeededTimes - start * sums.succeeded) / weight : 0
      return { rate, samples: sums.counted }
    }
  }
}

const SR_V3 = { bucket: 125, hedging: 0.05, pendingMs: 300_000 } as const

/** The provider with the highest mean of its newest 125 results, at first all successes; ties at random. */
export const srV3Greedy: MakePolicy = (providers, seed) => srV3(providers, seed, 0)

/** The same, but 5 % of the payments go to any provider. */
export const srV3Hedging: MakePolicy = (providers, seed) => srV3(providers, seed, SR_V3.hedging)

const srV3 = (providers: ReadonlyArray<string>, seed: number, hedging: number): Policy => {
  const random = SeededRandom.stream(seed, "sr-v3")
  const queues = new Map(providers.map((provider) => [provider, outcomeQueue()]))
  let pending: ReadonlyArray<{ readonly provider: string; readonly until: number }> = []
  const settle = (now: number): void => {
    for (const { provider } of pending.filter(({ until }) => until <= now)) queues.get(provider)?.push(0)
    pending = pending.filter(({ until }) => until > now)
  }
  return {
    order: (now) => {
      settle(now)
      const isHedged = random.next() < hedging
      const scores = providers.map((provider) => ({
        provider,
        score: isHedged ? 1 : (queues.get(provider)?.sum() ?? 0),
        tie: random.next()
      }))
      return scores.sort((a, b) => b.score - a.score || a.tie - b.tie).map(({ provider }) => provider)
    },
    learn: (provider, status, now) => {
      if (status === "unknown") pending = [...pending, { provider, until: now + SR_V3.pendingMs }]
      else queues.get(provider)?.push(status === "succeeded" ? 1 : 0)
    }
  }
}

const outcomeQueue = () => {
  const outcomes = Array.from({ length: SR_V3.bucket }, () => 1)
  let next = 0
  let sum = SR_V3.bucket
  return {
    sum: (): number => sum,
    push: (outcome: 0 | 1): void => {
      sum += outcome - (outcomes[next] ?? 0)
      outcomes[next] = outcome
      next = (next + 1) % SR_V3.bucket
    }
  }
}

const first = (provider: string | undefined, ranked: ReadonlyArray<string>): ReadonlyArray<string> =>
  provider === undefined ? ranked : [provider, ...ranked.filter((other) => other !== provider)]
