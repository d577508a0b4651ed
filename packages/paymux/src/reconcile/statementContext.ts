/** Of an instance that reads its statement beside a server: it sees the state that the server keeps, and changes nothing. */
import type { Provider, ProviderContext } from "@paymux/core"
import { stateId } from "@paymux/core/engine"
import { PaymentStore } from "@paymux/core/store"
import { Effect } from "effect"
import { contextOf } from "../doctor/probe.ts"

export const statementContext = (
  provider: Provider,
  publicUrl: string
): Effect.Effect<ProviderContext, never, PaymentStore> =>
  PaymentStore.useSync(({ providerState }) => {
    const context = contextOf(provider, publicUrl)
    const get = (key: string) => Effect.orDie(providerState.get(stateId(provider), key))
    return { ...context, state: { ...context.state, get } }
  })
