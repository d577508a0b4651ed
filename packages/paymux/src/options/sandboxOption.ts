/** `sandbox`: whether there are simulated providers, and whose requirements they have. */
import type { Provider } from "@paymux/core"
import { vendorModels } from "@paymux/sandbox"
import type { ProviderModel } from "@paymux/sandbox"
import { Predicate } from "effect"

/** Simulated providers that require what others require. */
export interface SandboxOptions {
  /**
   * Ids of configured providers, or names of vendors: `adyen`, `cashfree`, `coinbase`, `razorpay`, `stripe`. The simulated
   * providers of a rail take and require what these do on it, the first as the first of them, the second as the next.
   * `[]`: whatever can be simulated. Default: the configured providers.
   */
  readonly like: ReadonlyArray<string>
}

export type SandboxOption = boolean | SandboxOptions

export const isSandbox = (sandbox: SandboxOption | undefined): boolean => sandbox !== undefined && sandbox !== false

/** The models of the simulated providers, in their order. */
export const sandboxModels = (
  sandbox: SandboxOption | undefined,
  providers: ReadonlyArray<Provider>
): ReadonlyArray<ProviderModel> => {
  const configured = providers.map(({ capabilities, id }) => ({ id, methods: capabilities.methods }))
  if (sandbox === undefined || typeof sandbox === "boolean") return isSandbox(sandbox) ? configured : []
  const known = [...configured, ...vendors]
  return sandbox.like.flatMap((name) => known.find(({ id }) => id === name) ?? [])
}

const vendors: ReadonlyArray<ProviderModel> = Object.entries(vendorModels).map(([id, methods]) => ({ id, methods }))

export const sandboxProblems = (sandbox: unknown, providers: ReadonlyArray<Provider>): ReadonlyArray<string> => {
  if (sandbox === undefined || typeof sandbox === "boolean") return []
  if (!Predicate.isObject(sandbox)) return ['sandbox must be true, false, or { like: ["razorpay"] }.']
  const { like, ...others }: { readonly [key: string]: unknown } = sandbox
  const names = Array.isArray(like) ? like : null
  const known = [...providers, ...vendors].map(({ id }) => id)
  return [
    ...Object.keys(others).map((key) => `There is no option "sandbox.${key}".`),
    ...(names === null ? ['sandbox.like must be a list of names: ["razorpay"].'] : []),
    ...(names ?? [])
      .filter((name) => !known.includes(name))
      .map((name) => `sandbox.like names ${JSON.stringify(name)}, which is none of ${[...new Set(known)].join(", ")}.`)
  ]
}
