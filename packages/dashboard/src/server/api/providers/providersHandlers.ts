/** The handlers of provider instances. */
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { CurrentTenant } from "../../access/AccessControl.ts"
import { Providers } from "../../providers/Providers.ts"
import type { HelpedRefusal } from "../../providers/Providers.ts"
import { ControlApi } from "../ControlApi.ts"
import { control, missing } from "../controlHandler.ts"

export const providersHandlers = HttpApiBuilder.group(ControlApi, "providers", (handlers) =>
  Effect.map(Providers, (providers) =>
    handlers
      .handle("list", () => control(Effect.map(CurrentTenant, ({ livemode }) => ({ data: providers.list(livemode) }))))
      .handle("account", ({ params }) =>
        control(
          Effect.gen(function* () {
            const refusals = yield* providers.accountRefusals(yield* CurrentTenant, params.id)
            return refusals === null ? yield* missing("provider") : { data: refusals.map(refusalJson) }
          })
        )
      )
      .handle("check", ({ params }) =>
        control(
          Effect.gen(function* () {
            const { livemode } = yield* CurrentTenant
            const data = yield* providers.check(livemode, params.id)
            return data === null ? yield* missing("provider") : { data }
          })
        )
      )
      .handle("doctor", () =>
        control(Effect.flatMap(CurrentTenant, providers.doctor).pipe(Effect.map((data) => ({ data }))))
      )
  )
)

const refusalJson = ({ code, count, currency, flow, help, lastAt, rail, vendorCode }: HelpedRefusal) => ({
  paymentMethod: rail,
  flow,
  currency,
  code,
  vendorCode,
  help,
  count,
  lastAt
})
