/** What an instance is configured with, strictly: what does not fit is refused before anything is sent. */
import type { ProviderMode } from "@paymux/core"
import { Redacted, Schema } from "effect"
import { readKey } from "./key.ts"

/** `account_…` with the asset that it is settled in. */
const Account = Schema.Struct({
  accountId: Schema.String.check(Schema.isPattern(/^account_[a-f0-9-]{36}$/)),
  asset: Schema.Literals(["usdc", "usd", "eurc", "eur"])
})
const Address = Schema.String.check(Schema.isPattern(/^0x[0-9a-fA-F]{40}$/))

const Fields = Schema.Struct({
  /** The environment of the key. It decides the host, and whether real money moves. */
  environment: Schema.Literals(["sandbox", "live"]),
  /** The key's name: a UUID, or `organizations/…/apiKeys/…`. */
  apiKeyId: Schema.NonEmptyString,
  /** The key's secret: PEM (ECDSA), or base64 (Ed25519). */
  apiKeySecret: Schema.RedactedFromValue(
    Schema.String.check(
      Schema.makeFilter((secret) => readKey(secret) !== null || "is no ECDSA (P-256) or Ed25519 key of CDP")
    )
  ),
  /** `secret` of the webhook subscription, the newest first; while it is replaced, both. */
  webhookSecrets: Schema.NonEmptyArray(Schema.RedactedFromValue(Schema.NonEmptyString)),
  /** Where captured funds go: a CDP account, or an address on Base. */
  target: Schema.Union([
    Account,
    Schema.Struct({ address: Address, network: Schema.Literals(["base", "base-sepolia"]) })
  ]),
  /** What refunds are paid from. By default the target: its account, in the session's asset, or its address. */
  refundFrom: Schema.optionalKey(Schema.Union([Account, Schema.Struct({ address: Address })])),
  /** What payers pay: USDC is a dollar, EURC a euro. USDC by default. */
  asset: Schema.optionalKey(Schema.Literals(["usdc", "eurc"])),
  /** How long the payer has, in minutes: `authorizationExpiresAt`. 60 by default. */
  payWithinMinutes: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 5, maximum: 1_440 }))),
  /** How long refunds are possible, in days: `refundExpiresAt`. Coinbase's own default is 30. */
  refundWithinDays: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 8, maximum: 730 }))),
  /** Where the API is, with its `/platform`; for tests. Without https an instance starts on loopback only. */
  baseUrl: Schema.optionalKey(Schema.String)
})

export const CoinbaseOptions = Fields.check(
  Schema.makeFilter(({ asset, environment, target }) => {
    if ("address" in target && target.network === "base-sepolia" && environment === "live") {
      return { path: ["target", "network"], issue: "is a test network, and the environment is live" }
    }
    return asset === "eurc" && "address" in target
      ? { path: ["asset"], issue: "goes to an account only: addresses are paid in USDC" }
      : undefined
  })
)
export type CoinbaseOptions = typeof CoinbaseOptions.Type

export const modeOf = ({ environment }: CoinbaseOptions): ProviderMode => (environment === "live" ? "live" : "test")

export const baseUrlOf = ({ baseUrl, environment }: Pick<CoinbaseOptions, "baseUrl" | "environment">): string =>
  baseUrl ??
  (environment === "live" ? "https://api.cdp.coinbase.com/platform" : "https://sandbox.cdp.coinbase.com/platform")

/** The asset as Coinbase writes it. */
export const assetOf = ({ asset = "usdc" }: Pick<CoinbaseOptions, "asset">) => asset

/** ms */
export const payWithin = ({ payWithinMinutes = 60 }: CoinbaseOptions): number => payWithinMinutes * 60_000

export const credentialsOf = ({ apiKeyId, apiKeySecret }: Pick<CoinbaseOptions, "apiKeyId" | "apiKeySecret">) => {
  const key = readKey(Redacted.value(apiKeySecret))
  if (key === null) throw new Error("the options have been checked")
  return { id: apiKeyId, key }
}
