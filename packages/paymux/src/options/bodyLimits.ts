/** Option `bodyLimits`: how large the body of a request over HTTP may be. */
import { bodyLimitDefaults } from "@paymux/http"
import type { BodyLimits } from "@paymux/http"
import { Predicate } from "effect"

export type BodyLimitsOption = Partial<BodyLimits>

export const bodyLimitsOf = (option: BodyLimitsOption | undefined): BodyLimits => ({
  default: option?.default ?? bodyLimitDefaults.default,
  webhooks: option?.webhooks ?? bodyLimitDefaults.webhooks
})

export const bodyLimitsProblems = (option: unknown): ReadonlyArray<string> => {
  if (option === undefined) return []
  if (!Predicate.isObject(option) || Array.isArray(option)) return ["bodyLimits must be an object of limits in bytes."]
  const { default: general, webhooks, ...others }: { readonly [name: string]: unknown } = { ...option }
  return [
    ...Object.keys(others).map((key) => `There is no option "bodyLimits.${key}".`),
    ...Object.entries({ default: general, webhooks })
      .filter(([, value]) => value !== undefined && !isLimit(value))
      .map(([name]) => `bodyLimits.${name} must be a whole number of bytes from ${smallest} to ${largest} (64 MiB).`)
  ]
}

/** A payment with all its fields has more than a smaller limit would allow. */
const smallest = 1024
const largest = 64 * 1024 * 1024

const isLimit = (value: unknown): boolean =>
  Number.isInteger(value) && Number(value) >= smallest && Number(value) <= largest
