/**
 * The worlds that the learning is designed for. Rates that are late are those of UPI intents and hosted pages: a success
 * comes within seconds, and a failure is an expiry many minutes later.
 *
 * The bounds at 1 and 10 payments a minute are 0.8 of the losses of counting each payment that is open after 60 s as failed.
 */
import { MINUTE, SECOND } from "./World.ts"
import type { Outcomes, Kind, World } from "./World.ts"

const intents: ReadonlyArray<Kind> = [{ share: 1, method: { rail: "upi", flow: "intent", handle: null } }]

const cardsFrom = (...countries: ReadonlyArray<string>): ReadonlyArray<Kind> =>
  countries.map((country, index) => ({
    share: 1 / countries.length,
    method: { rail: "card", flow: "token", country, funding: "credit", bin: String(411_111 + index) }
  }))

export const prompt = (rate: number): Outcomes => ({ rate, successAfter: 0, failureAfter: 0, failure: "declined" })

const expiring =
  (minutes: number) =>
  (rate: number): Outcomes => ({ rate, successAfter: 20 * SECOND, failureAfter: minutes * MINUTE, failure: "expired" })

const allLate = (rate: number): Outcomes => ({
  rate,
  successAfter: 30 * MINUTE,
  failureAfter: 30 * MINUTE,
  failure: "declined"
})

const isDuring = (minute: number, from: number, until: number): boolean => minute >= from && minute < until

/** From .95 to .65 in three hours. */
const drifting = (minute: number): number => 0.95 - (0.3 * Math.min(180, Math.max(0, minute))) / 180

export const designWorlds: ReadonlyArray<World> = [
  {
    name: "outage of an hour, expiry 15 min",
    minutes: 180,
    kinds: intents,
    outcomes: (minute) => [isDuring(minute, 60, 120) ? 0.2 : 0.92, 0.88].map(expiring(15)),
    bounds: [
      [1, 0.8 * 3.6],
      [10, 0.8 * 1.6],
      [100, 0.7],
      [600, 0.7]
    ]
  },
  {
    name: "drift, expiry 30 min",
    minutes: 180,
    kinds: intents,
    outcomes: (minute) => [drifting(minute), 0.895].map(expiring(30)),
    bounds: [
      [1, 0.8 * 2.8],
      [10, 0.8 * 0.7],
      [100, 0.5],
      [600, 0.6]
    ]
  },
  {
    name: "country mix unexplored",
    minutes: 180,
    kinds: cardsFrom("IN", "DE"),
    // Before, Indian cards went to the first provider and German ones to the second.
    history: { minutes: 180, providers: [0, 1] },
    outcomes: (_, kind) => (kind === 0 ? [prompt(0.7), prompt(0.6)] : [prompt(0.95), prompt(0.9)]),
    bounds: [
      [1, 3.5],
      [10, 1],
      [100, 0.45],
      [600, 0.4]
    ]
  },
  {
    name: "joint outage, second recovers first",
    minutes: 180,
    kinds: cardsFrom("DE"),
    outcomes: (minute) => [
      prompt(isDuring(minute, 60, 120) ? 0.2 : 0.92),
      prompt(isDuring(minute, 60, 90) ? 0.2 : 0.88)
    ],
    bounds: [
      [1, 2.2],
      [10, 1.3],
      [100, 0.7],
      [600, 0.6]
    ]
  },
  {
    name: "drift, all outcomes 30 min late",
    minutes: 240,
    kinds: cardsFrom("DE"),
    outcomes: (minute) => [drifting(minute - 60), 0.895].map(allLate),
    bounds: [
      [1, 3],
      [10, 1],
      [100, 0.8],
      [600, 0.6]
    ]
  }
]
