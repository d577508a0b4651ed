/** A provider whose every answer a test decides, over the real engine and the in-memory store. */
import { Context, Effect, Exit, Layer, Schema, Scope } from "effect"
import * as Engine from "../../src/Engine.ts"
import type { EngineOptions } from "../../src/Engine.ts"
import { Ids } from "../../src/domain/Ids.ts"
import type { OperationId, PaymentId } from "../../src/domain/Ids.ts"
import type { NewPayment, PaymentRecord } from "../../src/domain/Payment.ts"
import { Executor } from "../../src/execution/Executor.ts"
import { Inbox } from "../../src/execution/recover/inbox/Inbox.ts"
import { PaymentWriter } from "../../src/execution/conclude/PaymentWriter.ts"
import { Payments } from "../../src/Payments.ts"
import type { Capabilities, OperationCapability } from "../../src/provider/Capabilities.ts"
import { defineProvider } from "../../src/provider/defineProvider.ts"
import type { Evidence } from "../../src/domain/Evidence.ts"
import type { Outcome, SendOutcome } from "../../src/domain/Outcome.ts"
import type { Provider, ProviderContext, ProviderOperation, ProviderOperations } from "../../src/provider/Provider.ts"
import type { ProviderError } from "../../src/provider/ProviderError.ts"
import { Reviews } from "../../src/Reviews.ts"
import { MemoryStore } from "@paymux/testkit/memory-store"
import { PaymentStore } from "../../src/store/PaymentStore.ts"
import { decodeCreatePayment } from "../../src/wire/CreatePaymentJson.ts"

type Perform = (operation: ProviderOperation, context: ProviderContext) => Effect.Effect<SendOutcome, ProviderError>

/** What is there is declared; `capture`, `cancel` and `refund` as `later` says. */
export interface Script extends Pick<ProviderOperations, "inquire" | "complete" | "webhook"> {
  readonly create: Perform
  readonly capture?: Perform
  readonly cancel?: Perform
  readonly refund?: Perform
  readonly run?: (context: ProviderContext) => Effect.Effect<never>
  /** Of captures, cancels and refunds. */
  readonly later?: OperationCapability
}

/** Answers the same key with the same result, can be asked, and takes parts of an amount. */
export const laterIdempotent: OperationCapability = {
  idempotency: { by: "header", lifetime: "24 hours" },
  inquiry: { by: "reference", notFoundIsFinalAfter: "15 minutes" },
  partial: true
}

export const idempotent: Capabilities["operations"]["create"] = {
  idempotency: { by: "header", lifetime: "24 hours" },
  inquiry: { by: "reference", notFoundIsFinalAfter: "15 minutes" },
  declineIsFinal: true
}

export const inquiryOnly: Capabilities["operations"]["create"] = {
  inquiry: { by: "reference", notFoundIsFinalAfter: "15 minutes" },
  declineIsFinal: true
}

export const scripted = (
  id: string,
  script: Script,
  create: Capabilities["operations"]["create"] = idempotent,
  mode: "test" | "live" = "test",
  standing: Pick<Provider, "formerly" | "retired"> = {}
): Provider =>
  defineProvider({
    id,
    options: Schema.Struct({}),
    mode: () => mode,
    capabilities: () => ({
      methods: {
        card: { currencies: "any", flows: { token: {}, hosted: {} }, captureMethods: ["automatic", "manual"] }
      },
      operations: {
        create,
        ...(script.capture && { capture: script.later ?? laterIdempotent }),
        ...(script.cancel && { cancel: script.later ?? laterIdempotent }),
        ...(script.refund && { refund: script.later ?? laterIdempotent })
      }
    }),
    make: (_, context) => {
      const { cancel, capture, complete, inquire, refund, run, webhook } = script
      return Effect.succeed({
        create: (operation) => script.create(operation, context),
        inquire: inquire ?? (() => Effect.succeed({ _tag: "NotFound" } as const)),
        ...(capture && { capture: (operation) => capture(operation, context) }),
        ...(cancel && { cancel: (operation) => cancel(operation, context) }),
        ...(refund && { refund: (operation) => refund(operation, context) }),
        ...(complete && { complete }),
        ...(webhook && { webhook }),
        ...(run && { run: run(context) })
      })
    }
  })(standing.retired === true ? { retired: true } : { ...(standing.formerly && { formerly: standing.formerly }) })

export const engine = (providers: ReadonlyArray<Provider>, options: Partial<EngineOptions> = {}) =>
  Engine.layer({ providers, publicUrl: "http://localhost:4310", ...options }).pipe(
    Layer.provideMerge(MemoryStore.layer),
    Layer.provideMerge(Ids.layer)
  )

export const tenant = { account: "default", livemode: false } as const

export const card: Effect.Effect<NewPayment> = Effect.orDie(
  decodeCreatePayment({
    amount: 1200,
    currency: "EUR",
    payment_method: "card",
    customer: { email: "asha@example.com", phone: "+919999999999" },
    payment_method_details: { card: { token: "tok_any" } }
  })
)

/** Held first, captured when asked. */
export const cardOnHold = Effect.map(card, (payment): NewPayment => ({ ...payment, captureMethod: "manual" }))

export type Store = PaymentStore["Service"]

/** An engine that can be ended at any moment, on a store that outlives it. */
export const start = Effect.fnUntraced(function* (
  store: Store,
  providers: ReadonlyArray<Provider>,
  options: Partial<EngineOptions> = {},
  installation: Layer.Layer<never> = Layer.empty
) {
  const scope = yield* Scope.make()
  const reviews = Layer.provide(Reviews.layer, PaymentWriter.layer)
  const built = yield* Layer.buildWithScope(
    Layer.merge(Engine.layer({ providers, publicUrl: "http://localhost", drain: 0, ...options }), reviews).pipe(
      Layer.provide(Layer.mergeAll(Layer.succeed(PaymentStore, store), Ids.layer)),
      Layer.provide(installation)
    ),
    scope
  )
  const payments = Context.get(built, Payments)
  return {
    // Beside what merchants ask for: a report, as the engine takes it from a provider.
    payments: { ...payments, advance: Context.get(built, Executor).advance },
    inbox: Context.get(built, Inbox),
    reviews: Context.get(built, Reviews),
    create: (payment: Effect.Effect<NewPayment> = card) =>
      Effect.flatMap(payment, (asked) =>
        Effect.map(payments.create(asked, { tenant, idempotency: null }), ({ record }) => record)
      ),
    end: Scope.close(scope, Exit.void)
  }
})

export const plain = { tenant, idempotency: null } as const
export const keyed = (endpoint: string, key: string) => ({ tenant, idempotency: { endpoint, key } })

export const read = (store: Store, { payment }: PaymentRecord) =>
  Effect.flatMap(store.get(payment.id), (found) =>
    found === null ? Effect.die(new Error("the payment was lost")) : Effect.succeed(found)
  )

/** A payment in a few words. */
export const summary = ({ attempts, operations, payment }: PaymentRecord) => ({
  state: payment.state.status,
  reviews: payment.reviews.map(({ reason }) => reason),
  attempts: attempts.map(
    ({ provider, status, isOverpayment }) => `${provider} ${status}${isOverpayment ? " overpayment" : ""}`
  ),
  later: operations
    .filter(({ kind }) => kind !== "create")
    .map(({ kind, minorUnits, purpose, status }) => `${purpose} ${kind} ${minorUnits} ${status}`)
})

export const eventsOf = (store: Store, payment: PaymentId) =>
  Effect.map(store.undispatchedEvents(1000), (events) =>
    events.filter(({ paymentId }) => paymentId === payment).map(({ type }) => type)
  )

export const createOf = ({ operations }: PaymentRecord, seq = 1): OperationId => {
  const found = operations.find(({ attemptSeq, kind }) => kind === "create" && attemptSeq === seq)
  if (found === undefined) throw new Error(`no attempt ${seq}`)
  return found.id
}

export const reported = (about: OperationId | Evidence["about"], outcome: Outcome, eventId?: string): Evidence => ({
  source: "webhook",
  about: typeof about === "string" ? { operation: about } : about,
  outcome,

  eventId: eventId ?? null,
  occurredAt: null
})
