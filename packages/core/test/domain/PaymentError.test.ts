import { assert, describe, it } from "@effect/vitest"
import * as Errors from "../../src/domain/PaymentError.ts"

const { paymentError } = Errors

describe("the message of a payment error", () => {
  const table: ReadonlyArray<readonly [Errors.PaymentErrorReason, message: string]> = [
    [
      new Errors.InvalidPayment({
        errors: [
          { pointer: "/amount", message: "must be positive" },
          { pointer: "", message: "must be an object" }
        ]
      }),
      "The request is not valid: /amount must be positive; / must be an object"
    ],
    [
      new Errors.RawCardData({ pointer: "/metadata/note" }),
      "Raw card data is not accepted (/metadata/note): send a token instead. Send an order number that looks like a card number in `metadata.order_id`, or in another key that the setting `orderNumberKeys` names."
    ],
    [
      new Errors.NoRoute({
        candidates: [
          { provider: "a", reason: "currency" },
          { provider: "b", reason: "method" }
        ]
      }),
      "No provider can take this payment: a (currency), b (method)."
    ],
    [new Errors.NoRoute({ candidates: [] }), "No provider can take this payment: none is configured for it."],
    [
      new Errors.CardNotRetried({ reason: "hard_decline", retryAfterMs: 1 }),
      "This card was declined for good: ask for another one."
    ],
    [
      new Errors.CardNotRetried({ reason: "retry_limit", retryAfterMs: 1 }),
      "This card was declined as often as its network allows: ask for another one."
    ],
    [
      new Errors.NoProviderAvailable({ retryAfterMs: 1 }),
      "Every provider for this payment is unavailable at the moment; nothing was charged."
    ],
    ...(
      [
        ["refund", "refunded"],
        ["capture", "captured"],
        ["cancel", "canceled"]
      ] as const
    ).map(
      ([kind, done]) =>
        [
          new Errors.NoProviderAvailable({ retryAfterMs: 1, kind }),
          `The provider of this payment is unavailable at the moment; nothing was ${done}.`
        ] as const
    ),
    [new Errors.Overloaded({ retryAfterMs: 1 }), "Too many payments are being made at once; nothing was done."],
    [
      new Errors.IdempotencyKeyReused({ paymentId: "pay_1", pointer: null }),
      "This idempotency key was used with another request, for payment pay_1."
    ],
    [
      new Errors.IdempotencyKeyReused({ paymentId: "pay_1", pointer: "/client/ip" }),
      "This idempotency key was used with another request, for payment pay_1; the first difference is in /client/ip."
    ],
    [
      new Errors.IdempotencyInFlight({ retryAfterMs: 1 }),
      "The first request with this idempotency key is still running."
    ],
    [new Errors.PaymentNotFound(), "There is no such payment."],
    [new Errors.RefundNotFound(), "There is no such refund."],
    [new Errors.OperationRefused({ reason: "in_flight", sentence: "Not now." }), "Not now."],
    [
      new Errors.VersionConflict({ version: 6 }),
      "The payment has changed since it was read: read it again, and decide on what is known now."
    ],
    [new Errors.ListTimedOut(), "The list took longer than two seconds: narrow the filters."],
    [
      new Errors.Unavailable({ cause: new Error("connection refused") }),
      "The database is unavailable; nothing was acknowledged."
    ],
    [new Errors.Unavailable({ cause: new Errors.PaymuxClosed() }), "This Paymux was closed; nothing was done."]
  ]
  for (const [reason, message] of table) {
    it(`says what is wrong: ${message}`, () => assert.strictEqual(paymentError(reason).message, message))
  }
})
