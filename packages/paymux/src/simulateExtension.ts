/** `POST /v1/sandbox/payments/{id}/simulate`: decides a pending sandbox payment, as its payer, issuer or chain would. */
import { paymentJson } from "@paymux/core/wire"
import type { HostedUrl } from "@paymux/core/wire"
import { ApiProblem } from "@paymux/http"
import type { Extension } from "@paymux/http"
import { SimulateJson } from "@paymux/sandbox"
import type { SandboxSimulator, SimulateError } from "@paymux/sandbox"
import { Effect, Schema } from "effect"

export const simulateExtension = (simulator: SandboxSimulator["Service"], hostedUrl: HostedUrl): Extension => ({
  method: "POST",
  path: "/v1/sandbox/payments/:id/simulate",
  handle: ({ body, params, tenant }) =>
    simulator.simulate(tenant, params["id"] ?? "", body).pipe(
      Effect.map((record) => ({ status: 200, body: paymentJson(record, hostedUrl) })),
      Effect.mapError(simulateProblem)
    ),
  operation: {
    operationId: "sandbox.simulate",
    tags: ["Sandbox"],
    summary: "Decide a pending sandbox payment",
    description:
      "Plays the payer, the issuer or the chain: what is simulated happens at once, in place of what was to come. It takes no idempotency key, and needs none: a payment that is decided is answered 409.",
    requestBody: {
      required: true,
      content: {
        "application/json": {
          schema: { $ref: "#/components/schemas/SimulatePayment" },
          examples: {
            approve: { value: { outcome: "succeeded" } },
            decline: { value: { outcome: "failed", code: "insufficient_funds" } },
            transfer: { value: { outcome: "over" } }
          }
        }
      }
    },
    responses: {
      "200": {
        description: "The payment after the engine was notified.",
        content: { "application/json": { schema: { $ref: "#/components/schemas/Payment" } } }
      }
    }
  },
  problems: ["operation_not_supported"],
  schemas: Schema.toJsonSchemaDocument(SimulateJson, { onExcessProperty: "error" }).definitions
})

export const simulateProblem = ({ reason }: SimulateError): ApiProblem => {
  switch (reason._tag) {
    case "InvalidSimulation":
      return new ApiProblem({ code: "invalid_request", errors: reason.errors })
    case "PaymentNotFound":
      return new ApiProblem({ code: "not_found", detail: "There is no such payment." })
    case "NotPending":
      return new ApiProblem({
        code: "operation_not_supported",
        detail: `Only a pending payment can be decided; this one is ${reason.status}.`
      })
    case "Unavailable":
      return new ApiProblem({ code: "service_unavailable" })
  }
}
