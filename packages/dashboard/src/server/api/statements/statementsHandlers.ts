/** The handlers of providers' statements. */
import { ProviderRegistry } from "@paymux/core/engine"
import type { StoreUnavailable } from "@paymux/core/store"
import { Statements } from "@paymux/sql"
import type { MovementQuery, StatementCursorInvalid, StatementList } from "@paymux/sql"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { CurrentTenant } from "../../access/AccessControl.ts"
import { providerStatements } from "../../statements/providerStatements.ts"
import { ControlApi } from "../ControlApi.ts"
import { control, invalid, invalidCursor, missing } from "../controlHandler.ts"
import type { ControlError } from "../controlHandler.ts"
import { defaultLimit } from "../fields.ts"

export const statementsHandlers = HttpApiBuilder.group(ControlApi, "statements", (handlers) =>
  Effect.gen(function* () {
    const statements = yield* Statements
    const registry = yield* ProviderRegistry
    const inMode = <A, R>(read: (livemode: boolean) => Effect.Effect<A, ControlError, R>) =>
      control(Effect.flatMap(CurrentTenant, ({ livemode }) => read(livemode)))
    /** Movements have no mode of their own: it is that of the provider. */
    const ofProvider = <A>(id: string, read: Effect.Effect<A, ControlError>) =>
      inMode((livemode) =>
        registry.serving(id, livemode) === null ? Effect.fail(missing("provider in this mode")) : read
      )
    return handlers
      .handle("list", () =>
        inMode((livemode) =>
          providerStatements(livemode).pipe(
            Effect.map((data) => ({ data })),
            Effect.provideService(Statements, statements),
            Effect.provideService(ProviderRegistry, registry)
          )
        )
      )
      .handle("runs", ({ query }) =>
        inMode((livemode) => pageOf(statements.runs(livemode, { limit: defaultLimit, ...query })))
      )
      .handle("differences", ({ query }) =>
        inMode((livemode) => pageOf(statements.differences(livemode, { limit: defaultLimit, ...query })))
      )
      .handle("movements", ({ params: { id }, query: { of, payout, ...page } }) =>
        ofProvider(
          id,
          Effect.flatMap(selectionOf(of, payout), (selection) =>
            pageOf(statements.movements({ provider: id, limit: defaultLimit, ...page, ...selection }))
          )
        )
      )
      .handle("payout", ({ params: { id }, query: { payout } }) =>
        ofProvider(
          id,
          Effect.flatMap(statements.payout(id, payout), (found) =>
            found === null ? Effect.fail(missing("payout")) : Effect.succeed(found)
          )
        )
      )
  })
)

type Selection = { readonly of: "foreign" | "payouts" } | { readonly of: "payout"; readonly payout: string }

const selectionOf = (of: MovementQuery["of"], payout: string | undefined): Effect.Effect<Selection, ControlError> => {
  if (of !== "payout") {
    return payout === undefined
      ? Effect.succeed({ of })
      : Effect.fail(invalid({ pointer: "payout", message: "is for `of=payout` only" }))
  }
  return payout === undefined
    ? Effect.fail(invalid({ pointer: "payout", message: "must be the provider's id of the payout" }))
    : Effect.succeed({ of, payout })
}

const pageOf = <A>(list: Effect.Effect<StatementList<A>, StoreUnavailable | StatementCursorInvalid>) =>
  list.pipe(
    Effect.map(({ entries, next }) => ({ data: entries, next })),
    Effect.catchTag("StatementCursorInvalid", invalidCursor)
  )
