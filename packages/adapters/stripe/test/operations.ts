/** A running instance at a fake, and operations to give it, as the engine would. */
import type {
  CardToken,
  Currency,
  IdempotencyKey,
  OperationId,
  PaymentId,
  PaymentMethod,
  Provider,
  ProviderOperation
} from "@paymux/core"
import { memoryContext } from "@paymux/test-suites"
import { Clock, Effect } from "effect"

export const running = Effect.fnUntraced(function* (provider: Provider) {
  const operations = yield* provider.make(memoryContext(provider.id))
  const { cancel, capture, complete, inquire, refund, statement, webhook } = operations
  if (!cancel || !capture || !complete || !inquire || !refund || !statement || !webhook) {
    return yield* Effect.die(new Error("the adapter has these"))
  }
  return { create: operations.create, cancel, capture, complete, inquire, refund, statement, webhook }
})

export const card = (token: CardToken | null): PaymentMethod => ({
  rail: "card",
  token: null,
  tokens: token === null ? {} : { stripe: token },
  network: null,
  country: null,
  funding: null,
  bin: null,
  fingerprint: null
})

/** A payer whose address is known. */
export const resident = {
  email: "asha@example.com",
  phone: null,
  name: "Asha Rao",
  address: {
    line1: "510 Townsend Street",
    line2: null,
    city: "San Francisco",
    state: null,
    postalCode: "94103",
    country: "US"
  }
}

/** Of 170.50 EUR, with a token. */
export const createOperation = (change: Partial<ProviderOperation> = {}): Effect.Effect<ProviderOperation> =>
  Effect.map(Clock.currentTimeMillis, (now) => ({
    // Random, not derived: see `Ids.isDerived`.
    id: `op_0${unique().slice(1)}` as OperationId,
    kind: "create",
    paymentId: `pay_${unique()}` as PaymentId,
    amount: money(17_050, "EUR"),
    key: globalThis.crypto.randomUUID() as string as IdempotencyKey,
    reference: null,
    original: null,
    reason: null,
    method: card("pm_card_visa"),
    captureMethod: "automatic",
    customer: { email: "asha@example.com", phone: "+919812345678", name: "Asha Rao", address: null },
    client: null,
    description: "Two tickets",
    metadata: { order: "1001" },
    returnUrl: "https://pay.example/return/1001",
    deadlineAt: now + 30_000,
    createdAt: now,
    ...change
  }))

/** Of what was created. */
export const laterOperation = (
  kind: "capture" | "cancel" | "refund",
  created: ProviderOperation,
  reference: string | undefined,
  change: Partial<ProviderOperation> = {}
): Effect.Effect<ProviderOperation> =>
  Effect.map(createOperation(), ({ id, key }) => ({
    ...created,
    id,
    key,
    kind,
    reference: null,
    original: { reference: reference ?? null, key: created.key, amount: created.amount },
    reason: kind === "refund" ? "Returned" : null,
    ...change
  }))

// Boundary: the brands are given here.
export const money = (minorUnits: number, currency: string) => ({
  minorUnits,
  currency: currency as Currency.Currency
})

const unique = (): string => globalThis.crypto.randomUUID().replaceAll("-", "").slice(0, 26)
