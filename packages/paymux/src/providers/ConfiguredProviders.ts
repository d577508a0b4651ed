/** The provider instances of a running server. */
import { ProviderRegistry } from "@paymux/core/engine"
import { Providers, RoutingRules } from "@paymux/dashboard"
import { accountRefusals } from "@paymux/sql"
import { Clock, Effect, Layer, Semaphore } from "effect"
import { SqlClient } from "effect/sql"
import { helpFor, week } from "../doctor/accountFindings.ts"
import { examineServer } from "../doctor/examine.ts"
import { probe } from "../doctor/probe.ts"
import type { PaymuxSettings } from "../options/PaymuxOptions.ts"
import { providerInstance } from "./providerInstance.ts"

export const layer = (settings: PaymuxSettings) =>
  Layer.effect(
    Providers,
    Effect.gen(function* () {
      const registry = yield* ProviderRegistry
      const sql = yield* SqlClient.SqlClient
      const rules = yield* RoutingRules
      const { cellUrl } = settings
      // One check at a time: impatient clicks must not use up the rate limit of a provider.
      const alone = Semaphore.withPermit(yield* Semaphore.make(1))
      const serving = (livemode: boolean) =>
        registry.providers.flatMap(({ id }) => registry.serving(id, livemode) ?? [])
      return Providers.of({
        list: (livemode) =>
          serving(livemode).map(({ operations, provider }) => providerInstance(provider, cellUrl, operations)),
        check: (livemode, id) => {
          const running = registry.serving(id, livemode)
          return running === null ? Effect.succeed(null) : alone(probe(running.provider, running.operations, cellUrl))
        },
        accountRefusals: Effect.fnUntraced(function* (tenant, id) {
          const running = registry.serving(id, tenant.livemode)
          if (running === null) return null
          const since = (yield* Clock.currentTimeMillis) - week
          const refusals = yield* Effect.provideService(accountRefusals(tenant, id, since), SqlClient.SqlClient, sql)
          return refusals.map((refusal) => ({ ...refusal, help: helpFor(running.provider, refusal) }))
        }),
        doctor: (tenant) =>
          alone(
            Effect.provideService(
              examineServer(settings, tenant, rules, serving(tenant.livemode)),
              SqlClient.SqlClient,
              sql
            )
          )
      })
    })
  )
