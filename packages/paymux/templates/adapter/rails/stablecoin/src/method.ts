/**
 * Stablecoins at Acme: what it takes and can do, how a request names the coin, and what the payer has to do.
 *
 * What is not declared is assumed to be the worst case: declare what Acme documents, and nothing else. A transfer holds
 * no funds, so a capture is not declared.
 */
import { type Capabilities, type NextAction, type OperationCapability, type ProviderOperation } from "@paymux/core"
import { Option, Schema } from "effect"

export const methods: Capabilities["methods"] = {
  stablecoin: {
    currencies: ["USD"],
    flows: { transfer: {} },
    amounts: [{ currency: "USD", min: "1.00" }],
    assets: [{ asset: "USDC", network: "base" }]
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
    abandonedAfter: "2 hours"
  },
  cancel: repeatable,
  refund: { ...repeatable, partial: true, reports: "movement" }
}

/** A merchant who names no coin leaves the choice to us: Acme takes one. */
export const methodToWire = ({ method }: ProviderOperation, _instance: string) =>
  method.rail === "stablecoin"
    ? { type: "stablecoin", asset: method.asset ?? "USDC", network: method.network ?? "base" }
    : { type: "stablecoin", asset: "USDC", network: "base" }

const Transfer = Schema.Struct({
  type: Schema.Literal("stablecoin_transfer"),
  address: Schema.String,
  uri: Schema.String,
  /** In units of the coin: `12.50`. */
  amount: Schema.String,
  /** s UTC */
  expires: Schema.NullOr(Schema.Int)
})

/** An action that Acme has added since is left out: the payment is pending all the same. */
export const nextAction = (action: unknown): { readonly nextAction?: NextAction } =>
  Option.match(Schema.decodeUnknownOption(Transfer)(action), {
    onNone: () => ({}),
    onSome: ({ expires, ...transfer }) => ({
      nextAction: { ...transfer, expiresAt: expires === null ? null : expires * 1000 }
    })
  })
