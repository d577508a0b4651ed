/** What an instance is configured with, strictly: a key of the other environment is refused before anything is sent. */
import type { ProviderMode } from "@paymux/core"
import { Redacted, Schema } from "effect"

const Secret = Schema.RedactedFromValue(Schema.NonEmptyString)

const Fields = Schema.Struct({
  /** The environment of the keys. It decides the host, and whether real money moves. */
  environment: Schema.Literals(["sandbox", "production"]),
  /** `x-client-id`, as the dashboard shows it. */
  clientId: Schema.NonEmptyString,
  /** `x-client-secret`. Webhooks are signed with it, too. */
  clientSecret: Secret,
  /** Client secrets that were replaced: a webhook that was sent before is still signed with the one of then. */
  previousSecrets: Schema.optionalKey(Schema.Array(Secret)),
  /**
   * Order Pay (S2S) is enabled for the account: payers get a UPI link or a QR code instead of Cashfree's page. Cashfree enables it on
   * request, and requires PCI DSS compliance.
   */
  s2s: Schema.optionalKey(Schema.Boolean),
  /**
   * How long the payer has, in minutes: `order_expiry_time` and `link_expiry_time`. 20 by default; at least 16, for Cashfree wants 15 from when
   * the order arrives; at most 30 days.
   */
  payWithinMinutes: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 16, maximum: 43_200 }))),
  /** Whether the account may hold funds by a UPI one-time mandate, with `s2s`: Cashfree enables it on request. */
  preauthorization: Schema.optionalKey(Schema.Boolean),
  /** Where the API is, with its `/pg`; for tests. */
  baseUrl: Schema.optionalKey(Schema.String)
})

/**
 * Cashfree writes the environment into newer secrets (`cfsk_ma_test_`, `cfsk_ma_prod_`) and into the client ids of the
 * sandbox (`TEST`). Older ones tell nothing, so the option decides and these only contradict.
 */
export const CashfreeOptions = Fields.check(
  Schema.makeFilter(({ clientId, clientSecret, environment, preauthorization, s2s }) => {
    if (preauthorization === true && s2s !== true) return { path: ["preauthorization"], issue: "needs s2s" }
    const other = environment === "production" ? "cfsk_ma_test_" : "cfsk_ma_prod_"
    if (Redacted.value(clientSecret).startsWith(other)) return refused("clientSecret")
    return environment === "production" && clientId.startsWith("TEST") ? refused("clientId") : undefined
  })
)
export type CashfreeOptions = typeof CashfreeOptions.Type

const refused = (field: string) => ({ path: [field], issue: "is of the other environment" })

export const modeOf = ({ environment }: CashfreeOptions): ProviderMode =>
  environment === "production" ? "live" : "test"

export const baseUrlOf = ({ baseUrl, environment }: Pick<CashfreeOptions, "baseUrl" | "environment">): string =>
  baseUrl ?? (environment === "production" ? "https://api.cashfree.com/pg" : "https://sandbox.cashfree.com/pg")

/** The newest first. */
export const webhookSecrets = ({
  clientSecret,
  previousSecrets = []
}: CashfreeOptions): ReadonlyArray<Redacted.Redacted> => [clientSecret, ...previousSecrets]

/** ms */
export const payWithin = ({ payWithinMinutes = 20 }: CashfreeOptions): number => payWithinMinutes * 60_000
