/**
 * Simulates the payer of a pending sandbox payment.
 *
 * The body of `POST /v1/sandbox/payments/{id}/simulate` is `{ "outcome": "succeeded" }`; outcomes are `succeeded`,
 * `authorized` (a card payment), `failed` (with an optional decline `code`), `expired`, and for a stablecoin payment
 * the transfers `exact`, `under`, `over`, `wrong_asset` and `reorg`. The outcome is immediate, and replaces the steps
 * that were still to come.
 */
import { declineCodes } from "@paymux/core"
import type { PaymentRecord, Rail, Tenant } from "@paymux/core"
import { PaymentStore } from "@paymux/core/store"
import { describeIssues, isPaymentId, PaymentNotFound, Unavailable } from "@paymux/core/wire"
import { Clock, Context, Effect, Layer, Result, Schema } from "effect"
import { applyDue, isOpen, overrule } from "./LedgerEntry.ts"
import type { LedgerEntry, SandboxEvent } from "./LedgerEntry.ts"
import { eventOf, transfers } from "./MagicValues.ts"
import { amend, SandboxLedger } from "./SandboxLedger.ts"
import { SandboxNotifier } from "./SandboxNotifier.ts"
import { chooseStablecoin } from "./Stablecoins.ts"

const transferNames = ["exact", "under", "over", "wrong_asset", "reorg"] as const

/** The body of the request. Unknown fields are rejected. */
export const SimulateJson = Schema.Struct({
  outcome: Schema.Literals(["succeeded", "authorized", "failed", "expired", ...transferNames]).annotate({
    description:
      "The outcome to simulate. `authorized` is for cards; `exact`, `under`, `over`, `wrong_asset` and `reorg` are for stablecoin transfers."
  }),
  code: Schema.optionalKey(
    Schema.Literals(declineCodes).annotate({ description: "The decline code; only with `failed`." })
  )
})
  .check(
    Schema.makeFilter((body: { readonly outcome: string; readonly code?: string }) =>
      body.code !== undefined && body.outcome !== "failed"
        ? { path: ["code"], issue: "belongs to the outcome failed" }
        : undefined
    )
  )
  .annotate({ identifier: "SimulatePayment" })
export type SimulateJson = typeof SimulateJson.Type

/** The body is malformed, or the outcome is impossible for the rail. The errors contain no values of the body. */
export class InvalidSimulation extends Schema.TaggedError<InvalidSimulation>()("InvalidSimulation", {
  errors: Schema.Array(Schema.Struct({ pointer: Schema.String, message: Schema.String }))
}) {}

/** The payment does not wait for a payer: it is already decided, or not at a simulated provider. */
export class NotPending extends Schema.TaggedError<NotPending>()("NotPending", { status: Schema.String }) {}

export class SimulateError extends Schema.TaggedError<SimulateError>()("SimulateError", {
  reason: Schema.Union([InvalidSimulation, PaymentNotFound, NotPending, Unavailable])
}) {
  override get message(): string {
    const { reason } = this
    switch (reason._tag) {
      case "InvalidSimulation":
        return `The simulation is not valid: ${reason.errors.map((e) => `${e.pointer || "/"} ${e.message}`).join("; ")}`
      case "PaymentNotFound":
        return "There is no such payment."
      case "NotPending":
        return `The payment is ${reason.status}, and no simulated payer can decide it.`
      case "Unavailable":
        return "The database is unavailable; nothing was simulated."
    }
  }
}

export class SandboxSimulator extends Context.Service<
  SandboxSimulator,
  {
    /**
     * Decides a pending payment of `tenant`, notifies the engine, and returns the resulting state. `input` is
     * validated. A payment of another tenant, or of live mode, is not found.
     */
    readonly simulate: (
      tenant: Tenant,
      paymentId: string,
      input: unknown
    ) => Effect.Effect<PaymentRecord, SimulateError>
  }
>()("@paymux/sandbox/SandboxSimulator") {
  static readonly layer: Layer.Layer<SandboxSimulator, never, SandboxLedger | SandboxNotifier | PaymentStore> =
    Layer.effect(
      SandboxSimulator,
      Effect.suspend(() => make)
    )
}

const make = Effect.gen(function* () {
  const ledger = yield* SandboxLedger
  const notifier = yield* SandboxNotifier
  const store = yield* PaymentStore

  const find = Effect.fnUntraced(function* (tenant: Tenant, id: string) {
    const record = isPaymentId(id) && !tenant.livemode ? yield* store.find(tenant, id) : null
    return record ?? (yield* refused(new PaymentNotFound()))
  })

  const simulate = Effect.fnUntraced(function* (tenant: Tenant, paymentId: string, input: unknown) {
    const body = yield* decode(input)
    const { payment } = yield* find(tenant, paymentId)
    const entry = (yield* ledger.findByPayment(payment.id)).find(({ provider }) => provider === payment.provider)
    if (entry === undefined || payment.state.status !== "pending") {
      return yield* refused(new NotPending({ status: payment.state.status }))
    }
    if (!fits(body.outcome, payment.method.rail)) return yield* refused(doesNotFit(payment.method.rail))
    const asset = payment.method.rail === "stablecoin" ? chooseStablecoin(payment.method).asset : null
    const now = yield* Clock.currentTimeMillis
    const decided = yield* decideNow(ledger, entry, simulated(body, entry, asset), now)
    if (decided === null) return yield* refused(new NotPending({ status: "decided by its payer" }))
    yield* notifier.notify(decided)
    return yield* find(tenant, paymentId)
  })

  return SandboxSimulator.of({
    simulate: (tenant, paymentId, input) =>
      Effect.catchTags(simulate(tenant, paymentId, input), {
        LedgerUnavailable: ({ cause }) => refused(new Unavailable({ cause })),
        StoreUnavailable: ({ cause }) => refused(new Unavailable({ cause }))
      })
  })
})

/** Records `events` as actions of the payer. Returns `null`, and writes nothing, if the payment was already decided. */
export const decideNow = Effect.fnUntraced(function* (
  ledger: SandboxLedger["Service"],
  entry: LedgerEntry,
  events: ReadonlyArray<SandboxEvent>,
  now: number
) {
  let written = false
  const after = yield* amend(ledger, entry, (latest) => {
    const due = applyDue(latest, now)
    written = isOpen(due?.entry ?? latest)
    return written ? overrule(latest, events, now) : due
  })
  return written ? after : null
})

const decode = (input: unknown): Effect.Effect<SimulateJson, SimulateError> => {
  const decoded = decodeJson(input)
  return Result.isSuccess(decoded)
    ? Effect.succeed(decoded.success)
    : refused(new InvalidSimulation({ errors: describeIssues(decoded.failure.issue) }))
}

const decodeJson = Schema.decodeUnknownResult(SimulateJson, { errors: "all", onExcessProperty: "error" })

const refused = (reason: SimulateError["reason"]) => Effect.fail(new SimulateError({ reason }))

const fits = (outcome: SimulateJson["outcome"], rail: Rail): boolean => {
  switch (outcome) {
    case "succeeded":
    case "failed":
    case "expired":
      return true
    case "authorized":
      return rail === "card"
    case "exact":
    case "under":
    case "over":
    case "wrong_asset":
    case "reorg":
      return rail === "stablecoin"
  }
}

const doesNotFit = (rail: Rail) =>
  new InvalidSimulation({ errors: [{ pointer: "/outcome", message: `cannot come of a ${rail} payment` }] })

const simulated = (body: SimulateJson, entry: LedgerEntry, asset: string | null): ReadonlyArray<SandboxEvent> => {
  const { minorUnits } = entry.amount
  switch (body.outcome) {
    case "succeeded":
      return [{ kind: "succeeded", received: minorUnits }]
    case "authorized":
      return [{ kind: "authorized" }]
    case "failed":
      return [{ kind: "declined", code: body.code ?? "generic_decline", retry: "same_later" }]
    case "expired":
      return [{ kind: "expired" }]
    case "exact":
    case "under":
    case "over":
    case "wrong_asset":
    case "reorg": {
      const terms = { minorUnits, asset, approval: { kind: "succeeded", received: minorUnits } as const }
      return transfers[body.outcome].map((event) => eventOf(event, terms))
    }
  }
}
