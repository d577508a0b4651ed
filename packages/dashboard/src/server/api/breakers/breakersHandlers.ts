/** The handlers of circuit breakers. */
import type { BreakerLog } from "@paymux/sql"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { breakerHistory } from "../../operations/breakers/breakerHistory.ts"
import { listBreakers } from "../../operations/breakers/listBreakers.ts"
import { served } from "../../operations/served.ts"
import { ControlApi } from "../ControlApi.ts"

export const breakersHandlers = HttpApiBuilder.group(ControlApi, "breakers", (handlers) =>
  Effect.map(Effect.context<BreakerLog>(), (services) =>
    handlers.handle("list", served(listBreakers, services)).handle("history", served(breakerHistory, services))
  )
)
