/** Handlers of health checks and of the OpenAPI document. */
import { PaymentStore } from "@paymux/core/store"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { SqlClient } from "effect/sql/SqlClient"
import { Api } from "./Api.ts"
import { jsonResponse } from "./jsonResponse.ts"
import { ApiProblem } from "../problems/ApiProblem.ts"
import { answered } from "../auth/RouteError.ts"

/** Creates the handlers. `openApi` generates the OpenAPI document. */
export const systemHandlers = (openApi: () => object) =>
  HttpApiBuilder.group(Api, "system", (handlers) =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      // The OpenAPI document is generated on the first request for it, so that the server starts faster.
      const document = yield* Effect.cached(Effect.sync(() => jsonResponse(JSON.stringify(openApi()))))
      const store = yield* PaymentStore
      // The readiness check commits to the database. Its result is cached for one second, and only one check runs at a
      // time, because every load balancer checks every replica.
      const [committed, forget] = yield* Effect.cachedInvalidateWithTTL(store.ready, "1 second")
      const unready = Effect.flatMap(store.lost, (detail) =>
        Effect.fail(new ApiProblem({ code: "service_unavailable", ...(detail !== null && { detail }) }))
      )
      // The check reads a table, because on SQLite a query without a table would not access the database file.
      const database = sql`SELECT count(*) FROM paymux_api_keys WHERE id = ''`.pipe(
        Effect.andThen(Effect.tapCause(committed, () => forget)),
        Effect.timeout("2 seconds"),
        Effect.tapCause((cause) => Effect.logError("The database does not take commits", cause)),
        Effect.catchCause(() => unready)
      )
      return handlers
        .handleRaw("openapi", () => document)
        .handleRaw("healthz", () => Effect.succeed(ok))
        .handleRaw("readyz", () => answered(Effect.as(database, ok)))
    })
  )

const ok = jsonResponse(`{"status":"ok"}`)
