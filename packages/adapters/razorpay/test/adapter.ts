/** One instance over one fake, without an engine: what it checkpoints is kept. */
import type { Currency, IdempotencyKey, OperationId, PaymentId, ProviderOperation } from "@paymux/core"
import { memoryContext } from "@paymux/test-suites"
import { Effect } from "effect"
import { razorpay } from "../src/index.ts"
import { fake } from "../src/testing/fake.ts"

type Choices = { readonly qr?: "link" | "qr_code"; readonly allowCollect?: boolean; readonly settlements?: boolean }

export const begin = Effect.fnUntraced(function* (choices: Choices = {}, moreSecrets: ReadonlyArray<string> = []) {
  const vendor = yield* fake.start({ mode: "test" })
  const { credentials, network, url, webhooks } = vendor
  if (network === null || webhooks === null) return yield* Effect.die(new Error("Razorpay has both"))
  const checkpoints: Array<string> = []
  const instance = razorpay({
    keyId: credentials.keyId,
    keySecret: credentials.keySecret,
    webhookSecrets: [credentials.webhookSecret, ...moreSecrets],
    baseUrl: url,
    ...choices
  })
  const operations = yield* instance.make(
    memoryContext(instance.id, { checkpoint: (_, reference) => Effect.sync(() => void checkpoints.push(reference)) })
  )
  const { cancel, capture, create, inquire, refund, statement, webhook } = operations
  if (inquire === undefined || refund === undefined || webhook === undefined) {
    return yield* Effect.die(new Error("they are declared"))
  }
  return { vendor, network, webhooks, checkpoints, create, inquire, refund, webhook, capture, cancel, statement }
})

let made = 0

/** The fake's codes are made now, too, and are looked for by their time. */
const now = Date.now()

export const rupees = (minorUnits: number) => ({ minorUnits, currency: "INR" as Currency.Currency })

/** Of ₹123.45. */
export const operation = (change: Partial<ProviderOperation> = {}): ProviderOperation => {
  const number = String(++made).padStart(26, "0")
  return {
    id: `op_${number}` as OperationId,
    kind: "create",
    paymentId: `pay_${number}` as PaymentId,
    amount: rupees(12_345),
    key: globalThis.crypto.randomUUID() as string as IdempotencyKey,
    reference: null,
    original: null,
    reason: null,
    method: { rail: "upi", flow: "intent", vpa: null },
    captureMethod: "automatic",
    customer: { email: "asha@example.com", phone: "+919812345678", name: "Asha Rao", address: null },
    client: {
      ip: "203.0.113.7",
      userAgent: "Mozilla/5.0",
      referer: "https://shop.example/cart",
      acceptHeader: null,
      language: null,
      timeZone: null,
      screen: null
    },
    description: "Order 1001",
    metadata: { order: "1001" },
    returnUrl: null,
    deadlineAt: now + 30_000,
    createdAt: now,
    ...change
  }
}

/** A later operation on what `created` made. */
export const later = (
  kind: "capture" | "cancel" | "refund",
  created: ProviderOperation,
  reference: string,
  change: Partial<ProviderOperation> = {}
): ProviderOperation =>
  operation({
    ...created,
    id: operation().id,
    key: operation().key,
    kind,
    original: { reference, key: created.key, amount: created.amount },
    ...change
  })
