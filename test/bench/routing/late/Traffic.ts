/** Payments of a late world through engines in virtual time, with the results that the model's payments have. */
import { decodeCreatePayment } from "@paymux/core"
import { virtualTime } from "@paymux/test-suites"
import type { VirtualTime } from "@paymux/test-suites"
import { SeededRandom } from "@paymux/test-suites/simulation"
import { Clock, Effect } from "effect"
import type { Scope } from "effect"
import { TestClock } from "effect/testing"
import { MINUTE } from "../worlds/World.ts"
import type { Database } from "./databases.ts"
import { start, STEP } from "./LateEngine.ts"
import type { LateEngine } from "./LateEngine.ts"
import type { LateWorld } from "./lateWorlds.ts"
import { vendors } from "./Vendors.ts"
import type { Present, Reporting } from "./Vendors.ts"

export interface TrafficOptions {
  readonly world: LateWorld
  readonly perMinute: number
  readonly seed: number
  readonly reporting: Reporting
  readonly database: Database
}

/** The first choice for one payment. */
export interface Choice {
  /** From the start. */
  readonly minute: number
  /** Its index in the world. */
  readonly provider: number
  /** The best rate of the moment less that of the choice, 0 to 1. */
  readonly lost: number
}

interface Traffic {
  /** A new engine on the database, as a process of its own. */
  readonly start: Effect.Effect<LateEngine, never, Scope.Scope>
  /** Makes the payments that begin before a minute, by these engines in turn. */
  readonly until: (minute: number, engines: readonly [LateEngine, ...ReadonlyArray<LateEngine>]) => Effect.Effect<void>
  readonly choices: ReadonlyArray<Choice>
}

export const traffic = Effect.fnUntraced(function* (options: TrafficOptions) {
  const { perMinute, reporting, seed, world } = options
  const beginning = Date.UTC(2026, 0, 5)
  yield* TestClock.setTime(beginning)
  const connect = yield* options.database
  const time: VirtualTime = virtualTime({ step: STEP })
  const present: Present = { outcomes: [], draws: [] }
  const { providers, webhookUntil } = vendors(world.providers, reporting, present)
  const payment = yield* Effect.orDie(decodeCreatePayment(request))
  const names = providers.map(({ id }) => id)
  // As that of the model: the same payments have the same results.
  const random = SeededRandom.stream(seed, `${world.name} ${perMinute}`)
  const choices: Array<Choice> = []
  let engines = 0
  let made = 0

  const passUntil = (at: number) => Effect.flatMap(Clock.currentTimeMillis, (now) => time.pass(at - now))
  /** Delivers due webhooks to the engine whose turn it is. */
  const reportedUntil = Effect.fnUntraced(function* (at: number, { inbox }: LateEngine) {
    for (let next = webhookUntil(at); next !== null; next = webhookUntil(at)) {
      yield* passUntil(next.at)
      yield* Effect.orDie(inbox.receive(next.provider, next.body, {}))
    }
    yield* passUntil(at)
  })
  const make = Effect.fnUntraced(function* (minute: number, { payments }: LateEngine) {
    // The model draws the kind of the payment.
    random.next()
    present.outcomes = world.outcomes(minute, 0)
    present.draws = names.map(() => random.next())
    const { record } = yield* Effect.orDie(payments.create(payment, { tenant, idempotency: null }))
    const provider = names.indexOf(record.attempts[0]?.provider ?? "")
    const rates = present.outcomes.map(({ rate }) => rate)
    choices.push({ minute, provider, lost: Math.max(...rates) - (rates[provider] ?? 0) })
  })

  return {
    start: Effect.suspend(() => {
      const stream = SeededRandom.stream(seed, "ids", ++engines)
      return Effect.orDie(start({ providers, connect, time, random: stream }))
    }),
    until: Effect.fnUntraced(function* (minute, running) {
      const end = Math.ceil(minute * perMinute)
      for (; made < end; made++) {
        const engine = running[made % running.length] ?? running[0]
        yield* reportedUntil(beginning + (made * MINUTE) / perMinute, engine)
        yield* make(made / perMinute, engine)
      }
      yield* reportedUntil(beginning + minute * MINUTE, running[0])
    }),
    choices
  } satisfies Traffic
})

export const tenant = { account: "default", livemode: false } as const

/** The body of `POST /v1/payments`, valid at both providers. */
export const request = {
  amount: 10_000,
  currency: "INR",
  payment_method: "upi",
  payment_method_details: { upi: { flow: "intent" } },
  customer: { email: "payer@example.com", phone: "+919999999999" },
  client: { ip: "203.0.113.7", user_agent: "Mozilla/5.0", referer: "https://shop.example/checkout" }
}
