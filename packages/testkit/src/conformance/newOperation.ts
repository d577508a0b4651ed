/** Operations as the engine makes them: fresh ids, a random key, 30 s to go. */
import type { Currency, IdempotencyKey, OperationId, PaymentId, Provider, ProviderOperation } from "@paymux/core"
import { Clock, Effect } from "effect"
import type { Sample } from "./samples.ts"

export const newOperation = (
  { id }: Provider,
  sample: Pick<Sample, "method" | "amount" | "captureMethod">,
  change: {
    readonly minorUnits?: number
    readonly currency?: string
    readonly captureMethod?: "automatic" | "manual"
  }
): Effect.Effect<ProviderOperation> =>
  Effect.map(Clock.currentTimeMillis, (now) => ({
    // As derived from a client's key: see `Ids.isDerived`. As long as an id can be, with the longest name of a cell.
    id: `op_4${unique().slice(1)}_cell0001` as OperationId,
    kind: "create",
    paymentId: `pay_${unique()}` as PaymentId,
    amount: {
      minorUnits: change.minorUnits ?? sample.amount.minorUnits,
      currency: (change.currency ?? sample.amount.currency) as Currency.Currency
    },
    key: globalThis.crypto.randomUUID() as string as IdempotencyKey,
    reference: null,
    original: null,
    reason: null,
    // A token belongs to one provider.
    method: sample.method,
    captureMethod: change.captureMethod ?? sample.captureMethod,
    customer: {
      email: "asha@example.com",
      phone: "+919812345678",
      name: "Asha Rao",
      address: {
        line1: "510 Townsend Street",
        line2: null,
        city: "San Francisco",
        state: "CA",
        postalCode: "94103-2401",
        country: "US"
      }
    },
    client: {
      ip: "203.0.113.7",
      userAgent: "Mozilla/5.0 (conformance)",
      referer: "https://shop.example/cart",
      acceptHeader: "text/html,*/*;q=0.8",
      language: "en-IN",
      timeZone: "Asia/Kolkata",
      screen: { width: 1920, height: 1080, colorDepth: 24 }
    },
    description: `Order 1001 at ${id}`,
    metadata: { order: "1001" },
    returnUrl: "https://pay.example/return/1001",
    deadlineAt: now + 30_000,
    createdAt: now
  }))

/** 26 letters as the engine's ids have them. */
const unique = (): string => globalThis.crypto.randomUUID().replaceAll("-", "").slice(0, 26)
