/** `paymux rules explain`: why a payment goes where it goes, condition by condition. */
import { decodeCreatePayment } from "@paymux/core"
import type { Payment, PaymentId, Tenant } from "@paymux/core"
import { explain, explainDecided, facts, unknownHealth } from "@paymux/routing"
import type { CompiledRouting, Explanation } from "@paymux/routing"
import { PaymentStore } from "@paymux/core/store"
import { isPaymentId } from "@paymux/core/wire"
import { Clock, Console, Effect, Layer, Option } from "effect"
import { Command, Flag } from "effect/cli"
import { readFile } from "node:fs/promises"
import { configuration } from "../configuration.ts"
import { find } from "../../rules/RulesHistory.ts"
import { accountFlag, databaseFlag, jsonFlag, liveFlag, onExistingDatabase, orConfigured } from "../database.ts"
import { explanationText } from "./explanationText.ts"
import { checkedRules, configFlag, sandboxFlag } from "./rulesFlags.ts"
import { successRatesAt } from "../../rules/successRatesAt.ts"
import { timeOf } from "../timeRange.ts"
import { userError } from "../userError.ts"

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
        "Rules in YAML or JSON; default: the configuration's rules, or those that routed the stored payment"
      ),
      Flag.optional
    ),
    config: configFlag,
    sandbox: sandboxFlag,
    at: Flag.String("at").pipe(
      Flag.withDescription("The time of a payment from a file, such as 2026-11-21T23:45:00Z; default now"),
      Flag.optional
    ),
    database: databaseFlag,
    account: accountFlag,
    live: liveFlag,
    json: jsonFlag
  },
  Effect.fnUntraced(function* ({ json, ...input }) {
    const { payment } = input
    const explained = yield* isPaymentId(payment) ? stored(input, payment) : madeUp(input)
    if (json) return yield* Console.log(JSON.stringify(explained.explanation, null, 2))
    yield* Console.log(explanationText(explained.explanation))
    if (explained.lacksRates) {
      yield* Console.error("Success rates are taken as not known: --database names where they are.")
    }
  })
).pipe(
  Command.withDescription("Explain why a payment is routed to a provider, condition by condition"),
  Command.withExamples([
    {
      command: "paymux rules explain --rules routing.yaml --payment payment.json",
      description: "A made-up payment: the body of POST /v1/payments"
    },
    { command: "paymux rules explain --payment pay_…", description: "A stored one, by the rules that decided it" }
  ])
)

interface Explained {
  readonly explanation: Explanation
  /** Its decision would be another if success rates were known. */
  readonly lacksRates: boolean
}

const madeUp = Effect.fnUntraced(function* (input: Input) {
  const { routing } = yield* checkedRules(input)
  const made = yield* Effect.mapError(decodeCreatePayment(yield* json(input.payment)), userError)
  const now = yield* moment(input.at)
  const health = Option.isSome(input.database)
    ? yield* onExistingDatabase(input.database, Layer.empty, healthAt(routing, now))
    : unknownHealth
  // Boundary: no payment has this id, and a split by it is always the same.
  const id = "pay_00000000000000000000000000" as PaymentId
  const explanation = explain(routing, made, facts(made, tenantOf(input), id, now), health)
  return { explanation, lacksRates: health === unknownHealth && asksForRates(explanation) } satisfies Explained
})

const asksForRates = ({ answer }: Explanation): boolean =>
  answer._tag === "Plan" && answer.candidates.some(({ reason }) => reason.includes("success_rate "))

const stored = Effect.fnUntraced(function* (input: Input, id: PaymentId) {
  const options = yield* configuration(Option.getOrNull(input.config))
  return yield* onExistingDatabase(
    orConfigured(input.database, options),
    Layer.empty,
    Effect.gen(function* () {
      const record = yield* PaymentStore.use((store) => store.find(tenantOf(input), id))
      if (record === null) {
        const mode = input.live ? "live" : "test"
        return yield* Effect.fail(new Error(`Payment ${id} not found in account ${input.account} (${mode} mode).`))
      }
      const { payment } = record
      const explanation = yield* Option.isNone(input.rules) ? asDecided(payment) : byOthers(input, payment)
      return { explanation, lacksRates: false } satisfies Explained
    })
  )
})

/** By the rules that decided it: their providers may be gone, and they may be refused by now. */
const asDecided = Effect.fnUntraced(function* (payment: Payment) {
  const { ruleset } = payment.routing
  const found = yield* find(ruleset)
  if (found._tag !== "Found") {
    return yield* Effect.fail(new Error(`The rules ${ruleset} are not in the history: name a file with --rules.`))
  }
  const explanation = explainDecided(JSON.parse(found.kept.config), payment.routing, factsOf(payment))
  if (explanation !== null) return explanation
  const shown = `paymux rules show ${ruleset}`
  return yield* Effect.fail(new Error(`The rules ${ruleset} are not in words of this version: see \`${shown}\`.`))
})

/** By rules that are named, with what was known at that moment. */
const byOthers = Effect.fnUntraced(function* (input: Input, payment: Payment) {
  const { routing } = yield* checkedRules(input)
  return explain(routing, payment, factsOf(payment), yield* healthAt(routing, payment.createdAt))
})

const factsOf = (payment: Payment) => facts(payment, payment, payment.id, payment.createdAt)

const tenantOf = ({ account, live }: Input): Tenant => ({ account, livemode: live })

const healthAt = ({ lenses }: CompiledRouting, now: number) =>
  PaymentStore.use((store) => successRatesAt(lenses, now, store))

const moment = Effect.fnUntraced(function* (at: Option.Option<string>) {
  if (Option.isNone(at)) return yield* Clock.currentTimeMillis
  const time = timeOf(at.value)
  if (time !== null) return time
  return yield* userError(new Error("--at must be a time with a zone, such as 2026-11-21T23:45:00Z."))
})

const json = Effect.fnUntraced(function* (file: string) {
  const text = yield* Effect.tryPromise({
    try: () => readFile(file, "utf8"),
    catch: () => userError(new Error(`${file} could not be read.`))
  })
  return yield* Effect.try({
    try: (): unknown => JSON.parse(text),
    catch: () => userError(new Error(`${file} is not JSON.`))
  })
})
