/** Answers the OpenAPI document. */
import { CurrentBasePath } from "@paymux/http"
import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { ControlApi } from "../ControlApi.ts"
import { controlApiDocument } from "../controlApiDocument.ts"

export const systemHandlers = HttpApiBuilder.group(ControlApi, "system", (handlers) =>
  handlers.handleRaw("openapi", () =>
    Effect.map(CurrentBasePath, (basePath) => HttpServerResponse.jsonUnsafe(controlApiDocument(basePath)))
  )
)
