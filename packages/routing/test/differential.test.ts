/** The router against an interpreter that does the plainest thing: over random rules and payments they never differ. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Result } from "effect"
import * as fc from "fast-check"
import type { PaymentId } from "@paymux/core"
import { amount } from "../../../test/support/amount.ts"
import { compile } from "../src/CompiledRouting.ts"
import type { CompiledRouting } from "../src/CompiledRouting.ts"
import { facts } from "../src/Facts.ts"
import type { Health } from "../src/Health.ts"
import { dropReasons } from "../../core/src/routing/Plan.ts"
import { plan } from "../src/choose/plan.ts"
import { cases, largeCases } from "./naive/arbitrary.ts"
import type { Case } from "./naive/arbitrary.ts"
import type { Question } from "./naive/arbitraryPayments.ts"
import { language } from "./naive/conditions.ts"
import type { Language, Value } from "./naive/conditions.ts"
import { interpret } from "./naive/interpret.ts"
import type { Answer, Variant } from "./naive/interpret.ts"
import { knownOf } from "./naive/rates.ts"

describe("the router", () => {
  const numRuns = amount({ part: 1500, all: 4500 })
  for (const seed of amount({ part: [1], all: [1, 2, 3, 4] })) {
    it(`decides as the plainest interpreter does: ${numRuns} sets of rules, seed ${seed}`, async () => {
      const { pairs, rulesDrawn, rulesKept } = await compare(cases(), { numRuns, seed })
      assert.isAtLeast(pairs, (25_000 * numRuns) / 4500)
      assert.isAtLeast(rulesKept / rulesDrawn, 0.6)
    }, 600_000)
  }

  it("decides so too where the rules are hundreds", async () => {
    const { pairs, rulesKept } = await compare(largeCases(), { numRuns: 10, seed: 5 })
    assert.strictEqual(pairs, 4000)
    assert.isAtLeast(rulesKept, 1000)
  })
})

/** Fails at the first pair on which they differ; fast-check says its seed. */
const compare = async (arbitrary: fc.Arbitrary<Case>, options: { readonly numRuns: number; readonly seed: number }) => {
  const done = { pairs: 0, rulesDrawn: 0, rulesKept: 0 }
  const check = fc.asyncProperty(arbitrary, async (drawn) => {
    const accepted = await acceptedPart(drawn)
    done.rulesDrawn += drawn.config.rules?.length ?? 0
    done.rulesKept += accepted.config.rules?.length ?? 0
    for (const question of drawn.questions) {
      done.pairs++
      assert.deepStrictEqual(routed(accepted.routing, question), naive(accepted, question))
    }
  })
  await fc.assert(check, options)
  return done
}

describe("the comparison", () => {
  const { operators } = language
  const speaking = (change: Partial<Language>): Variant => ({ language: { ...language, ...change } })
  const meaning = (operator: string, holds: (value: Value, asked: never) => boolean) =>
    speaking({ operators: { ...operators, [operator]: holds } })
  const wrong: { readonly [mistake: string]: Variant } = {
    "gt takes the bound": meaning("gt", (value: Value, asked: number) => Number(value) >= asked),
    "gte leaves the bound": meaning("gte", (value: Value, asked: number) => Number(value) > asked),
    "lt takes the bound": meaning("lt", (value: Value, asked: number) => Number(value) <= asked),
    "lte leaves the bound": meaning("lte", (value: Value, asked: number) => Number(value) < asked),
    "between leaves its upper end": meaning(
      "between",
      (value: Value, [from, to]: readonly [number, number]) => Number(value) >= from && Number(value) < to
    ),
    "starts_with finds it anywhere": meaning("starts_with", (value: Value, asked: string) =>
      String(value).includes(asked)
    ),
    "ends_with finds it anywhere": meaning("ends_with", (value: Value, asked: string) => String(value).includes(asked)),
    "in_prefixes looks at the first only": meaning("in_prefixes", (value: Value, [first]: ReadonlyArray<string>) =>
      String(value).startsWith(first ?? "")
    ),
    "not holds where its conditions do": speaking({ negate: (holds) => holds }),
    "time includes its end": speaking({
      inWindow: (minute, from, to) => language.inWindow(minute, from, (to + 1) % 1440)
    }),
    "demotions do not matter": { mindsDemotions: false },
    "outages do not matter": { mindsOutages: false }
  }

  it("finds every mistake in the interpreter within 1,000 pairs", async () => {
    const sample = fc.sample(cases(), { numRuns: 250, seed: 8 })
    const accepted = await Promise.all(sample.map(async (drawn) => ({ drawn, ...(await acceptedPart(drawn)) })))
    const pairs = accepted
      .flatMap(({ drawn, ...part }) => drawn.questions.map((question) => ({ part, question })))
      .slice(0, 1000)
    for (const [mistake, variant] of Object.entries(wrong)) {
      const reported = pairs.some(
        ({ part, question }) =>
          JSON.stringify(routed(part.routing, question)) !== JSON.stringify(naive(part, question, variant))
      )
      assert.isTrue(reported, mistake)
    }
  })

  it("meets every condition held and not held, every choice, and every reason to drop a provider", () => {
    const held = new Map<string, Set<boolean>>()
    const reasons = new Set<string>()
    const witness = (kind: string, holds: boolean) => {
      held.set(kind, (held.get(kind) ?? new Set()).add(holds))
    }
    for (const drawn of fc.sample(cases(), { numRuns: 4000, seed: 6 })) {
      for (const question of drawn.questions) {
        const answer = naive(drawn, question, { witness })
        reasons.add(`by ${answer.reason}`)
        for (const { reason } of answer.dropped) reasons.add(reason)
        if (answer.reason === null) continue
        if (answer.experiment !== undefined) reasons.add("experiment")
        for (const { reason } of answer.candidates) reasons.add(reason.replaceAll(/[\d.]+/g, "1"))
      }
    }
    const both = [...held].filter(([, { size }]) => size === 2).map(([kind]) => kind)
    assert.deepStrictEqual(
      kinds.filter((kind) => !both.includes(kind)),
      []
    )
    const missing = [...dropReasons, ...withheld, ...choices, ...candidates, "experiment"].filter(
      (reason) => !reasons.has(reason)
    )
    assert.deepStrictEqual(missing, [])
  })
})

const enumerated = ["payment_method", "flow", "currency", "capture_method", "livemode"]
const sometimesAbsent = ["card.bin", "card.network", "card.funding", "stablecoin.asset", "stablecoin.network"]
const merchants = ["metadata.channel", "metadata.plan", "metadata.toString", "metadata.__proto__", "metadata."]
const texts = ["customer.email", "account", ...sometimesAbsent, ...merchants]
const numeric = ["gt", "gte", "lt", "lte", "between"]
const kinds = [
  "all",
  "any",
  "not",
  "time between",
  "time weekdays",
  "time dates",
  "time holidays",
  ...[...enumerated, "amount", "customer.phone_country", "card.country", ...texts].map((fact) => `${fact} equals`),
  ...[...enumerated, "amount", "customer.phone_country", "card.country", ...texts]
    .map((fact) => `${fact} any of`)
    .filter((kind) => kind !== "livemode any of"),
  ...numeric.map((operator) => `amount ${operator}`),
  ...texts.flatMap((fact) => ["starts_with", "ends_with", "in_prefixes"].map((operator) => `${fact} ${operator}`)),
  ...[...sometimesAbsent, ...merchants, "card.country"].flatMap((fact) => [
    `${fact} exists true`,
    `${fact} exists false`
  ])
]
const withheld = ["excluded", "outage", "outage: maintenance"]
const choices = ["priority", "split", "success_rate", "explore", "cost", "value", null].map((reason) => `by ${reason}`)
const candidates = [
  "priority",
  "split 1/1",
  "success_rate 1% of 1 visa cards, none from DE, drawn 1%",
  "explore",
  "success_rate 1% of 1 attempts, drawn 1%",
  "cost 1 USD",
  "cost 1 JPY",
  "cost 1 KWD",
  "cost unknown",
  "cost 1 USD, success_rate 1% of 1 visa cards, none from DE, drawn 1%",
  "cost 1 USD, success_rate 1% of 1 visa cards, none from DE, drawn 1%, below 1%",
  "cost unknown, success_rate 1% of 1 visa cards, none from DE, drawn 1%",
  "value 1 USD, cost 1 USD, success_rate 1% of 1 visa cards, none from DE, drawn 1%",
  "value -1 USD, cost 1 USD, success_rate 1% of 1 visa cards, none from DE, drawn 1%",
  "value 1 JPY, cost 1 JPY, success_rate 1% of 1 visa cards, none from DE, drawn 1%, below 1%",
  "breaker_open",
  "account_not_enabled"
]

interface Accepted extends Pick<Case, "config" | "providers"> {
  readonly routing: CompiledRouting
}

/** Without the rules that the check refuses; nothing else of a case is ever refused. */
const acceptedPart = async ({ config, providers }: Pick<Case, "config" | "providers">): Promise<Accepted> => {
  const compiled = await Effect.runPromise(Effect.result(compile(config, providers)))
  if (Result.isSuccess(compiled)) return { config, providers, routing: compiled.success }
  const { problems } = compiled.failure
  const refused = new Set(problems.map(({ path: [top, index] }) => (top === "rules" ? index : null)))
  if (refused.has(null) || refused.has(undefined)) throw compiled.failure
  const rules = (config.rules ?? []).filter((_, index) => !refused.has(index))
  return acceptedPart({ config: { ...config, rules }, providers })
}

const naive = (
  { config, providers }: Pick<Case, "config" | "providers">,
  { asking, vitals }: Question,
  variant?: Variant
): Answer => interpret(config, providers, asking, vitals, variant)

const routed = (routing: CompiledRouting, { asking, vitals }: Question): Answer => {
  const { id, now, payment, tenant } = asking
  const health: Health = {
    demotionOf: (provider) => vitals.demoted.get(provider) ?? null,
    estimates: ({ expected, lens, providers, rule, strength, weights }, asked) => {
      const question = {
        kind: [
          asked.payment_method,
          asked.flow,
          asked.currency,
          asked["card.network"] ?? asked["stablecoin.network"],
          asked["card.country"],
          asked["card.funding"],
          asked.issuer,
          asked.account,
          asked.amount
        ],
        metadata: asked.metadata,
        rule,
        windowMs: lens.windowMs,
        learnFrom: lens.learnFrom,
        segments: lens.segments,
        providers,
        strength,
        prior: [...expected].map(([provider, rate]) => [provider, 100 * rate] as const),
        weights: [100 * weights.expired, 100 * weights.authenticationFailed] as const
      }
      return new Map(
        providers.flatMap((provider) => {
          const known = knownOf(vitals, provider, question)
          return known === null ? [] : [[provider, known] as const]
        })
      )
    }
  }
  // Only the text of an id matters to routing.
  const answer = plan(routing, payment, facts(payment, tenant, id as PaymentId, now), health)
  assert.strictEqual(answer._tag === "Plan" ? answer.decision.ruleset : answer.ruleset, routing.ruleset)
  if (answer._tag === "NoRoute") return { rule: answer.rule, reason: null, dropped: answer.candidates }
  const { candidates, dropped, experiment, reason, rule } = answer.decision
  assert.deepStrictEqual(answer.candidates, candidates)
  return { rule, reason, candidates, dropped, ...(experiment && { experiment }) }
}
