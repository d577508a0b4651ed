/** P7: an ambiguous outcome never goes to a second provider until it is proven that nothing was executed. */
import { assert, describe, it } from "@effect/vitest"
import { declineCodes, rails } from "@paymux/core"
import type { Outcome } from "@paymux/core"
import { decide } from "@paymux/core/engine"
import type { DeclaredOperation, Decision, OutcomeOrRefusal } from "@paymux/core/engine"
import { operationKinds } from "@paymux/core/store"
import { failoverFacts } from "../../packages/core/src/execution/conclude/Failover.ts"
import { defaultFailover } from "../../packages/core/src/routing/FailoverPolicy.ts"
import * as PaymentRecords from "../suites/src/paymentStore/records.ts"
import { samples } from "../suites/src/paymentStore/samples.ts"
import { SeededRandom } from "@paymux/test-suites/simulation"
import { amount } from "../support/amount.ts"
import { expected } from "./failoverTable.ts"
import type { Moment, Word } from "./failoverTable.ts"

type Random = SeededRandom.SeededRandom

const SEQUENCES = amount({ part: 25_000, all: 100_000 })
const MINUTE = 60_000

describe("over the whole failover table, every capability and every rail", () => {
  it(`${SEQUENCES.toLocaleString("en")} sequences of sends and answers hold no forbidden failover, and no other surprise`, () => {
    const seen = new Map<Word, number>()
    const wrong: Array<string> = []
    for (let sequence = 0; sequence < SEQUENCES && wrong.length < 5; sequence++) {
      for (const { moment, word } of walk(SeededRandom.stream(7, "failover", sequence))) {
        const right = expected(moment)
        seen.set(right, (seen.get(right) ?? 0) + 1)
        if (word !== right) wrong.push(`sequence ${sequence}: ${word} and not ${right} at ${JSON.stringify(moment)}`)
      }
    }
    assert.deepStrictEqual(wrong, [])
    for (const word of ["take", "wait", "fail over", "fail", "same again", "ask", "hold"] as const) {
      assert.isAbove(seen.get(word) ?? 0, SEQUENCES / 100, word)
    }
  })

  it("the oracle notices a table that fails over on a timeout", () => {
    const notSent: OutcomeOrRefusal = { _tag: "NotExecuted", reason: "not_sent" }
    const isCaught = Array.from({ length: 1_000 }, (_, sequence) =>
      walk(SeededRandom.stream(7, "failover", sequence))
    ).some((steps) =>
      steps.some(({ moment }) => {
        if (moment.situation._tag !== "Unknown" || moment.situation.reason !== "timeout") return false
        return wordOf(decided({ ...moment, situation: notSent })) !== expected(moment)
      })
    )
    assert.isTrue(isCaught)
  })
})

interface Step {
  readonly moment: Moment
  readonly word: Word
}

/** Sends until the table wants no other one; then answers about the attempt until it is closed. */
const walk = (random: Random): ReadonlyArray<Step> => {
  const kind = random.weighted([[7, "create" as const], ...operationKinds.map((each) => [1, each] as const)])
  const rail = random.pick(rails)
  const declared = drawDeclared(random)
  const standing = {
    kind,
    rail,
    declared,
    actionShown: random.chance(20),
    softDeclineAllowed: random.chance(80),
    declinedBefore: random.chance(15)
  }
  const steps: Array<Step> = []
  const earlier: Array<OutcomeOrRefusal> = random.chance(15) ? [{ _tag: "Unknown", reason: "timeout" }] : []
  let age = random.between(0, 1_000)
  const take = (about: Moment["about"]): Word => {
    const situation = random.pick(about === "send" ? sendsEnd : attemptsEnd)(random)
    const sendsLeft = about === "send" && earlier.length < 2 && random.chance(80)
    const moment: Moment = { ...standing, situation, about, age, earlier: [...earlier], sendsLeft }
    const word = wordOf(decided(moment))
    steps.push({ moment, word })
    earlier.push(situation)
    age += random.weighted([
      [6, random.between(0, 20_000)],
      [2, random.between(MINUTE, 30 * MINUTE)],
      [1, random.between(30 * MINUTE, 48 * 60 * MINUTE)]
    ])
    return word
  }
  let word = take("send")
  while (word === "same again") word = take("send")
  for (let looks = 0; looks < 4 && (word === "ask" || word === "hold" || word === "wait"); looks++) {
    word = take("attempt")
  }
  return steps
}

/** The engine's way: its own facts, and its own table. */
const decided = (moment: Moment): Decision => {
  const { about, actionShown, age, declared, declinedBefore, earlier, kind, rail, sendsLeft, situation } = moment
  const method = samples.map(({ payment }) => payment.method).find((each) => each.rail === rail)
  if (method === undefined) throw new Error(`no sample for ${rail}`)
  const before = declinedBefore ? [PaymentRecords.anAttempt(1, { status: "declined" })] : []
  const seq = before.length + 1
  const record = {
    ...PaymentRecords.aRecord(1, { method }),
    attempts: [...before, PaymentRecords.anAttempt(seq, { actionShown })]
  }
  const operation = PaymentRecords.anOperation(1, seq, {
    kind,
    createdAt: 1_000,
    status: earlier.some(({ _tag }) => _tag === "Pending") ? "pending" : "unknown"
  })
  const policy = moment.softDeclineAllowed ? defaultFailover : { ...defaultFailover, on: ["not_executed" as const] }
  return decide(
    situation,
    failoverFacts(record, operation, declared, policy, {
      answerTo: about,
      now: 1_000 + age,
      unsettled: earlier.some((each) => leavesUnsettled(each, declared)),
      mayResend: sendsLeft
    })
  )
}

/** As the sender keeps it. */
const leavesUnsettled = ({ _tag }: OutcomeOrRefusal, { rateLimitIsNotExecuted }: DeclaredOperation): boolean =>
  _tag !== "NotExecuted" &&
  _tag !== "Misconfigured" &&
  _tag !== "AccountNotEnabled" &&
  !(_tag === "RateLimited" && rateLimitIsNotExecuted)

const wordOf = ({ _tag }: Decision): Word => words[_tag]

const words: { readonly [tag in Decision["_tag"]]: Word } = {
  Accept: "take",
  Await: "wait",
  FailOver: "fail over",
  Fail: "fail",
  Resend: "same again",
  Inquire: "ask",
  Hold: "hold"
}

const drawDeclared = (random: Random): DeclaredOperation => ({
  idempotency: {
    by: random.pick(["header", "body", "reference", "lookup", "none"]),
    lifetimeMs: random.pick([0, 20 * MINUTE, 24 * 60 * MINUTE])
  },
  canInquire: random.chance(60),
  inquiresByName: false,
  chargesByReference: false,
  costlyInquiry: random.chance(20),
  notFoundIsFinalAfterMs: random.pick([null, 0, 15 * MINUTE]),
  lookBackMs: [],
  reports: "movement",
  rateLimitIsNotExecuted: random.chance(50),
  declineIsFinal: random.chance(60),
  cancelIsFinal: random.chance(50),
  abandonedAfterMs: null,
  partial: false
})

type Draw = (random: Random) => OutcomeOrRefusal

const plainly =
  (situation: OutcomeOrRefusal): Draw =>
  () =>
    situation
const unknown = (reason: Outcome.UnknownReason): Draw => plainly({ _tag: "Unknown", reason })
const notExecuted = (reason: Outcome.NotExecutedReason): Draw => plainly({ _tag: "NotExecuted", reason })
const declined: Draw = (random) => ({
  _tag: "Declined",
  code: random.pick(declineCodes),
  retry: random.pick(["never", "other_provider", "other_provider", "same_later"])
})
const rateLimited: Draw = (random) => ({ _tag: "RateLimited", retryAfterMs: random.pick([null, 0, 4_000]) })
const accountNotEnabled: Draw = (random) => ({
  _tag: "AccountNotEnabled",
  about: random.pick(["kind", "payment", "customer.address"])
})
const closed: Draw = (random) => ({ _tag: random.pick(["Expired", "Canceled"]) })

const sendsEnd: readonly [Draw, ...ReadonlyArray<Draw>] = [
  unknown("timeout"),
  unknown("unmapped"),
  unknown("server_error"),
  unknown("reset_reused"),
  notExecuted("not_sent"),
  notExecuted("adapter_fault"),
  notExecuted("proof_code"),
  plainly({ _tag: "InvalidRequest" }),
  plainly({ _tag: "Misconfigured" }),
  accountNotEnabled,
  unknown("duplicate"),
  plainly({ _tag: "Pending" }),
  plainly({ _tag: "Succeeded" }),
  rateLimited,
  declined,
  declined
]

const attemptsEnd: readonly [Draw, ...ReadonlyArray<Draw>] = [
  plainly({ _tag: "NotFound" }),
  plainly({ _tag: "NotFound" }),
  unknown("in_progress"),
  unknown("timeout"),
  notExecuted("proof_code"),
  unknown("duplicate"),
  plainly({ _tag: "Pending" }),
  plainly({ _tag: "Succeeded" }),
  declined,
  closed
]
