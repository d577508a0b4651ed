/** Handlers of health checks and of the OpenAPI document. */
import { PaymentStore } from "@paymux/core/store"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { SqlClient } from "effect/sql/SqlClient"
import { Api } from "./Api.ts"
import { jsonResponse } from "./jsonResponse.ts"
import { ApiProblem } from "../problems/ApiProblem.ts"
import { answered } from "../auth/RouteError.ts"

/** The handlers. `openApi` generates the OpenAPI document. */
export const systemHandlers = (openApi: () => object) =>
  HttpApiBuilder.group(Api, "system", (handlers) =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      // The document is generated on the first request, which keeps the start short.
      const document = yield* Effect.cached(Effect.sync(() => jsonResponse(JSON.stringify(openApi()))))
      const store = yield* PaymentStore
      // The check is limited to one commit per second, and one at a time, because each load balancer checks every
      // replica.
      const [committed, forget] = yield* Effect.cachedInvalidateWithTTL(store.ready, "1 second")
      const unready = Effect.flatMap(store.lost, (detail) =>
        Effect.fail(new ApiProblem({ code: "service_unavailable", ...(detail !== null && { detail }) }))
      )
      // Reads a table: on SQLite a query without a table would not read the file.
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
