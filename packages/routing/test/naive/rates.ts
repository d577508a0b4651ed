/** Generated success rates of providers: equal for equal questions, and of some providers none. */
import type { Demotion } from "@paymux/core/routing"
import { stickyHash } from "../../src/choose/stickyHash.ts"
import type { Known } from "../../src/learn/SuccessRates.ts"

/** What is known of the providers while a payment is decided. */
export interface Vitals {
  /** Providers that are tried last, and why. */
  readonly demoted: ReadonlyMap<string, Demotion>
  /** Of the rates. */
  readonly seed: number
}

/** All that an estimate depends on: the payment's kind, and how the rule learns. */
export interface Question {
  readonly kind: ReadonlyArray<string | number | null>
  readonly metadata: { readonly [key: string]: string }
  readonly rule: string
  readonly windowMs: number | null
  readonly learnFrom: string
  readonly segments: ReadonlyArray<string>
  readonly providers: ReadonlyArray<string>
  readonly strength: number
  /** Percent. */
  readonly prior: ReadonlyArray<readonly [provider: string, rate: number]>
  readonly weights: readonly [expired: number, authenticationFailed: number]
}

/** `null`: nothing is learned of the provider. */
export const knownOf = ({ seed }: Vitals, provider: string, question: Question): Known | null => {
  if (stickyHash(provider, seed) % 11 === 0) return null
  const percents = {
    prior: question.prior.map(([name, rate]) => [name, tenth(rate)]),
    weights: question.weights.map(tenth)
  }
  const hash = stickyHash(JSON.stringify([provider, { ...question, ...percents }]), seed)
  const rate = [0.000_5, 0.31, 0.8, 0.9, 0.93, 0.95, 0.97, 0.999_5][hash % 8] ?? 0
  const known = [0.3, 4, 4, 12.5, 80, 400, 12_000][(hash >>> 4) % 7] ?? 0
  return { rate, known, basis: `${(hash >>> 8) % 300} visa cards, none from DE` }
}

const tenth = (percent: number): number => Math.round(percent * 10)
