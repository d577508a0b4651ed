/**
 * Learners that `best: success_rate` is compared with. They learn of each end at once, while a server reads the database every
 * two seconds: a small advantage for them.
 *
 * **SR-V3** is a model of the success-rate routing of decision-engine (AGPL-3.0), from its documentation and the behavior of
 * its published source; no code of it is used. Elimination, the downtime reset and the autopilot are off, as by default. Its
 * segment is the payment method. Of its two modes of exploration, `hedging` is the one in which all payments update the
 * scores.
 */
import { SeededRandom } from "@paymux/test-suites/simulation"
import { SECOND } from "./World.ts"
import type { Attempt, Learner, MakeLearner } from "./simulate.ts"
import type { World } from "./World.ts"

const providersOf = ({ outcomes }: World): ReadonlyArray<number> => outcomes(0, 0).map((_, provider) => provider)

const nothing = () => undefined

export const priority: MakeLearner = () => ({ first: () => 0, began: nothing, ended: nothing })

const SR_V3 = { bucket: 125, hedging: 0.05 } as const

/** The provider with the highest mean of its newest 125 results, at first all successes; ties at random. */
export const srV3: MakeLearner = (world, _, seed) => resultQueues(world, seed, 0)

/** The same, but 5 % of the payments go to any provider. */
export const srV3Hedging: MakeLearner = (world, _, seed) => resultQueues(world, seed, SR_V3.hedging)

const resultQueues = (world: World, seed: number, hedging: number): Learner => {
  const random = SeededRandom.stream(seed, "sr-v3")
  const queues = providersOf(world).map(() => ({
    results: Array.from({ length: SR_V3.bucket }, () => 1),
    next: 0,
    sum: SR_V3.bucket
  }))
  return {
    first: () => {
      const isHedged = random.next() < hedging
      return highest(queues.map(({ sum }) => (isHedged ? 0 : sum) + random.next() / 2))
    },
    began: nothing,
    ended: ({ end, provider }) => {
      const queue = queues[provider]
      if (queue === undefined) return
      const result = end === "succeeded" ? 1 : 0
      queue.sum += result - (queue.results[queue.next] ?? 0)
      queue.results[queue.next] = result
      queue.next = (queue.next + 1) % SR_V3.bucket
    }
  }
}

/** With each result of any provider, what was known before counts this much less. */
const DISCOUNT = 0.995

/** Thompson sampling from a Beta distribution of each provider, whose counts are discounted. */
export const thompson: MakeLearner = (world, _, seed) => {
  const random = SeededRandom.stream(seed, "thompson")
  const known = providersOf(world).map(() => ({ success: 0, failure: 0 }))
  return {
    first: () =>
      highest(
        known.map(({ failure, success }) => {
          const [a, b] = [success + 1, failure + 1]
          const normal = Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next())
          return a / (a + b) + normal * Math.sqrt((a * b) / ((a + b) ** 2 * (a + b + 1)))
        })
      ),
    began: nothing,
    ended: ({ end, provider }) => {
      for (const counts of known) {
        counts.success *= DISCOUNT
        counts.failure *= DISCOUNT
      }
      const counts = known[provider]
      if (counts !== undefined) counts[end === "succeeded" ? "success" : "failure"]++
    }
  }
}

const WINDOW = { ms: 3_600_000, newest: 250, strength: 20, sharp: 2 } as const

/** Former `best: success_rate` (decision 0052): attempts by when they ended, an hour or the newest 250 of them. */
export const byEnd: MakeLearner = (world, _, seed) =>
  weighed(world, seed, { time: ({ endedAt }) => endedAt, open: null })

/** The same by when they started, where each attempt that is open after 60 s counts as failed. */
export const openFails: MakeLearner = (world, _, seed) =>
  weighed(world, seed, { time: ({ startedAt }) => startedAt, open: 60 * SECOND })

interface Known {
  readonly at: number
  end: "open" | "success" | "failure" | "expired"
}

/** An expiry counts a quarter of a failure. */
const WEIGHTS = { open: 1, success: 1, failure: 1, expired: 0.25 } as const

const weighed = (
  world: World,
  seed: number,
  { open, time }: { readonly time: (attempt: Attempt) => number; readonly open: number | null }
): Learner => {
  const random = SeededRandom.stream(seed, "window")
  const providers = providersOf(world)
  // Of each provider: all attempts, and those of each kind, each in the order of time.
  const kept = providers.map(() => [[], ...world.kinds.map(() => [])].map((): Array<Known> => []))
  const begun = new Map<number, Known>()
  const keep = ({ kind, provider }: Attempt, known: Known): void => {
    kept[provider]?.[0]?.push(known)
    kept[provider]?.[kind + 1]?.push(known)
  }
  return {
    first: (now, kind) => {
      const sums = kept.map(
        (each) => [sumOf(each[0] ?? [], now, open), sumOf(each[kind + 1] ?? [], now, open)] as const
      )
      const all = sums.reduce((sum, [whole]) => ({ s: sum.s + whole.success, n: sum.n + whole.counted }), {
        s: 0.9,
        n: 1
      })
      return highest(
        sums.map(([whole, part]) => {
          const first = all.s / all.n + 0.25 * (1 - all.s / all.n)
          const wide = (whole.success + (WINDOW.strength / 2) * first) / (whole.counted + WINDOW.strength / 2)
          const rate = (part.success + WINDOW.strength * wide) / (part.counted + WINDOW.strength)
          const known = whole.counted + WINDOW.strength / 4
          const normal = Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next())
          return rate + normal * Math.sqrt((rate * (1 - rate)) / (known * (1 + known / WINDOW.sharp) + 1))
        })
      )
    },
    began: (attempt) => {
      if (open === null || attempt.endedAt === attempt.startedAt) return
      const known: Known = { at: attempt.startedAt, end: "open" }
      begun.set(attempt.number, known)
      keep(attempt, known)
    },
    ended: (attempt) => {
      const end = attempt.end === "succeeded" ? "success" : attempt.end === "expired" ? "expired" : "failure"
      const known = begun.get(attempt.number)
      if (known === undefined) keep(attempt, { at: time(attempt), end })
      else if (end !== "expired") known.end = end
      begun.delete(attempt.number)
    }
  }
}

const sumOf = (attempts: ReadonlyArray<Known>, now: number, open: number | null) => {
  const counting: Array<Known> = []
  for (let index = attempts.length - 1; index >= 0 && counting.length < WINDOW.newest; index--) {
    const known = attempts[index]
    if (known === undefined || known.at <= now - WINDOW.ms) break
    if (known.end !== "open" || (open !== null && known.at <= now - open)) counting.push(known)
  }
  const oldest = counting.at(-1)
  const reach = counting.length < WINDOW.newest || oldest === undefined ? WINDOW.ms : Math.max(1, now - oldest.at)
  const sum = { success: 0, counted: 0 }
  for (const { at, end } of counting) {
    const weight = WEIGHTS[end] * (1 - (now - at) / reach)
    sum.counted += weight
    if (end === "success") sum.success += weight
  }
  return sum
}

const highest = (scores: ReadonlyArray<number>): number => scores.indexOf(Math.max(...scores))
