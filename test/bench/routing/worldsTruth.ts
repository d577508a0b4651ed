/**
 * The worlds of `pnpm bench routing-worlds`: how many payments come, and what each provider takes at each moment. The
 * first provider is listed first in the rules. Where no volume is named, 10 payments a minute come.
 */

export interface World {
  readonly name: string
  readonly perMinute: number
  readonly minutes: number
  /** Rates of the providers in the order of the rules, 0 to 1; at a minute from the start, for an issuer. */
  readonly rates: (minute: number, issuer: number) => ReadonlyArray<number>
  /** Shares of the issuers; together 1. One issuer, unless given. */
  readonly issuers?: ReadonlyArray<number>
  /** The first provider times out instead of declining. */
  readonly timesOut?: boolean
  /** Run with failover as well, to compare the first choices. */
  readonly compareFailover?: boolean
}

const HEALTHY = { first: 0.98, second: 0.94 } as const

const isDuring = (minute: number, from: number, until: number): boolean => minute >= from && minute < until

/** The first provider at 40 % in the second of three equal parts. */
const outage = (minutes: number): World["rates"] => {
  const third = minutes / 3
  return (minute) => [isDuring(minute, third, 2 * third) ? 0.4 : HEALTHY.first, HEALTHY.second]
}

export const worlds: ReadonlyArray<World> = [
  // Shorter: an hour of outage would be 36,000 payments.
  { name: "first fails, 600/min", perMinute: 600, minutes: 12, rates: outage(12) },
  { name: "first fails, 10/min", perMinute: 10, minutes: 180, rates: outage(180), compareFailover: true },
  { name: "first fails, 1/min", perMinute: 1, minutes: 180, rates: outage(180) },
  {
    name: "two of three fail",
    perMinute: 10,
    minutes: 180,
    rates: (minute) => (isDuring(minute, 60, 120) ? [0.3, 0.4, 0.93] : [0.97, 0.95, 0.93])
  },
  {
    name: "slow drift",
    perMinute: 10,
    minutes: 180,
    rates: (minute) => [HEALTHY.first - (0.12 * minute) / 180, HEALTHY.second]
  },
  {
    name: "one issuer at 10 %, 60/min",
    perMinute: 60,
    minutes: 60,
    issuers: [0.04, 0.3, 0.2, 0.16, 0.1, 0.08, 0.07, 0.05],
    rates: (_, issuer) => [issuer === 0 ? 0.1 : 0.97, HEALTHY.second]
  },
  { name: "steady, 60/min", perMinute: 60, minutes: 60, rates: () => [HEALTHY.first, HEALTHY.second] },
  {
    name: "steady, 500 issuers, 60/min",
    perMinute: 60,
    minutes: 60,
    issuers: Array.from({ length: 500 }, () => 1 / 500),
    rates: () => [HEALTHY.first, HEALTHY.second]
  },
  {
    name: "steady, second better",
    perMinute: 10,
    minutes: 180,
    rates: () => [HEALTHY.second, HEALTHY.first],
    compareFailover: true
  },
  {
    name: "both degrade",
    perMinute: 10,
    minutes: 180,
    rates: (minute) => (isDuring(minute, 60, 120) ? [0.5, 0.6] : [0.97, 0.95])
  },
  { name: "1/min, second better", perMinute: 1, minutes: 180, rates: () => [HEALTHY.second, HEALTHY.first] },
  {
    name: "flapping 5 s, 60/min",
    perMinute: 60,
    minutes: 60,
    rates: (minute) => [
      isDuring(minute, 20, 40) && Math.floor(minute * 12) % 2 === 1 ? 0 : HEALTHY.first,
      HEALTHY.second
    ]
  },
  { name: "first times out", perMinute: 10, minutes: 180, rates: outage(180), timesOut: true }
]
