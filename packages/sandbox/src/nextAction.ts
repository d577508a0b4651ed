/** The next action for the payer of a simulated payment. */
import { cardToken, Currency } from "@paymux/core"
import type { Money, NextAction, ProviderOperation } from "@paymux/core"
import { Amount } from "@paymux/provider-kit"
import { Result } from "effect"
import { chooseStablecoin, transferUri } from "./Stablecoins.ts"

export interface Issuer {
  readonly provider: string
  /** The public URL of this server, without a trailing slash. */
  readonly publicUrl: string
}

/**
 * The next action of the payer; `null`: none, because the provider is processing (a card token without a challenge).
 *
 * An action has no expiry: a simulated payment waits until it is decided.
 */
export const nextAction = (
  operation: ProviderOperation,
  issuer: Issuer,
  reference: string,
  waits: boolean
): NextAction | null => {
  const { amount, method } = operation
  const exponent = Currency.exponent(amount.currency)
  switch (method.rail) {
    case "card":
      return waits || cardToken(method, issuer.provider) === null
        ? { type: "redirect", url: pageUrl(issuer, reference), expiresAt: null }
        : null
    case "upi":
      switch (method.flow) {
        case "intent":
          return { type: "upi_intent", uri: upiUri(operation, reference), expiresAt: null }
        case "qr":
          return { type: "upi_qr", payload: upiUri(operation, reference), image: null, expiresAt: null }
        case "collect":
          return { type: "wait", expiresAt: null }
        case "hosted":
          return { type: "redirect", url: pageUrl(issuer, reference), expiresAt: null }
      }
    // falls through: every flow has returned
    case "stablecoin": {
      const coin = chooseStablecoin(method)
      const address = simulatedAddress(reference)
      return {
        type: "stablecoin_transfer",
        address,
        uri: transferUri(coin, address, amount.minorUnits, exponent),
        amount: decimal(amount),
        asset: coin.asset,
        network: coin.network,
        expiresAt: null
      }
    }
  }
}

const pageUrl = ({ provider, publicUrl }: Issuer, reference: string): string =>
  `${publicUrl}/sandbox/pay/${encodeURIComponent(provider)}/${encodeURIComponent(reference)}`

/**
 * The link by the NPCI UPI Linking Specification 1.6: pa payee, pn name, am decimal amount, tr reference (at most 35
 * characters).
 */
const upiUri = ({ amount, description }: ProviderOperation, reference: string): string =>
  [
    "upi://pay?pa=sandbox@paymux",
    "pn=Paymux%20Sandbox",
    `tr=${encodeURIComponent(reference.slice(0, 35))}`,
    ...(description === null ? [] : [`tn=${encodeURIComponent(truncated(description, 50))}`]),
    `am=${decimal(amount)}`,
    `cu=${amount.currency}`
  ].join("&")

/**
 * The amount in units of the currency, such as `12.50`. A stored amount is a positive safe integer, so this never
 * throws.
 */
const decimal = ({ currency, minorUnits }: Money.Money): string =>
  Result.getOrThrow(Amount.majorFromMinor(BigInt(minorUnits), Currency.exponent(currency)))

// Cuts between code points, since half of a surrogate pair is invalid in a URI.
const truncated = (text: string, max: number): string => Array.from(text).slice(0, max).join("").toWellFormed()

/**
 * A simulated blockchain address without a known private key: 20 random bytes, the last 20 characters of the reference.
 */
const simulatedAddress = (reference: string): string =>
  `0x${Array.from(reference.slice(-20).padStart(20, "0"), (character) =>
    (character.charCodeAt(0) & 0xff).toString(16).padStart(2, "0")
  ).join("")}`
