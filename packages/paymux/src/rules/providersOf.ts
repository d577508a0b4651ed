/** The providers that rules are checked against, without an engine or a database. */
import type { RoutableProvider } from "@paymux/core/routing"
import { sandboxRoutes } from "@paymux/sandbox"
import { Data, Effect } from "effect"
import type { PaymuxOptions } from "../options/PaymuxOptions.ts"
import { instancesOf, routable } from "../options/instances.ts"
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
  const instances = instancesOf(options.providers ?? [])
  const named = routable(instances)
  const all =
    sandbox || isSandbox(options.sandbox)
      ? [...named, ...sandboxRoutes(sandboxModels(options.sandbox ?? true, instances.providers))]
      : named
  return all.length === 0 ? Effect.fail(new NoProviders()) : Effect.succeed(all)
}
