/** Stablecoins at Coinbase: what is taken and can be done, and how a request says it. */
import {
  type Capabilities,
  type Customer,
  Ids,
  type OperationCapability,
  type OperationId,
  type ProviderOperation
} from "@paymux/core"
import { Codes } from "@paymux/provider-kit"
import { actionCodes, actionPending, createCodes } from "./codes.ts"
import { assetOf, type CoinbaseOptions, payWithin } from "./options.ts"
import * as Wire from "./wire.ts"

/** Where payers may pay from; they choose on Coinbase's page. */
const networks = ["base", "ethereum", "arbitrum", "optimism", "polygon"]
const testNetworks = ["base-sepolia", "ethereum-sepolia", "arbitrum-sepolia", "optimism-sepolia", "polygon-amoy"]

/** Documented: the first answer to a key comes again for 24 hours. */
const idempotency: OperationCapability["idempotency"] = { by: "header", lifetime: "24 hours" }

/**
 * By Coinbase's id of the action; while the list of actions has none with our id, then by the same request under
 * its key. When a list is complete is not published, so that one is not in it proves nothing.
 */
const later: OperationCapability = { idempotency, inquiry: { by: "replay" }, proof: [actionPending] }

export const capabilities = (options: CoinbaseOptions): Capabilities => {
  const asset = assetOf(options)
  const taken = options.environment === "live" ? networks : [...networks, ...testNetworks]
  return {
    methods: {
      stablecoin: {
        currencies: [Wire.currencyOf(asset) ?? "USD"],
        flows: { transfer: {} },
        captureMethods: ["automatic", "manual"],
        assets: taken.map((network) => ({ asset: asset.toUpperCase(), network }))
      }
    },
    operations: {
      create: {
        idempotency,
        // What is not found was shown to no payer: a session is paid on its page, and only a response has its address. So
        // nothing was taken, whether there is such a session or not.
        inquiry: { by: "reference", notFoundIsFinalAfter: "1 hour" },
        // A session whose authorization failed cannot be authorized again.
        declineIsFinal: true,
        // Nothing can be done with a session that was canceled, nor captured of a hold that was voided.
        cancelIsFinal: true,
        // No payer can start after `authorizationExpiresAt`; what is in progress then is not treated as unpaid.
        abandonedAfter: payWithin(options) + margin
      },
      // Each is an object of the session with an id (`captureId`, `refundId`) and its own `amount`; what they come to stands
      // in the session's `balances` (CDP API v2, payment sessions).
      capture: { ...later, partial: true, reports: "movement" },
      cancel: later,
      refund: { ...later, partial: true, reports: "movement" }
    },
    // An action has the time at which it was accepted, and is done when the chain confirms it.
    statement: { bookedWithin: "1 day" },
    accountHelp: { ...Codes.accountHelp(actionCodes), ...Codes.accountHelp(createCodes) }
  }
}

/** ms; for clocks that differ. */
export const margin = 10 * 60_000

/** Made of the operation alone: a second send has the same bytes. `null`: it cannot be said in Coinbase's terms. */
export const sessionBody = (operation: ProviderOperation, options: CoinbaseOptions): object | null => {
  const { amount, captureMethod, createdAt, id, returnUrl } = operation
  const compliance = complianceOf(operation)
  const asset = assetOf(options)
  const text = amount.currency === Wire.currencyOf(asset) ? Wire.decimal(amount) : null
  if (text === null) return null
  return {
    amount: text,
    asset,
    target: options.target,
    autoCapture: captureMethod === "automatic",
    externalReferenceId: id,
    expiries: {
      authorizationExpiresAt: new Date(createdAt + payWithin(options)).toISOString(),
      ...(options.refundWithinDays !== undefined && {
        refundExpiresAt: new Date(createdAt + options.refundWithinDays * day).toISOString()
      })
    },
    ...(returnUrl !== null && { redirect: { successUrl: returnUrl, failureUrl: returnUrl } }),
    ...(Object.keys(compliance).length > 0 && { compliance }),
    metadata: { ...notesOf(operation), paymux_capture: captureMethod }
  }
}

/** Coinbase requires the buyer of some accounts: what is known of the payer is sent, and Coinbase lists what is missing. */
const complianceOf = ({ client, customer: { address, name } }: ProviderOperation) => ({
  ...(typeof client?.ip === "string" && { requesterIpAddress: client.ip }),
  ...((name !== null || address !== null) && {
    buyer: { ...(name !== null && { name }), ...(address !== null && { address: addressOf(address) }) }
  })
})

const addressOf = ({ city, country, line1, line2, postalCode, state }: NonNullable<Customer["address"]>) => ({
  line1,
  ...(line2 !== null && { line2 }),
  ...(city !== null && { city }),
  ...(state !== null && { state }),
  ...(postalCode !== null && { postCode: postalCode }),
  countryCode: country
})

/** ms */
const day = 86_400_000

/** What is not captured goes back to the payer at once. */
export const captureBody = (operation: ProviderOperation): object | null => {
  const amount = Wire.decimal(operation.amount)
  return amount === null ? null : { amount, finalCapture: true, metadata: named(operation) }
}

export const voidBody = (operation: ProviderOperation): object => ({ metadata: named(operation) })

export const refundBody = (operation: ProviderOperation, options: CoinbaseOptions): object | null => {
  const amount = Wire.decimal(operation.amount)
  const reason = (operation.reason ?? "").trim()
  return amount === null
    ? null
    : { source: refundSource(options), amount, ...(reason !== "" && { reason }), metadata: named(operation) }
}

/** By default what was paid into; an account is charged in what was paid, whatever it is settled in. */
const refundSource = (options: CoinbaseOptions): object => {
  const { refundFrom, target } = options
  if (refundFrom !== undefined) return refundFrom
  return "address" in target ? { address: target.address } : { accountId: target.accountId, asset: assetOf(options) }
}

/** Only a client with the key can write it. */
const named = ({ id }: Pick<ProviderOperation, "id">) => ({ paymux_operation: id })

/** Ten entries in all, of 40 and 500 characters. */
const notesOf = ({ metadata }: ProviderOperation): object =>
  Object.fromEntries(
    Object.entries(metadata)
      .filter(([key, value]) => !key.startsWith("paymux_") && key.length <= 40 && value.length <= 500)
      .slice(0, 8)
  )

/** How a session is captured; `null`: it does not say. */
export const captureMethodOf = ({ autoCapture, metadata }: Wire.Summary): ProviderOperation["captureMethod"] | null => {
  if (typeof autoCapture === "boolean") return autoCapture ? "automatic" : "manual"
  const said = metadata?.["paymux_capture"]
  return said === "automatic" || said === "manual" ? said : null
}

/** The capture, void or refund is one that we asked for. */
export const operationOfAction = ({ metadata }: Wire.Action): OperationId | null =>
  operationNamed(metadata?.["paymux_operation"])

/** `null`: the session is not ours. */
export const operationNamed = (name: string | null | undefined): OperationId | null =>
  typeof name === "string" && Ids.isOperation(name) ? name : null
