/** A mistake that an adapter's author could make, planted into an adapter that passes every check. */
import type { InquiryOutcome, Provider, ProviderError, ProviderOperation, ProviderOperations } from "@paymux/core"
import type { CheckId } from "@paymux/testkit"
import { Effect } from "effect"

export interface Bug {
  /** The check that must catch it. */
  readonly check: CheckId
  /** What the author did. */
  readonly name: string
  /**
   * `acme`: the scaffold, one call and keys. `northbank`: an order first, references, batches; in Promises. `stripe`: with a
   * statement.
   */
  readonly adapter: "acme" | "northbank" | "stripe"
  /** It never ends, and its check waits as long as for a slow machine: these run beside each other. */
  readonly hangs?: true
  readonly plant: (provider: Provider) => Provider
}

/** The provider with other operations. */
export const withOperations = (
  provider: Provider,
  change: (operations: ProviderOperations) => Partial<ProviderOperations>
): Provider => ({
  ...provider,
  make: (context) => Effect.map(provider.make(context), (made) => ({ ...made, ...change(made) }))
})

type Call = (operation: ProviderOperation) => Effect.Effect<InquiryOutcome, ProviderError>

/** The provider whose `create` is given another operation. */
export const creating = (provider: Provider, change: (operation: ProviderOperation) => ProviderOperation): Provider =>
  withOperations(provider, ({ create }) => ({ create: (operation) => create(change(operation)) }))

/** The provider whose `create` answers something else; a cast, because a bug may answer what it must not. */
export const answering = (provider: Provider, change: (call: Call) => Call): Provider =>
  withOperations(provider, ({ create }) => ({ create: change(create) as ProviderOperations["create"] }))
