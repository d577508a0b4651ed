/** Draws what becomes of a request: its way, its outcome, its answer, and what the vendor reports of it. */
import type { Answer, CreateScript, DeclineCode, FollowUpScript, Rail, ScriptedOutcome } from "../Plan.ts"
import type { SeededRandom } from "../SeededRandom.ts"
import type { FaultProfile } from "./FaultProfile.ts"
import { DAY, HOUR, MINUTE, SECOND } from "./times.ts"

export const drawCreate = (random: SeededRandom, rail: Rail, profile: FaultProfile, index: number): CreateScript => {
  const outcome = drawOutcome(random, rail, profile)
  const reports = drawReports(random, profile)
  const quick = { arrivesAfter: random.between(5, 200), answersAfter: random.between(20, 1500) }
  if (profile !== "timeouts" && random.chance(3)) return { ...paidBeforeTheAnswer, ...reports, reportedAfter: 500 }
  if (profile === "timeouts" && index === 0) {
    return {
      arrivesAfter: random.chance(90) ? random.between(5, 60 * SECOND) : null,
      answer: random.weighted<Answer>([
        [8, "none"],
        [1, "reset"],
        [1, "server_error"]
      ]),
      answersAfter: random.between(20, 1500),
      ...reports,
      outcome,
      breaks: null
    }
  }
  if (profile === "storm" || profile === "transfers" || random.chance(70)) {
    const pace = random.chance(10) ? { arrivesAfter: 50, answersAfter: random.between(2 * SECOND, 20 * SECOND) } : quick
    return { ...pace, answer: "truth", ...reports, outcome, breaks: null }
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
    [2, "account_not_enabled"],
    [2, "proof"],
    [4, "not_sent"],
    [1, "adapter_fault"],
    [3, "truth"]
  ])
  const slow = { arrivesAfter: random.between(5, 2 * MINUTE), answersAfter: random.between(20, 30 * SECOND) }
  const pace = random.chance(40) ? slow : quick
  const never = provesNothingDone(answer) || random.chance(30)
  return { ...pace, arrivesAfter: never ? null : pace.arrivesAfter, answer, ...reports, outcome, breaks: null }
}

/** The payer is faster than the vendor's answer, which still says pending: the report comes before the reply. */
const paidBeforeTheAnswer = {
  arrivesAfter: 50,
  answer: "truth",
  answersAfter: 4 * SECOND,
  outcome: { kind: "waits", action: true, after: 2 * SECOND, ends: "taken" },
  breaks: null
} as const

/** Answers by which the vendor, or our own side, says that nothing was done. */
const provesNothingDone = (answer: Answer): boolean =>
  answer === "unauthorized" ||
  answer === "invalid" ||
  answer === "account_not_enabled" ||
  answer === "proof" ||
  answer === "not_sent" ||
  answer === "adapter_fault"

const drawOutcome = (random: SeededRandom, rail: Rail, profile: FaultProfile): ScriptedOutcome => {
  const taken: ScriptedOutcome = {
    kind: "taken",
    by: profile === "transfers" && random.chance(80) ? random.pick([-99, -1, 1, 5000]) : random.chance(1) ? 1 : 0,
    otherCurrency: profile === "transfers" && random.chance(30)
  }
  if (profile === "transfers") return taken
  const waits: ScriptedOutcome = {
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
  const [code, retry] = random.pick<readonly [DeclineCode, "never" | "other_provider" | "same_later"]>([
    ["insufficient_funds", "same_later"],
    ["do_not_honor", "same_later"],
    ["issuer_unavailable", "other_provider"],
    ["issuer_unavailable", "other_provider"],
    ["processing_error", "other_provider"],
    ["lost_or_stolen", "never"],
    ["authentication_required", "other_provider"]
  ])
  const declined: ScriptedOutcome = {
    kind: "declined",
    code,
    retry,
    takenAfter: random.chance(rail === "upi" ? 20 : 10) ? random.between(SECOND, 3 * DAY) : null
  }
  const upi = random.weighted<ScriptedOutcome>([
    [5, waits],
    [3, taken],
    [2, declined]
  ])
  const card = random.weighted<ScriptedOutcome>([
    [6, taken],
    [2, waits],
    [2, declined]
  ])
  return rail === "card" ? card : upi
}

const drawReports = (random: SeededRandom, profile: FaultProfile) => ({
  webhooksAfter: drawWebhooks(random, profile),
  byReference: random.chance(25),
  ownEventIds: false,
  misreportsBy: 0,
  reportedAfter: random.chance(50) ? random.between(0, 3 * SECOND) : MINUTE,
  forgottenFor: 0
})

const drawWebhooks = (random: SeededRandom, profile: FaultProfile): ReadonlyArray<number> => {
  const delay = () =>
    random.weighted([
      [7, random.between(0, 5 * SECOND)],
      [2, random.between(5 * SECOND, 10 * MINUTE)],
      [1, random.between(10 * MINUTE, 3 * DAY)]
    ])
  if (profile === "storm") return random.several(10, delay)
  const copies = random.weighted([
    [3, 0],
    [5, 1],
    [2, random.between(2, 3)],
    [0.05, 100]
  ])
  return Array.from({ length: copies }, delay)
}

/** A capture, a cancel or a refund. */
export const drawFollowUp = (random: SeededRandom, profile: FaultProfile): FollowUpScript => {
  const answer: Answer = random.chance(70)
    ? "truth"
    : random.pick(["none", "reset", "server_error", "not_sent", "proof", "account_not_enabled"])
  const arrives = !provesNothingDone(answer) && (answer === "truth" || random.chance(70))
  return {
    arrivesAfter: arrives ? random.between(5, 300) : null,
    answer,
    answersAfter: 300 + random.between(20, 1500),
    ...drawReports(random, profile),
    refuses: random.chance(10),
    breaks: null
  }
}
