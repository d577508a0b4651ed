/**
 * One run of a world without the engine: payments in virtual time, and what a learner makes of them. A day of 600 payments a
 * minute takes seconds. Every learner meets the same payments with the same results.
 */
import { SeededRandom } from "@paymux/test-suites/simulation"
import { MINUTE } from "./World.ts"
import type { Outcomes, World } from "./World.ts"

export interface Attempt {
  /** Of the payment: 0, 1, 2 … */
  readonly number: number
  /** Indexes of the world. */
  readonly provider: number
  readonly kind: number
  /** ms from the beginning of the history. */
  readonly startedAt: number
  readonly endedAt: number
  readonly end: "succeeded" | Outcomes["failure"]
}

/** Orders providers for a payment, and learns from attempts when it may know of them. Times as those of `Attempt`. */
export interface Learner {
  readonly first: (now: number, kind: number, payment: number) => number
  readonly began: (attempt: Attempt) => void
  readonly ended: (attempt: Attempt) => void
}

export type MakeLearner = (world: World, perMinute: number, seed: number) => Learner

export interface Run {
  /** Mean over the payments of the best rate at that moment less that of the first choice, 0 to 1. */
  readonly lost: number
  readonly payments: number
  /** Of each provider the share of the first choices, 0 to 1. */
  readonly shares: ReadonlyArray<number>
}

export const simulate = (world: World, perMinute: number, seed: number, make: MakeLearner): Run => {
  const learner = make(world, perMinute, seed)
  const random = SeededRandom.stream(seed, `${world.name} ${perMinute}`)
  const open = openAttempts()
  const history = (world.history?.minutes ?? 0) * MINUTE
  const until = history + world.minutes * MINUTE
  const chosen = world.outcomes(0, 0).map(() => 0)
  let lost = 0
  let payments = 0
  let number = 0
  for (let now = 0; now < until; number++) {
    const minute = (now - history) / MINUTE
    const kind = kindOf(world, random.next())
    const outcomes = world.outcomes(minute, kind)
    const draws = outcomes.map(() => random.next())
    for (const attempt of open.endedBy(now)) learner.ended(attempt)
    const provider = minute < 0 ? (world.history?.providers[kind] ?? 0) : learner.first(now, kind, number)
    const ending = outcomes[provider]
    if (ending === undefined) throw new Error(`There is no provider ${provider}`)
    const attempt = begun({ number, provider, kind, startedAt: now }, ending, (draws[provider] ?? 1) < ending.rate)
    learner.began(attempt)
    open.add(attempt)
    if (minute >= 0) {
      lost += Math.max(...outcomes.map(({ rate }) => rate)) - ending.rate
      chosen[provider] = (chosen[provider] ?? 0) + 1
      payments++
    }
    now += MINUTE / (perMinute * (world.volume?.(minute) ?? 1))
  }
  return { lost: lost / payments, payments, shares: chosen.map((count) => count / payments) }
}

const kindOf = ({ kinds }: World, draw: number): number => {
  let left = draw
  for (const [index, { share }] of kinds.entries()) {
    left -= share
    if (left < 0) return index
  }
  return kinds.length - 1
}

const begun = (
  started: Pick<Attempt, "number" | "provider" | "kind" | "startedAt">,
  { failure, failureAfter, successAfter }: Outcomes,
  isSuccess: boolean
): Attempt => ({
  ...started,
  endedAt: started.startedAt + (isSuccess ? successAfter : failureAfter),
  end: isSuccess ? "succeeded" : failure
})

/** Attempts that are open, the next to end first. A queue for each duration keeps its order on its own. */
const openAttempts = () => {
  const queues = new Map<number, { next: number; all: Array<Attempt> }>()
  const earliest = () => {
    let found: { next: number; all: Array<Attempt> } | null = null
    let end = Number.POSITIVE_INFINITY
    for (const queue of queues.values()) {
      const head = queue.all[queue.next]
      if (head === undefined || head.endedAt >= end) continue
      found = queue
      end = head.endedAt
    }
    return { found, end }
  }
  return {
    add: (attempt: Attempt): void => {
      const duration = attempt.endedAt - attempt.startedAt
      const queue = queues.get(duration)
      if (queue === undefined) queues.set(duration, { next: 0, all: [attempt] })
      else queue.all.push(attempt)
    },
    /** Each once, in the order of their ends. */
    endedBy: function* (now: number): Iterable<Attempt> {
      for (let { end, found } = earliest(); found !== null && end <= now; { end, found } = earliest()) {
        const attempt = found.all[found.next++]
        if (attempt !== undefined) yield attempt
      }
    }
  }
}
