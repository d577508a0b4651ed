/** The handlers of provider instances. */
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { CurrentTenant } from "../../access/AccessControl.ts"
import { Providers } from "../../providers/Providers.ts"
import { ControlApi } from "../ControlApi.ts"
import { control, missing } from "../controlHandler.ts"

export const providersHandlers = HttpApiBuilder.group(ControlApi, "providers", (handlers) =>
  Effect.map(Providers, (providers) =>
    handlers
      .handle("list", () => control(Effect.map(CurrentTenant, ({ livemode }) => ({ data: providers.list(livemode) }))))
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
