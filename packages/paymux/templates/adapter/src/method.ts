/**
 * Cards at Acme: what it takes and can do, how a request names the card, and what the payer has to do.
 *
 * What is not declared is assumed to be the worst case: declare what Acme documents, and nothing else.
 */
import {
  type Capabilities,
  cardToken,
  type NextAction,
  type OperationCapability,
  type ProviderOperation
} from "@paymux/core"
import { Option, Schema } from "effect"

export const methods: Capabilities["methods"] = {
  card: {
    currencies: ["EUR", "USD", "GBP", "JPY", "KWD"],
    flows: { token: {}, hosted: { requires: ["return_url"] } },
    captureMethods: ["automatic", "manual"],
    networks: ["visa", "mastercard"],
    amounts: [{ currency: "EUR", min: "0.50" }]
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
    declineIsFinal: true,
    abandonedAfter: "30 minutes"
  },
  // Acme keeps no record of a capture: `amount_captured` of the payment is all of them. A refund has an id and an amount.
  capture: { ...repeatable, partial: true, reports: "total" },
  cancel: repeatable,
  refund: { ...repeatable, partial: true, reports: "movement" }
}

/** With a token Acme charges it; without one it answers with the address of a page. */
export const methodToWire = ({ method }: ProviderOperation, instance: string) => {
  const token = method.rail === "card" ? cardToken(method, instance) : null
  return token === null ? { type: "card_page" } : { type: "card", token }
}

const Redirect = Schema.Struct({
  type: Schema.Literal("redirect"),
  url: Schema.String,
  /** s UTC */
  expires: Schema.NullOr(Schema.Int)
})

/** An action that Acme has added since is left out: the payment is pending all the same. */
export const nextAction = (action: unknown): { readonly nextAction?: NextAction } =>
  Option.match(Schema.decodeUnknownOption(Redirect)(action), {
    onNone: () => ({}),
    onSome: ({ expires, url }) => ({
      nextAction: { type: "redirect", url, expiresAt: expires === null ? null : expires * 1000 }
    })
  })
