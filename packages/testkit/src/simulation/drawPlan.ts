/** Draws a plan from a seed. */
import type { DeclineCode, Rail, RetryClass } from "@paymux/core"
import type { Act, Answer, Fate, InquiryAct, PaymentPlan, Plan, ProviderPlan, Trouble, Wish } from "./Plan.ts"
import { points } from "./Plan.ts"
import { stream } from "./SeededRandom.ts"
import type { SeededRandom } from "./SeededRandom.ts"

/**
 * - `everything`: all faults, mixed.
 * - `timeouts`: the first send of every payment times out, and most are captured all the same.
 * - `storm`: providers tell everything many times and in any order.
 * - `transfers`: other amounts and currencies than were asked for.
 */
export type Weather = "everything" | "timeouts" | "storm" | "transfers"

export interface PlanOptions {
  readonly payments: number
  readonly weather?: Weather
}

export const drawPlan = (seed: number, { payments, weather = "everything" }: PlanOptions): Plan => {
  const random = stream(seed, "world")
  // About two a second: enough for breakers to judge by.
  const lasts = Math.max(30 * SECOND, payments * random.between(300, 700))
  const providers = ["p0", "p1", "p2", "p3"].map((id, index) => drawProvider(stream(seed, "provider", id), id, index))
  return {
    seed,
    engines: random.pick(["one", "many"]),
    lateSuccess: random.chance(75) ? "succeed" : "reverse",
    providers,
    payments: Array.from({ length: payments }, (_, n) => drawPayment(seed, n, lasts, weather)),
    troubles: weather === "everything" ? drawTroubles(stream(seed, "troubles"), providers, payments, lasts) : [],
    calmAt: lasts + 2 * MINUTE
  }
}

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

const drawProvider = (random: SeededRandom, id: string, index: number): ProviderPlan => ({
  id,
  // Two can do everything, so that there is somebody to fail over to.
  rails:
    index < 2 ? ["upi", "card", "stablecoin"] : random.pick<ReadonlyArray<Rail>>([["card"], ["upi", "card"], ["upi"]]),
  idempotency: random.weighted([
    [5, "header"],
    [2, "body"],
    [2, "reference"],
    [1, "lookup"],
    [2, "none"]
  ]),
  keyLifetime: random.weighted([
    [8, DAY],
    [1, 30 * SECOND],
    [1, 5 * MINUTE]
  ]),
  canInquire: random.chance(75),
  costlyInquiry: random.chance(15),
  notFoundIsFinalAfter: random.weighted([
    [6, 15 * MINUTE],
    [2, HOUR],
    [2, null]
  ]),
  declineIsFinal: random.chance(60),
  abandonedAfter: random.chance(60) ? 30 * MINUTE : null,
  rateLimitIsNotExecuted: random.chance(50),
  manualCapture: index < 2 || random.chance(50),
  ordersFirst: random.chance(30),
  canCancel: random.chance(80),
  canRefund: random.chance(90)
})

const drawPayment = (seed: number, n: number, lasts: number, weather: Weather): PaymentPlan => {
  const random = stream(seed, "payment", n)
  const rail = random.weighted<Rail>([
    [4, "upi"],
    [5, "card"],
    [1, "stablecoin"]
  ])
  const captureMethod = rail === "card" && random.chance(15) ? "manual" : "automatic"
  const keyed = random.chance(50)
  return {
    n,
    at: random.between(0, lasts),
    rail,
    minorUnits: random.between(100, 1_000_000),
    captureMethod,
    key: keyed ? `key-${n}` : null,
    repeats: keyed && random.chance(40) ? several(random, 3, () => random.between(0, 30 * SECOND)) : [],
    abortAfter: random.chance(15) ? random.between(0, 12 * SECOND) : null,
    acts: Array.from({ length: 6 }, (_, index) => drawAct(random, rail, weather, index)),
    inquiries: random.chance(30) ? several(random, 4, () => drawInquiry(random)) : [],
    wishes: drawWishes(random, n, captureMethod)
  }
}

const drawAct = (random: SeededRandom, rail: Rail, weather: Weather, index: number): Act => {
  const fate = drawFate(random, rail, weather)
  const tells = drawTells(random, weather)
  const tellsByReference = random.chance(25)
  const quick = { arrivesAfter: random.between(5, 200), answersAfter: random.between(20, 1500) }
  if (weather === "timeouts" && index === 0) {
    return {
      arrivesAfter: random.chance(90) ? random.between(5, 60 * SECOND) : null,
      answer: random.weighted<Answer>([
        [8, "none"],
        [1, "reset"],
        [1, "server_error"]
      ]),
      answersAfter: random.between(20, 1500),
      fate,
      tells,
      tellsByReference
    }
  }
  if (weather === "storm" || weather === "transfers" || random.chance(70)) {
    return { ...quick, answer: "truth", fate, tells, tellsByReference }
  }
  const answer = random.weighted<Answer>([
    [6, "none"],
    [4, "reset"],
    [1, "reset_reused"],
    [4, "server_error"],
    [1, "unmapped"],
    [1, "garbage"],
    [1, "defect"],
    [2, "rate_limited"],
    [1, "unauthorized"],
    [1, "invalid"],
    [2, "proof"],
    [4, "not_sent"],
    [1, "adapter_fault"],
    [3, "truth"]
  ])
  const slow = { arrivesAfter: random.between(5, 2 * MINUTE), answersAfter: random.between(20, 30 * SECOND) }
  const pace = random.chance(40) ? slow : quick
  const never = provesNothingDone(answer) || random.chance(30)
  return { ...pace, arrivesAfter: never ? null : pace.arrivesAfter, answer, fate, tells, tellsByReference }
}

/** Answers that are the provider's or our own word that nothing was done. */
const provesNothingDone = (answer: Answer): boolean =>
  answer === "unauthorized" ||
  answer === "invalid" ||
  answer === "proof" ||
  answer === "not_sent" ||
  answer === "adapter_fault"

const drawFate = (random: SeededRandom, rail: Rail, weather: Weather): Fate => {
  const taken: Fate = {
    kind: "taken",
    by: weather === "transfers" && random.chance(80) ? random.pick([-99, -1, 1, 5000]) : random.chance(1) ? 1 : 0,
    otherCurrency: weather === "transfers" && random.chance(30)
  }
  if (weather === "transfers") return taken
  const waits: Fate = {
    kind: "waits",
    action: random.chance(80),
    after: random.weighted([
      [6, random.between(SECOND, 2 * MINUTE)],
      [2, random.between(2 * MINUTE, 30 * MINUTE)],
      [1, random.between(HOUR, 2 * DAY)]
    ]),
    ends: random.weighted([
      [6, "taken"],
      [2, "declined"],
      [2, "expired"],
      [1, "nothing"]
    ])
  }
  const [code, retry] = random.pick<readonly [DeclineCode, RetryClass]>([
    ["insufficient_funds", "same_later"],
    ["do_not_honor", "same_later"],
    ["issuer_unavailable", "other_provider"],
    ["issuer_unavailable", "other_provider"],
    ["processing_error", "other_provider"],
    ["lost_or_stolen", "never"],
    ["authentication_required", "other_provider"]
  ])
  const declined: Fate = {
    kind: "declined",
    code,
    retry,
    takenAfter: random.chance(rail === "upi" ? 20 : 5) ? random.between(SECOND, 3 * DAY) : null
  }
  const upi = random.weighted<Fate>([
    [5, waits],
    [3, taken],
    [2, declined]
  ])
  const card = random.weighted<Fate>([
    [6, taken],
    [2, waits],
    [2, declined]
  ])
  return rail === "card" ? card : upi
}

const drawTells = (random: SeededRandom, weather: Weather): ReadonlyArray<number> => {
  const delay = () =>
    random.weighted([
      [7, random.between(0, 5 * SECOND)],
      [2, random.between(5 * SECOND, 10 * MINUTE)],
      [1, random.between(10 * MINUTE, 3 * DAY)]
    ])
  if (weather === "storm") return several(random, 10, delay)
  const copies = random.weighted([
    [3, 0],
    [5, 1],
    [2, random.between(2, 3)],
    [0.05, 100]
  ])
  return Array.from({ length: copies }, delay)
}

const drawInquiry = (random: SeededRandom): InquiryAct =>
  random.pick(["truth", "none", "unknown", "not_sent", "rate_limited", "unauthorized", "defect"])

const drawWishes = (random: SeededRandom, n: number, captureMethod: "automatic" | "manual"): ReadonlyArray<Wish> => {
  const after = () => random.between(0, 20 * SECOND)
  const key = (name: string) => (random.chance(50) ? `${name}-${n}` : null)
  const refunds = random.chance(30)
    ? several(random, 3, (index): Wish => ({
        kind: "refund",
        after: after() + 5 * SECOND,
        part: random.pick([0.3, 0.5, 1]),
        key: key(`refund-${index}`)
      }))
    : []
  if (captureMethod === "automatic") {
    return random.chance(5) ? [{ kind: "cancel", after: after(), key: key("cancel") }, ...refunds] : refunds
  }
  const first: Wish = random.chance(70)
    ? { kind: "capture", after: after(), key: key("capture") }
    : { kind: "cancel", after: after(), key: key("cancel") }
  const both: ReadonlyArray<Wish> = random.chance(10) ? [{ kind: "cancel", after: after(), key: key("cancel") }] : []
  return [first, ...both, ...refunds]
}

const drawTroubles = (
  random: SeededRandom,
  providers: ReadonlyArray<ProviderPlan>,
  payments: number,
  lasts: number
): ReadonlyArray<Trouble> => {
  const at = () => random.between(0, lasts)
  const provider = () => random.pick(["p0", "p1", ...providers.map(({ id }) => id)])
  const most = 5 + Math.floor(payments / 50)
  const crashes = several(random, most, (): Trouble => ({
    kind: "crash",
    n: random.between(0, payments - 1),
    point: random.pick(points),
    downFor: random.between(100, 3 * SECOND)
  }))
  const lost = several(random, most, (): Trouble => ({
    kind: "reply_lost",
    n: random.between(0, payments - 1),
    call: random.pick(["begin", "advance", "advance", "keepAnswer"])
  }))
  const others = several(random, 5, (): Trouble =>
    random.pick<Trouble>([
      { kind: "kill", at: at(), downFor: random.between(100, 10 * SECOND) },
      { kind: "restart", at: at() },
      { kind: "stall", at: at(), lasts: random.between(SECOND, 2 * MINUTE) },
      { kind: "clock", at: at(), by: random.pick([-10 * MINUTE, 10 * MINUTE]) },
      { kind: "store_away", at: at(), lasts: random.between(100, 30 * SECOND) },
      { kind: "store_slow", at: at(), lasts: random.between(SECOND, 30 * SECOND), by: random.between(10, 3000) },
      {
        kind: "outage",
        provider: provider(),
        at: at(),
        lasts: random.between(5 * SECOND, 2 * MINUTE),
        answer: random.pick(["not_sent", "none", "server_error", "unauthorized"])
      },
      { kind: "brown_out", provider: provider(), at: at(), lasts: random.between(10 * SECOND, 2 * MINUTE) }
    ])
  )
  return [...crashes, ...lost, ...others]
}

/** One to `most` of them. */
const several = <A>(random: SeededRandom, most: number, draw: (index: number) => A): ReadonlyArray<A> =>
  Array.from({ length: random.between(1, most) }, (_, index) => draw(index))
