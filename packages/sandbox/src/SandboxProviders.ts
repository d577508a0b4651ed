/**
 * The simulated providers: two for each rail, so that routing and failover have a choice.
 *
 * `MagicValues` select their behavior, and they have a ledger of their own. They are test instances: a live payment
 * never reaches them. By default they accept every payment that can be simulated. With models, they have the
 * capabilities and requirements of the models.
 */
import { cardToken, defineProvider, Outcome } from "@paymux/core"
import type {
  Capabilities,
  InquiryOutcome,
  Provider,
  ProviderContext,
  ProviderError,
  ProviderOperation,
  ProviderOperations,
  Rail
} from "@paymux/core"
import { Clock, Effect, Schema } from "effect"
import { capabilitiesOf, modelOf } from "./capabilities.ts"
import type { ProviderModel } from "./capabilities.ts"
import { followUpOperation, movementOutcome } from "./followUpOperations.ts"
import { applyDue, approval, dueAt } from "./LedgerEntry.ts"
import type { LedgerEntry } from "./LedgerEntry.ts"
import { courseOf, eventOf } from "./MagicValues.ts"
import type { Course } from "./MagicValues.ts"
import { nextAction } from "./nextAction.ts"
import type { SandboxControl } from "./SandboxControl.ts"
import { amend } from "./SandboxLedger.ts"
import type { LedgerUnavailable, SandboxLedger } from "./SandboxLedger.ts"
import type { SandboxNotifier } from "./SandboxNotifier.ts"
import { statementPage } from "./statementPage.ts"
import { chooseStablecoin } from "./Stablecoins.ts"

export interface Sandbox {
  readonly ledger: SandboxLedger["Service"]
  readonly notifier: SandboxNotifier["Service"]
  readonly control: SandboxControl["Service"]
}

/** The type of the simulated providers' ids. */
export type SandboxProviderId = `sandbox_${Rail}_${"a" | "b"}`

/**
 * `sandbox_upi_a`, `sandbox_upi_b`, `sandbox_card_a`, `sandbox_card_b`, `sandbox_stablecoin_a`, `sandbox_stablecoin_b`.
 *
 * @example
 * ```ts
 * const sandbox = {
 *   ledger: yield* SandboxLedger,
 *   notifier: yield* SandboxNotifier,
 *   control: yield* SandboxControl
 * }
 * const lenient = sandboxProviders(sandbox)
 * const strict = sandboxProviders(sandbox, [{ id: "razorpay", methods: vendorModels.razorpay }])
 * ```
 */
export const sandboxProviders = (
  sandbox: Sandbox,
  models: ReadonlyArray<ProviderModel> = []
): ReadonlyArray<Provider<SandboxProviderId>> => instances(models).map((each) => sandboxProvider(sandbox, each))

/** The ids and capabilities of the simulated providers without a ledger, for checking routing rules. */
export const sandboxRoutes = (
  models: ReadonlyArray<ProviderModel> = []
): ReadonlyArray<Pick<Provider<SandboxProviderId>, "id" | "mode" | "capabilities">> =>
  instances(models).map(({ capabilities, letter, rail }) => ({ id: idOf(rail, letter), mode: "test", capabilities }))

interface Instance {
  readonly rail: Rail
  readonly letter: "a" | "b"
  readonly capabilities: Capabilities
}

const instances = (models: ReadonlyArray<ProviderModel>): ReadonlyArray<Instance> =>
  (["upi", "card", "stablecoin"] as const).flatMap((rail) =>
    (["a", "b"] as const).map((letter) => ({
      rail,
      letter,
      capabilities: capabilitiesOf(rail, modelOf(rail, letter, models))
    }))
  )

const idOf = (rail: Rail, letter: "a" | "b"): SandboxProviderId => `sandbox_${rail}_${letter}`

const sandboxProvider = (sandbox: Sandbox, { capabilities, letter, rail }: Instance): Provider<SandboxProviderId> =>
  defineProvider({
    id: idOf(rail, letter),
    options: Schema.Struct({}),
    mode: () => "test",
    capabilities: () => capabilities,
    make: (_options, context) => Effect.sync(() => make(sandbox, capabilities, letter === "a", context))
  })({})

const make = (
  { control, ledger, notifier }: Sandbox,
  { operations }: Capabilities,
  primary: boolean,
  context: ProviderContext
): ProviderOperations => {
  const provider = context.id
  const issuer = { provider, publicUrl: context.publicUrl }
  notifier.attach(provider, context.emit)

  const create = Effect.fnUntraced(function* (operation: ProviderOperation) {
    const { course, trigger } = courseOf(operation, provider, primary)
    if (control.isDown(provider)) return connectionRefused
    switch (course.does) {
      case "refuse_connection":
        return connectionRefused
      case "fail_without_trace":
        return Outcome.unknown({ reason: "server_error", vendorCode: "500" })
      case "accept": {
        const now = yield* Clock.currentTimeMillis
        const made = newEntry(operation, provider, course, trigger, now)
        const begun = applyDue(made, now) ?? { entry: made, movements: [] }
        // Steps that are due immediately count as reported, since the reply has their outcome.
        const entry = yield* ledger.open({ ...begun, entry: { ...begun.entry, notified: begun.entry.applied } })
        if (dueAt(entry) !== null) notifier.wake(provider)
        if (!isSame(entry, operation)) return Outcome.unknown({ reason: "duplicate" })
        switch (course.reply) {
          case "sent":
            return sendOutcomeOf(yield* currentOutcome(operation, entry))
          case "never":
            return yield* Effect.never
          case "reset":
            return connectionReset
        }
      }
    }
  }, orServerError)

  const currentOutcome = Effect.fnUntraced(function* (operation: ProviderOperation, entry: LedgerEntry) {
    const now = yield* Clock.currentTimeMillis
    const isSettled = applyDue(entry, now) === null
    const settled = isSettled ? entry : ((yield* amend(ledger, entry, (latest) => applyDue(latest, now))) ?? entry)
    if (settled.state !== "pending") return inquiryOutcomeOf(settled)
    const action = nextAction(operation, issuer, settled.reference, settled.steps.length === 0)
    return Outcome.pending({ reference: settled.reference, ...(action !== null && { nextAction: action }) })
  })

  const inquire = Effect.fnUntraced(function* (
    operation: ProviderOperation
  ): Effect.fn.Return<InquiryOutcome, LedgerUnavailable> {
    if (control.isDown(provider)) return connectionReset
    if (operation.kind !== "create") {
      const movement = yield* ledger.findMovement(provider, operation.key)
      return movement === null ? Outcome.notFound() : movementOutcome(operation, movement)
    }
    const entry = yield* ledger.findByKey(provider, operation.key)
    return entry === null ? Outcome.notFound() : yield* currentOutcome(operation, entry)
  }, orServerError)

  const followUp = (kind: "capture" | "cancel" | "refund") => {
    const perform = followUpOperation(ledger, provider, kind)
    return (operation: ProviderOperation) =>
      control.isDown(provider) ? Effect.succeed(connectionRefused) : perform(operation).pipe(orServerError)
  }

  return {
    create,
    inquire,
    complete: inquire,
    statement: (query) => statementPage(ledger, provider, query),
    run: notifier.run(provider),
    ...(operations.capture && { capture: followUp("capture") }),
    ...(operations.cancel && { cancel: followUp("cancel") }),
    ...(operations.refund && { refund: followUp("refund") })
  }
}

type Accepted = Extract<Course, { readonly does: "accept" }>

const connectionRefused = Outcome.notExecuted({ reason: "not_sent" })
const connectionReset = Outcome.unknown({ reason: "reset" })

/** Maps an unavailable ledger to an unknown outcome, like that of a provider that responds with a 5xx. */
const orServerError = <A>(
  effect: Effect.Effect<A, ProviderError | LedgerUnavailable>
): Effect.Effect<A | Outcome.Unknown, ProviderError> =>
  Effect.catchTag(effect, "LedgerUnavailable", (error) =>
    Effect.as(
      Effect.logWarning("The ledger of the simulated providers is unavailable", error),
      Outcome.unknown({ reason: "server_error" })
    )
  )

const newEntry = (
  operation: ProviderOperation,
  provider: string,
  course: Accepted,
  trigger: string,
  now: number
): LedgerEntry => {
  const { amount, captureMethod, method } = operation
  const terms = {
    minorUnits: amount.minorUnits,
    asset: method.rail === "stablecoin" ? chooseStablecoin(method).asset : null,
    approval: approval({ amount, captureMethod })
  }
  return {
    provider,
    key: operation.key,
    reference: `sbx_${operation.id.replace(/^op_/, "")}`,
    paymentId: operation.paymentId,
    operationId: operation.id,
    amount,
    method: summary(operation, provider),
    captureMethod,
    trigger,
    state: "pending",
    received: null,
    decline: null,
    steps: course.steps.map(({ after, event }) => ({ at: now + after, event: eventOf(event, terms) })),
    applied: 0,
    notified: 0,
    silent: course.reply !== "sent",
    description: operation.description,
    returnUrl: operation.returnUrl,
    createdAt: now,
    revision: 1
  }
}

const isSame = (entry: LedgerEntry, operation: ProviderOperation): boolean =>
  entry.operationId === operation.id &&
  entry.amount.minorUnits === operation.amount.minorUnits &&
  entry.amount.currency === operation.amount.currency

const summary = ({ method }: ProviderOperation, provider: string): string => {
  switch (method.rail) {
    case "upi":
      return method.vpa === null ? `upi ${method.flow}` : `upi ${method.flow} ${method.vpa}`
    case "card":
      return cardToken(method, provider) === null ? "card hosted" : "card token"
    case "stablecoin": {
      const { asset, network } = chooseStablecoin(method)
      return `stablecoin ${asset} on ${network}`
    }
  }
}

const inquiryOutcomeOf = (entry: LedgerEntry): InquiryOutcome => {
  const { reference } = entry
  switch (entry.state) {
    case "pending":
      return Outcome.pending({ reference })
    case "detected":
      return Outcome.pending({ reference, awaitingFinality: true })
    case "authorized":
      return Outcome.authorized({ reference, amount: entry.amount })
    case "approved":
      return Outcome.succeeded({ reference, amount: { ...entry.amount, minorUnits: entry.received ?? 0 } })
    case "declined": {
      const { code, retry } = entry.decline ?? { code: "generic_decline", retry: "never" }
      return Outcome.declined({ reference, code, retry, vendorCode: code })
    }
    case "expired":
      return Outcome.expired({ reference })
    case "canceled":
      return Outcome.canceled({ reference })
  }
}

/** Converts the state of a payment to the outcome of a create. A create may be repeated after the payment has ended. */
const sendOutcomeOf = (outcome: InquiryOutcome): Outcome.SendOutcome => {
  switch (outcome._tag) {
    case "Expired":
      return Outcome.declined({ code: "customer_timeout", retry: "same_later" })
    case "Canceled":
      return Outcome.declined({ code: "customer_canceled", retry: "same_later" })
    case "NotFound":
      return Outcome.unknown({ reason: "unmapped" })
    case "Succeeded":
    case "Authorized":
    case "Pending":
    case "Declined":
    case "NotExecuted":
    case "Unknown":
      return outcome
  }
}
