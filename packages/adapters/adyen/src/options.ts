/** What an instance is configured with, strictly. */
import { Schema } from "effect"

const Secret = Schema.RedactedFromValue(Schema.NonEmptyString)
const HmacKey = Schema.RedactedFromValue(Schema.String.check(Schema.isPattern(/^([0-9a-fA-F]{2}){16,}$/)))

const Fields = Schema.Struct({
  /** Which of Adyen's two worlds the key is of: an API key itself does not tell. It decides the host, and whether real money moves. */
  environment: Schema.Literals(["test", "live"]),
  /** `X-API-Key` of a web service user. */
  apiKey: Secret,
  /** The one account that is paid into: what a webhook tells of another one is left out. */
  merchantAccount: Schema.NonEmptyString.check(Schema.isPattern(/^[^:\s]{1,80}$/)),
  /** Hex, as the Customer Area shows it. The newest first: Adyen signs with the old one for a while after it was changed. */
  hmacKeys: Schema.NonEmptyArray(HmacKey),
  /** The company's own part of the live host, such as `1797a841fbb37ca7-AdyenDemo`: needed in `live`, and in `live` only. */
  liveUrlPrefix: Schema.optionalKey(Schema.String.check(Schema.isPattern(/^[0-9a-zA-Z]+(-[0-9a-zA-Z]+)*$/))),
  /** How long the payer has for 3-D Secure or a payment link, in minutes: 60 by default, 70 days at most. */
  payWithinMinutes: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 5, maximum: 100_800 }))),
  /** Where the API is, with its version; for tests. */
  baseUrl: Schema.optionalKey(Schema.String)
})

export const AdyenOptions = Fields.check(
  Schema.makeFilter(({ environment, liveUrlPrefix }) => {
    if (environment === "live" && liveUrlPrefix === undefined) return told("is needed in live")
    return environment === "test" && liveUrlPrefix !== undefined
      ? told("is of live, and the environment is test")
      : undefined
  })
)
export type AdyenOptions = typeof AdyenOptions.Type

const told = (issue: string) => ({ path: ["liveUrlPrefix"], issue })

export const baseUrlOf = ({
  baseUrl,
  liveUrlPrefix
}: Pick<AdyenOptions, "baseUrl" | "environment" | "liveUrlPrefix">): string =>
  baseUrl ??
  (liveUrlPrefix === undefined
    ? "https://checkout-test.adyen.com/v72"
    : `https://${liveUrlPrefix}-checkout-live.adyenpayments.com/checkout/v72`)

/** ms */
export const payWithin = ({ payWithinMinutes = 60 }: Pick<AdyenOptions, "payWithinMinutes">): number =>
  payWithinMinutes * 60_000
