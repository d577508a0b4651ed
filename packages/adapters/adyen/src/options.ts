/** What an instance is configured with, strictly. */
import { Schema } from "effect"
import { isTimeZone } from "./reportTime.ts"

const matching = (pattern: RegExp, message: string) => Schema.String.check(Schema.isPattern(pattern, { message }))

/** It goes into a header, as it is. */
const ApiKey = Schema.RedactedFromValue(
  matching(/^[\x21-\x7e]+$/, "must be the API key: letters, digits and signs of ASCII, without spaces or line ends")
)
const HmacKey = Schema.RedactedFromValue(
  matching(/^([0-9a-fA-F]{2}){16,}$/, "must be hexadecimal, 32 digits at least (Adyen's have 64)")
)

const wholeNumber = (minimum: number, maximum: number) => {
  const message = `must be a whole number from ${minimum} to ${maximum}`
  return Schema.Number.annotate({ message }).check(
    Schema.isInt({ message }),
    Schema.isBetween({ minimum, maximum }, { message })
  )
}

const zoneMessage = "must be a name of the IANA time zone database, such as America/Chicago"

const Fields = Schema.Struct({
  /** The environment of the key, which the key itself does not show. It decides the host, and whether real money moves. */
  environment: Schema.Literals(["test", "live"]).annotate({ message: "must be test or live" }),
  /** `X-API-Key` of a web service user. */
  apiKey: ApiKey,
  /** The one merchant account that is paid: webhook items of other accounts are ignored. */
  merchantAccount: matching(/^[^:\s]{1,80}$/, "must be the account's name: 1 to 80 characters, no spaces, no colon"),
  /** Hex, as the Customer Area shows it. The newest first: Adyen signs with the old one for a while after it was changed. */
  hmacKeys: Schema.NonEmptyArray(HmacKey),
  /** The company's own part of the live host, such as `1797a841fbb37ca7-AdyenDemo`: needed in `live`, and in `live` only. */
  liveUrlPrefix: Schema.optionalKey(
    matching(
      /^[0-9a-zA-Z]+(-[0-9a-zA-Z]+)*$/,
      "must be the company's part of the host alone: 1797a841fbb37ca7-AdyenDemo"
    )
  ),
  /** How long the payer has for 3-D Secure or a payment link, in minutes: 60 by default. Of 70 days, one minute is left out. */
  payWithinMinutes: Schema.optionalKey(wholeNumber(5, 100_800)),
  /**
   * Adds the statement: settlement detail reports. They are downloaded with the API key of a user of their own, with the role
   * "Merchant Report Download".
   */
  reports: Schema.optionalKey(
    Schema.Struct({
      apiKey: ApiKey,
      /** The oldest batch whose report is read; 1 by default. It has to be there. */
      firstBatch: Schema.optionalKey(wholeNumber(1, 100_000_000)),
      /** From which age on a payment is in a batch that was paid out, in days: 21 by default. It depends on how often you are paid out. */
      bookedWithinDays: Schema.optionalKey(wholeNumber(1, 90)),
      /**
       * The zone of abbreviations in reports that are not known or mean several zones, such as `CST`: a name of the IANA database,
       * such as `America/Chicago`. Without it, such a report cannot be read.
       */
      timeZone: Schema.optionalKey(
        Schema.String.annotate({ message: zoneMessage }).check(Schema.makeFilter(isTimeZone, { message: zoneMessage }))
      ),
      /** Where reports are; for tests. */
      baseUrl: Schema.optionalKey(Schema.String)
    })
  ),
  /** Where the API is, with its version; for tests. */
  baseUrl: Schema.optionalKey(Schema.String)
})

const prefixFits = (fits: (options: typeof Fields.Type) => boolean, message: string) =>
  Schema.makeFilter(
    (options: typeof Fields.Type) => (fits(options) ? undefined : { path: ["liveUrlPrefix"], issue: message }),
    { message }
  )

export const AdyenOptions = Fields.check(
  prefixFits(
    ({ environment, liveUrlPrefix }) => environment === "test" || liveUrlPrefix !== undefined,
    "is missing: in live it is needed"
  ),
  prefixFits(
    ({ environment, liveUrlPrefix }) => environment === "live" || liveUrlPrefix === undefined,
    "is of live, and the environment is test"
  )
)
export type AdyenOptions = typeof AdyenOptions.Type

export const baseUrlOf = ({
  baseUrl,
  liveUrlPrefix
}: Pick<AdyenOptions, "baseUrl" | "environment" | "liveUrlPrefix">): string =>
  baseUrl ??
  (liveUrlPrefix === undefined
    ? "https://checkout-test.adyen.com/v72"
    : `https://${liveUrlPrefix}-checkout-live.adyenpayments.com/checkout/v72`)

/** ms. Adyen refuses a link of 70 days and more, by its own clock. */
export const payWithin = ({ payWithinMinutes = 60 }: Pick<AdyenOptions, "payWithinMinutes">): number =>
  Math.min(payWithinMinutes, 70 * 24 * 60 - 1) * 60_000
