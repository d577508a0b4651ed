/**
 * UPI at Acme: what it takes and can do, how a request names the flow, and what the payer has to do.
 *
 * What is not declared is assumed to be the worst case: declare what Acme documents, and nothing else. UPI holds no
 * funds, so a capture is not declared.
 */
import { type Capabilities, type NextAction, type OperationCapability, type ProviderOperation } from "@paymux/core"
import { Option, Schema } from "effect"

export const methods: Capabilities["methods"] = {
  upi: {
    currencies: ["INR"],
    flows: { intent: { requires: ["client.ip", "client.user_agent"] }, qr: {} },
    amounts: [{ currency: "INR", min: "1.00", max: "100000.00" }]
  }
}

/** Acme answers a repeated key with the first answer, and can be asked for everything by our reference. */
const repeatable: OperationCapability = {
  idempotency: { by: "header", lifetime: "24 hours" },
  inquiry: { by: "reference" }
}

export const operations: Capabilities["operations"] = {
  create: {
    ...repeatable,
    inquiry: { by: "reference", notFoundIsFinalAfter: "15 minutes" },
    // A payer who was refused may try again in the same app: a late success can follow.
    declineIsFinal: false,
    abandonedAfter: "30 minutes"
  },
  cancel: repeatable,
  refund: { ...repeatable, partial: true, reports: "movement" }
}

/** With an intent Acme wants to know the payer's device. */
export const methodToWire = ({ client, method }: ProviderOperation, _instance: string) =>
  method.rail === "upi" && method.flow === "qr"
    ? { type: "upi_qr" }
    : { type: "upi_intent", ip: client?.ip ?? null, user_agent: client?.userAgent ?? null }

/** s UTC */
const Expiry = Schema.NullOr(Schema.Int)
const Action = Schema.Union([
  Schema.Struct({ type: Schema.Literal("upi_intent"), uri: Schema.String, expires: Expiry }),
  Schema.Struct({ type: Schema.Literal("upi_qr"), payload: Schema.String, expires: Expiry })
])

/** An action that Acme has added since is left out: the payment is pending all the same. */
export const nextAction = (action: unknown): { readonly nextAction?: NextAction } =>
  Option.match(Schema.decodeUnknownOption(Action)(action), {
    onNone: () => ({}),
    onSome: (found) => {
      const expiresAt = found.expires === null ? null : found.expires * 1000
      return found.type === "upi_qr"
        ? { nextAction: { type: found.type, payload: found.payload, image: null, expiresAt } }
        : { nextAction: { type: found.type, uri: found.uri, expiresAt } }
    }
  })
