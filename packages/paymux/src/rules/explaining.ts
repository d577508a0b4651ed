/** Checks a draft of the rules, explains what it does with a payment, and replays payments against it. */
import { decodeCreatePayment } from "@paymux/core"
import type { PaymentId, Tenant } from "@paymux/core"
import { isPaymentId } from "@paymux/core/wire"
import { PaymentStore } from "@paymux/core/store"
import type { StoreUnavailable } from "@paymux/core/store"
import { RulesPaymentNotFound, RulesRequestInvalid } from "@paymux/dashboard"
import type {
  BacktestQuery,
  CheckedDraft,
  RoutingRules,
  RulesSubject,
  RulesVersionText,
  RulesVersionNotFound
} from "@paymux/dashboard"
import { Clock, Effect } from "effect"
import { tooLong } from "./draftFaults.ts"
import { requestInvalid } from "./requestInvalid.ts"
import { find } from "./RulesHistory.ts"
import type { KeptRuleset } from "./RulesHistory.ts"
import type { OnDatabase } from "./OnDatabase.ts"
import type { SubjectOfRules, WrittenRules } from "./worker/RulesTask.ts"
import type { RulesThread } from "./worker/RulesThread.ts"

interface Parts {
  readonly newest: Effect.Effect<RulesVersionText | KeptRuleset, StoreUnavailable | RulesVersionNotFound>
  readonly onDatabase: OnDatabase
  readonly thread: RulesThread
}

export const explaining = ({
  newest,
  onDatabase,
  thread
}: Parts): Pick<RoutingRules["Service"], "check" | "explain" | "backtest"> => {
  const written = Effect.fnUntraced(function* (draft: string | undefined) {
    if (draft === undefined) return writtenRules(yield* newest)
    const long = tooLong(draft)
    return long === null ? { text: draft } : yield* long
  })

  const stored = Effect.fnUntraced(function* (tenant: Tenant, id: string) {
    const record = isPaymentId(id) ? yield* onDatabase(PaymentStore.use((store) => store.find(tenant, id))) : null
    return record?.payment ?? (yield* new RulesPaymentNotFound({ id }))
  })

  const explainStored = Effect.fnUntraced(function* (tenant: Tenant, id: string, draft: string | undefined) {
    const payment = yield* stored(tenant, id)
    const subject = { tenant, id: payment.id, payment, time: payment.createdAt }
    if (draft !== undefined) return yield* thread.run("Explain", { ...subject, rules: yield* written(draft) })
    const { ruleset } = payment.routing
    const found = yield* onDatabase(find(ruleset))
    const explained =
      found._tag === "Found"
        ? yield* thread.run("ExplainDecided", { ...subject, decision: payment.routing, json: found.kept.config })
        : null
    return (
      explained ??
      (yield* requestInvalid(
        "/paymentId",
        `was routed by rules that this version cannot explain (${ruleset}): pass a draft`
      ))
    )
  })

  const requested = Effect.fnUntraced(function* (tenant: Tenant, { at, request }: Requested) {
    const payment = yield* Effect.mapError(decodeCreatePayment(request), ({ reason }) =>
      reason._tag === "InvalidPayment"
        ? new RulesRequestInvalid({
            errors: reason.errors.map(({ message, pointer }) => ({ message, pointer: `/request${pointer}` }))
          })
        : requestInvalid("/request", reason.message)
    )
    const time = at ?? (yield* Clock.currentTimeMillis)
    return { tenant, id: NO_PAYMENT, payment, time } satisfies SubjectOfRules
  })

  return {
    check: (text) =>
      thread.run("Check", { text }).pipe(
        Effect.map(({ noRoute, rules, ruleset, warnings }): CheckedDraft =>
          noRoute.length > 0
            ? { valid: false, problems: noRoute, acceptable: true }
            : { valid: true, ruleset, rules, problems: [], warnings }
        ),
        Effect.catchTag("RulesInvalid", ({ problems }) => Effect.succeed<CheckedDraft>({ valid: false, problems }))
      ),
    explain: Effect.fnUntraced(function* (tenant, subject, draft) {
      if ("paymentId" in subject) return yield* explainStored(tenant, subject.paymentId, draft)
      const asked = yield* requested(tenant, subject)
      return yield* thread.run("Explain", { ...asked, rules: yield* written(draft) })
    }),
    backtest: Effect.fnUntraced(function* (tenant: Tenant, { from, text, until }: BacktestQuery, onProgress) {
      if (from >= until) return yield* requestInvalid("/until", "must be after `from`")
      return yield* thread.backtest({ rules: yield* written(text), tenant, range: { from, until } }, onProgress)
    })
  }
}

type Requested = Extract<RulesSubject, { readonly request: unknown }>

const writtenRules = (rules: RulesVersionText | KeptRuleset): WrittenRules =>
  "config" in rules ? { json: rules.config } : { text: rules.text }

// Boundary: no payment has this id, and a split by it is always the same.
const NO_PAYMENT = "pay_00000000000000000000000000" as PaymentId
