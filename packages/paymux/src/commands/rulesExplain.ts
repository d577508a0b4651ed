/** `paymux rules explain`: why a payment goes where it goes, condition by condition. */
import {
  compile,
  decodeCreatePayment,
  explain,
  facts,
  isPaymentId,
  PaymentStore,
  SuccessRates,
  unknownHealth
} from "@paymux/core"
import type { CompiledRouting, Explanation, Health, NewPayment, PaymentId, Plan, Tenant } from "@paymux/core"
import { Clock, Console, Effect, Layer, Option } from "effect"
import { Command, Flag } from "effect/cli"
import { readFile } from "node:fs/promises"
import { configuration } from "./configuration.ts"
import { providersOf } from "../rules/providersOf.ts"
import { find } from "../rules/RulesHistory.ts"
import { accountFlag, databaseFlag, jsonFlag, liveFlag, onExistingDatabase } from "./database.ts"
import { explanationText } from "./explanationText.ts"
import { checkedRules, configFlag, sandboxFlag } from "./rulesFlags.ts"
import { told } from "./told.ts"

interface Input {
  readonly payment: string
  readonly rules: Option.Option<string>
  readonly config: Option.Option<string>
  readonly sandbox: boolean
  readonly at: Option.Option<string>
  readonly database: Option.Option<string>
  readonly account: string
  readonly live: boolean
}

export const rulesExplain = Command.make(
  "explain",
  {
    payment: Flag.String("payment").pipe(
      Flag.withDescription("A JSON file with the body of POST /v1/payments, or the id of a stored payment (pay_…)")
    ),
    rules: Flag.String("rules").pipe(
      Flag.withDescription(
        "Rules in YAML or JSON; default what the configuration says, or what the payment was decided by"
      ),
      Flag.optional
    ),
    config: configFlag,
    sandbox: sandboxFlag,
    at: Flag.String("at").pipe(
      Flag.withDescription("When a made-up payment is made, such as 2026-11-21T23:45:00Z; default now"),
      Flag.optional
    ),
    database: databaseFlag,
    account: accountFlag,
    live: liveFlag,
    json: jsonFlag
  },
  Effect.fnUntraced(function* ({ json, ...input }) {
    const { payment } = input
    const { decided, health, id, made, now, routing, tenant } = yield* isPaymentId(payment)
      ? stored(input, payment)
      : madeUp(input)
    const explained = explain(routing, made, facts(made, tenant, id, now), health)
    const explanation = decided === null ? explained : { ...explained, answer: decided }
    if (json) return yield* Console.log(JSON.stringify(explanation, null, 2))
    yield* Console.log(explanationText(explanation))
    if (decided === null && health === unknownHealth && asksForRates(explanation)) {
      yield* Console.error("Success rates are taken as not known: --database names where they are.")
    }
  })
).pipe(
  Command.withDescription("Say why a payment goes where it goes, condition by condition"),
  Command.withExamples([
    {
      command: "paymux rules explain --rules routing.yaml --payment payment.json",
      description: "A made-up payment: the body of POST /v1/payments"
    },
    { command: "paymux rules explain --payment pay_…", description: "A stored one, by the rules that decided it" }
  ])
)

/** Whether its decision would be another if success rates were known. */
const asksForRates = ({ answer }: Explanation): boolean =>
  answer._tag === "Plan" && (answer.decision.reason === "success_rate" || answer.decision.reason === "explore")

interface Asked {
  readonly routing: CompiledRouting
  readonly made: NewPayment
  readonly tenant: Tenant
  readonly id: PaymentId
  /** ms UTC */
  readonly now: number
  readonly health: Health
  /** What was decided when the payment was made, where that is what is explained. */
  readonly decided: Plan | null
}

const madeUp = Effect.fnUntraced(function* (input: Input) {
  const { routing } = yield* checkedRules(input)
  const made = yield* Effect.mapError(decodeCreatePayment(yield* json(input.payment)), told)
  const now = yield* timeOf(input.at)
  const health = Option.isSome(input.database)
    ? yield* onExistingDatabase(input.database, Layer.empty, healthAt(routing, now))
    : unknownHealth
  // Boundary: no payment has this id, and a split by it is always the same.
  const id = "pay_00000000000000000000000000" as PaymentId
  return {
    routing,
    made,
    now,
    health,
    id,
    decided: null,
    tenant: { account: input.account, livemode: input.live }
  } satisfies Asked
})

const stored = Effect.fnUntraced(function* (input: Input, id: PaymentId) {
  const tenant = { account: input.account, livemode: input.live }
  const { database } = yield* configuration(Option.getOrNull(input.config))
  return yield* onExistingDatabase(
    Option.orElse(input.database, () => Option.fromUndefinedOr(database)),
    Layer.empty,
    Effect.gen(function* () {
      const record = yield* PaymentStore.use((store) => store.find(tenant, id))
      if (record === null) {
        const mode = input.live ? "live" : "test"
        return yield* Effect.fail(new Error(`There is no payment ${id} in account ${input.account} (${mode} mode).`))
      }
      const { payment } = record
      const asked = { made: payment, tenant, id, now: payment.createdAt }
      if (Option.isNone(input.rules)) {
        const routing = yield* decidedBy(input, payment.routing.ruleset)
        const decided: Plan = { _tag: "Plan", decision: payment.routing, candidates: payment.routing.candidates }
        return { ...asked, routing, health: unknownHealth, decided } satisfies Asked
      }
      const { routing } = yield* checkedRules(input)
      return { ...asked, routing, health: yield* healthAt(routing, asked.now), decided: null } satisfies Asked
    })
  )
})

const decidedBy = Effect.fnUntraced(function* (input: Input, ruleset: string) {
  const found = yield* find(ruleset)
  if (found._tag !== "Found") {
    return yield* Effect.fail(new Error(`The rules ${ruleset} are not in the history: name a file with --rules.`))
  }
  const providers = yield* providersOf(yield* configuration(Option.getOrNull(input.config)), input.sandbox)
  return yield* compile(found.kept.config, providers)
})

/** Success rates as they were at that time. Circuit breakers are taken as closed. */
const healthAt = Effect.fnUntraced(function* ({ windows }: CompiledRouting, now: number) {
  if (windows.length === 0) return unknownHealth
  const rates = SuccessRates.make(windows)
  const since = Math.floor((now - rates.longestMs) / rates.slotMs) * rates.slotMs
  const counts = yield* PaymentStore.use((store) => store.attemptCounts({ since, slotMs: rates.slotMs }))
  rates.replaceFrom(
    since,
    counts.filter(({ slot }) => slot <= now)
  )
  return {
    ...unknownHealth,
    successRate: (provider, asked, windowMs, minSamples) =>
      rates.successRate(provider, asked, windowMs, minSamples, now)
  } satisfies Health
})

const timeOf = Effect.fnUntraced(function* (at: Option.Option<string>) {
  if (Option.isNone(at)) return yield* Clock.currentTimeMillis
  const time = /^\d{4}-\d\d-\d\dT.*(?:Z|[+-]\d\d:\d\d)$/.test(at.value) ? Date.parse(at.value) : Number.NaN
  return Number.isNaN(time)
    ? yield* told(new Error("--at must be a time with a zone, such as 2026-11-21T23:45:00Z."))
    : time
})

const json = Effect.fnUntraced(function* (file: string) {
  const text = yield* Effect.tryPromise({
    try: () => readFile(file, "utf8"),
    catch: () => told(new Error(`${file} could not be read.`))
  })
  return yield* Effect.try({
    try: (): unknown => JSON.parse(text),
    catch: () => told(new Error(`${file} is not JSON.`))
  })
})
