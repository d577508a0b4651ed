/** The providers that rules are checked against, without an engine or a database. */
import type { RoutableProvider } from "@paymux/core/routing"
import { sandboxRoutes } from "@paymux/sandbox"
import { Data, Effect } from "effect"
import type { PaymuxOptions } from "../options/PaymuxOptions.ts"
import { isSandbox, sandboxModels } from "../options/sandboxOption.ts"

/** Nothing to check against. */
export class NoProviders extends Data.TaggedError("NoProviders") {
  override get message(): string {
    return "No provider is configured: name your configuration with --config, or take --sandbox."
  }
}

export const providersOf = (
  options: PaymuxOptions,
  sandbox: boolean
): Effect.Effect<ReadonlyArray<RoutableProvider>, NoProviders> => {
  const { providers = [] } = options
  const all =
    sandbox || isSandbox(options.sandbox)
      ? [...providers, ...sandboxRoutes(sandboxModels(options.sandbox ?? true, providers))]
      : providers
  return all.length === 0 ? Effect.fail(new NoProviders()) : Effect.succeed(all)
}
