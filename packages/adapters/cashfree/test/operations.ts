/** A running instance at a fake, and operations to give it, as the engine would. */
import type { Currency, IdempotencyKey, OperationId, PaymentId, Provider, ProviderOperation } from "@paymux/core"
import { memoryContext } from "@paymux/test-suites"
import { Clock, Effect } from "effect"

/** An instance, and what it checkpointed. `meanwhile`: what happens at the vendor at each checkpoint. */
export const running = Effect.fnUntraced(function* (provider: Provider, meanwhile = (_reference: string) => {}) {
  const checkpoints: Array<string> = []
  const operations = yield* provider.make(
    memoryContext(provider.id, {
      checkpoint: (_operation, reference) =>
        Effect.sync(() => {
          checkpoints.push(reference)
          meanwhile(reference)
        })
    })
  )
  const { cancel, capture, inquire, refund, webhook } = operations
  if (cancel === undefined || inquire === undefined || refund === undefined || webhook === undefined) {
    return yield* Effect.die(new Error("the adapter has these"))
  }
  return { ...operations, cancel, inquire, refund, webhook, capture: capture ?? notDeclared, checkpoints }
})

const notDeclared = () => Effect.die(new Error("captures are not declared"))

export const createOperation = (change: Partial<ProviderOperation> = {}): Effect.Effect<ProviderOperation> =>
  Effect.map(Clock.currentTimeMillis, (now) => ({
    id: `op_4${unique().slice(1)}` as OperationId,
    kind: "create",
    paymentId: `pay_${unique()}` as PaymentId,
    amount: rupees(17_050),
    key: globalThis.crypto.randomUUID() as string as IdempotencyKey,
    reference: null,
    original: null,
    reason: null,
    method: { rail: "upi", flow: "intent", vpa: null },
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

/** Cashfree's page: what an account without Order Pay serves. */
export const byPage = { rail: "upi", flow: "hosted", vpa: null } as const

/** Of what was created. */
export const laterOperation = (
  kind: "capture" | "cancel" | "refund",
  created: ProviderOperation,
  change: Partial<ProviderOperation> = {}
): Effect.Effect<ProviderOperation> =>
  Effect.map(createOperation(), ({ id, key }) => ({
    ...created,
    id,
    key,
    kind,
    reference: null,
    original: { reference: created.id, key: created.key, amount: created.amount },
    reason: kind === "refund" ? "Returned" : null,
    ...change
  }))

// Boundary: the brands are given here.
export const rupees = (minorUnits: number) => ({ minorUnits, currency: "INR" as string as Currency.Currency })

const unique = (): string => globalThis.crypto.randomUUID().replaceAll("-", "").slice(0, 26)
