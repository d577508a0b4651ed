/** A running instance at a fake, and operations to give it, as the engine would. */
import type { Card, CardToken, Currency, IdempotencyKey, OperationId, PaymentId, ProviderOperation } from "@paymux/core"
import { memoryContext } from "@paymux/test-suites"
import type { FakeAnswer } from "@paymux/testkit"
import { Effect } from "effect"
import { adyen } from "../src/index.ts"
import { fake } from "../src/testing/fake.ts"
import { optionsOf } from "../src/testing/options.ts"
import { type Item, signedBody } from "../src/testing/signed.ts"
import { encrypted } from "../src/testing/tokens.ts"

export { encrypted, stored } from "../src/testing/tokens.ts"

export const beginWith = Effect.fnUntraced(function* (options: { readonly payWithinMinutes?: number }) {
  const vendor = yield* fake.start({ mode: "test" })
  const { network, webhooks } = vendor
  if (webhooks === null) return yield* Effect.die(new Error("Adyen sends webhooks"))
  const instance = adyen({ ...optionsOf(vendor), ...options })
  const checkpoints: Array<{ readonly reference: string; readonly requestsBefore: number }> = []
  const {
    cancel,
    capture,
    complete,
    create,
    refund,
    webhook: read
  } = yield* instance.make(
    memoryContext(instance.id, {
      checkpoint: (_operation, reference) =>
        Effect.map(
          network.requests,
          (requests) => void checkpoints.push({ reference, requestsBefore: requests.length })
        )
    })
  )
  if (!cancel || !capture || !complete || !refund || !read) return yield* Effect.die(new Error("they are declared"))
  /** No time is signed, so the time of receipt does not matter. */
  const webhook = (body: Uint8Array, headers: { readonly [name: string]: string }) =>
    read(body, headers, 1_795_000_000_000)
  const receive = (...items: ReadonlyArray<Item>) => {
    const { body, headers } = signedBody(items, vendor.credentials)
    return webhook(body, headers)
  }
  return { vendor, network, webhooks, checkpoints, cancel, capture, complete, create, refund, webhook, receive }
})

export const begin = beginWith({})

/** What a create comes to whose answer is this. */
export const answered = Effect.fnUntraced(function* (answer: FakeAnswer, asked = operation()) {
  const { create, network } = yield* begin
  yield* network.failNext({ executed: false, reply: answer })
  return yield* create(asked)
}, Effect.scoped)

export const euros = (minorUnits: number, currency = "EUR") => ({
  minorUnits,
  // Boundary: the brand is given here.
  currency: currency as Currency.Currency
})

export const card = (token: CardToken | null): Card => ({
  rail: "card",
  token: typeof token === "string" ? token : null,
  tokens: token === null || typeof token === "string" ? {} : { adyen: token },
  network: null,
  country: null,
  funding: null,
  bin: null,
  fingerprint: null
})

/** Of €123.45, by an encrypted card. */
export const operation = (change: Partial<ProviderOperation> = {}): ProviderOperation => ({
  id: `op_4${unique().slice(1)}` as OperationId,
  kind: "create",
  paymentId: `pay_${unique()}` as PaymentId,
  amount: euros(12_345),
  key: globalThis.crypto.randomUUID() as string as IdempotencyKey,
  reference: null,
  original: null,
  reason: null,
  method: card(encrypted),
  captureMethod: "automatic",
  customer: { email: "asha@example.com", phone: "+4915112345678", name: "Asha Rao", address: null },
  client: {
    ip: "203.0.113.7",
    userAgent: "Mozilla/5.0",
    referer: null,
    acceptHeader: null,
    language: null,
    timeZone: null,
    screen: null
  },
  description: "Order 1001",
  metadata: { order: "1001" },
  returnUrl: "https://pay.example/return/pay_1/token",
  deadlineAt: 1_795_000_030_000,
  createdAt: 1_795_000_000_000,
  ...change
})

/** All that can be known of a shopper. */
export const known = {
  customer: {
    email: "asha@example.com",
    phone: "+4915112345678",
    name: "Asha Rao",
    address: { line1: "1 Main St", line2: null, city: "San Francisco", state: "CA", postalCode: "94105", country: "US" }
  },
  client: {
    ip: "203.0.113.7",
    userAgent: "Mozilla/5.0",
    referer: null,
    acceptHeader: "*/*",
    language: "en-US",
    timeZone: "America/Los_Angeles",
    screen: { width: 1920, height: 1080, colorDepth: 24 }
  }
}

/** A later operation on what `created` made. */
export const later = (
  kind: "capture" | "cancel" | "refund",
  created: ProviderOperation,
  reference: string | null,
  change: Partial<ProviderOperation> = {}
): ProviderOperation => ({
  ...created,
  id: `op_4${unique().slice(1)}` as OperationId,
  key: globalThis.crypto.randomUUID() as string as IdempotencyKey,
  kind,
  reference: null,
  original: { reference, key: created.key, amount: created.amount },
  ...change
})

const unique = (): string => globalThis.crypto.randomUUID().replaceAll("-", "").slice(0, 26)
