/** The handler of disputes. */
import type { Reviews } from "@paymux/core"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { recordDispute } from "../../operations/disputes/recordDispute.ts"
import { served } from "../../operations/served.ts"
import { ControlApi } from "../ControlApi.ts"

export const disputesHandlers = HttpApiBuilder.group(ControlApi, "disputes", (handlers) =>
  Effect.map(Effect.context<Reviews>(), (services) => handlers.handleRaw("record", served(recordDispute, services)))
)
