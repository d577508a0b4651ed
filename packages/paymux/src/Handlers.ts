/** The HTTP side of a running Paymux: the API, in the sandbox its pages and its simulate endpoint, as two handlers. */
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { ApiProblem, HttpApp, HttpHandler } from "@paymux/http"
import type { Extension } from "@paymux/http"
import { SandboxPage, SandboxSimulator } from "@paymux/sandbox"
import type { SimulateError } from "@paymux/sandbox"
import { paymentJson } from "@paymux/core"
import { Context, Effect, Layer } from "effect"
import type { RequestListener } from "node:http"
import { ServerSecret } from "./App.ts"
import type { PaymuxSettings } from "./PaymuxOptions.ts"

export interface Handlers {
  readonly node: RequestListener
  readonly fetch: (request: Request) => Promise<Response>
}

/** They live as long as the scope they are made in. */
export const make = Effect.fnUntraced(function* (settings: PaymuxSettings) {
  const secret = yield* ServerSecret
  const simulator = yield* SandboxSimulator
  const api = HttpApp.layer({ secret, extensions: settings.sandbox ? [simulate(simulator)] : [] })
  const routes = settings.sandbox ? Layer.mergeAll(api, SandboxPage.layer) : api
  const { effect, fetch } = Context.get(yield* Layer.build(HttpHandler.layer(routes)), HttpHandler)
  const node: RequestListener = yield* NodeHttpServer.makeHandler(effect, { scope: yield* Effect.scope })
  return { node, fetch } satisfies Handlers
})

/** Decides a pending sandbox payment, as its payer, issuer or chain would. */
const simulate = (simulator: SandboxSimulator["Service"]): Extension => ({
  method: "POST",
  path: "/v1/sandbox/payments/:id/simulate",
  handle: ({ body, params, tenant }) =>
    simulator.simulate(tenant, params["id"] ?? "", body).pipe(
      Effect.map((record) => ({ status: 200, body: paymentJson(record) })),
      Effect.mapError(problemOf)
    )
})

const problemOf = ({ reason }: SimulateError): ApiProblem => {
  switch (reason._tag) {
    case "InvalidSimulation":
      return new ApiProblem({ code: "invalid_request", errors: reason.errors })
    case "PaymentNotFound":
      return new ApiProblem({ code: "not_found" })
    case "NotPending":
      return new ApiProblem({
        code: "operation_not_supported",
        detail: `Only a pending payment can be decided; this one is ${reason.status}.`
      })
    case "Unavailable":
      return new ApiProblem({ code: "service_unavailable" })
  }
}
