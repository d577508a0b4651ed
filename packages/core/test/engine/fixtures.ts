/** A provider whose every answer a test decides, over the real engine and the in-memory store. */
import { Effect, Layer, Schema } from "effect"
import * as Engine from "../../src/Engine.ts"
import type { EngineOptions } from "../../src/Engine.ts"
import { Ids } from "../../src/domain/Ids.ts"
import type { NewPayment } from "../../src/domain/Payment.ts"
import type { Capabilities } from "../../src/provider/Capabilities.ts"
import { defineProvider } from "../../src/provider/defineProvider.ts"
import type { Inquiry, Outcome } from "../../src/provider/Outcome.ts"
import type { Provider, ProviderContext, ProviderOperation } from "../../src/provider/Provider.ts"
import type { ProviderError } from "../../src/provider/ProviderError.ts"
import * as MemoryStore from "../../src/store/MemoryStore.ts"
import { decodeCreatePayment } from "../../src/wire/CreatePaymentJson.ts"

export interface Script {
  readonly create: (operation: ProviderOperation, context: ProviderContext) => Effect.Effect<Outcome, ProviderError>
  readonly inquire?: (operation: ProviderOperation) => Effect.Effect<Inquiry, ProviderError>
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
  mode: "test" | "live" = "test"
): Provider =>
  defineProvider({
    id,
    options: Schema.Struct({}),
    mode: () => mode,
    capabilities: () => ({
      methods: {
        card: { currencies: "any", flows: { token: {}, hosted: {} }, captureMethods: ["automatic", "manual"] }
      },
      operations: { create }
    }),
    make: (_, context) =>
      Effect.succeed({
        create: (operation) => script.create(operation, context),
        ...(create.inquiry === undefined
          ? {}
          : { inquire: script.inquire ?? (() => Effect.succeed({ _tag: "NotFound" } as const)) })
      })
  })({})

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
