/** Option `rateLimit`: how many requests over HTTP each account and mode may make in a second. */
import { rateLimitDefaults } from "@paymux/http"
import type { RateLimitSettings } from "@paymux/http"
import { Predicate } from "effect"

export type RateLimitOption = Partial<RateLimitSettings> | false

/** `null`: no limits. */
export const rateLimitOf = (option: RateLimitOption | undefined): RateLimitSettings | null =>
  option === false
    ? null
    : {
        writesPerSecond: option?.writesPerSecond ?? rateLimitDefaults.writesPerSecond,
        readsPerSecond: option?.readsPerSecond ?? rateLimitDefaults.readsPerSecond
      }

export const rateLimitProblems = (option: unknown): ReadonlyArray<string> => {
  if (option === undefined || option === false) return []
  if (!Predicate.isObject(option)) return ["rateLimit must be an object of settings, or false for no limits."]
  const { readsPerSecond, writesPerSecond, ...others }: { readonly [name: string]: unknown } = { ...option }
  return [
    ...Object.keys(others).map((key) => `There is no option "rateLimit.${key}".`),
    ...Object.entries({ writesPerSecond, readsPerSecond })
      .filter(([, value]) => value !== undefined && !isLimit(value))
      .map(([name]) => `rateLimit.${name} must be a whole number from 1 to 1000000.`)
  ]
}

const isLimit = (value: unknown): boolean => Number.isInteger(value) && Number(value) >= 1 && Number(value) <= 1_000_000
