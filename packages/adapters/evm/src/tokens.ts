/**
 * Amounts between a currency's minor units and a token's base units. One coin is one unit of its currency: there are no
 * exchange rates here, and no floats. Base units are `bigint`, minor units the safe integers of `Money`.
 */
import { Currency, Money } from "@paymux/core"
import type { CurrencyCode } from "@paymux/core"
import { Amount } from "@paymux/provider-kit"
import { Result } from "effect"
import type { Address } from "viem"

/** A coin that is taken at par. */
export interface Coin {
  /** Such as `USDC`. */
  readonly asset: string
  /** In lower case: contracts are compared as text. */
  readonly contract: Address
  readonly decimals: number
  readonly currency: CurrencyCode
}

/** Coins and the currencies that their issuers redeem them in, one for one. */
export const par: { readonly [asset: string]: string } = { USDC: "USD", EURC: "EUR" }

/** Base units of one minor unit: 10,000 for a cent of a coin with 6 decimals. */
export const unitsPerMinor = ({ currency, decimals }: Pick<Coin, "currency" | "decimals">): bigint =>
  10n ** BigInt(decimals - Currency.exponent(currency))

/** Base units of an amount in the coin's own currency. */
export const unitsOf = (minorUnits: number, coin: Pick<Coin, "currency" | "decimals">): bigint =>
  BigInt(minorUnits) * unitsPerMinor(coin)

/** Whole minor units of what arrived: what is less than one of them counts for nothing. */
export const minorOf = (units: bigint, coin: Pick<Coin, "currency" | "decimals">): number => {
  const minor = units / unitsPerMinor(coin)
  const most = BigInt(Money.MAX_MINOR_UNITS)
  return Number(minor < most ? minor : most)
}

/** Decimal text for people and wallets, such as `12.50`. */
export const decimalText = (minorUnits: number, currency: CurrencyCode): string =>
  Result.getOrThrow(Amount.majorFromMinor(BigInt(minorUnits), Currency.exponent(currency)))
