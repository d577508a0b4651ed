/** The adapter of a vendor with pages. Its requests go to the run, which has the ledgers: a request that has left arrives there. */
import { defineProvider } from "@paymux/core"
import type { OperationCapability, OperationId, Outcome, Provider, ProviderOperation } from "@paymux/core"
import { Effect, Schema } from "effect"
import { vendors } from "./processes/Protocol.ts"
import type { VendorAnswer, VendorId, VendorRequest } from "./processes/Protocol.ts"

const operation: OperationCapability = {
  idempotency: { by: "header", lifetime: "24 hours" },
  // Longer than a request may take to arrive.
  inquiry: { by: "reference", notFoundIsFinalAfter: "30 seconds" }
}

export const vendorProvider = (
  id: VendorId,
  ask: (request: VendorRequest) => Effect.Effect<VendorAnswer>
): Provider => {
  const { currency, refunds } = vendors[id]
  const request = (
    call: VendorRequest["call"],
    { amount, id: name, key, kind, metadata, original }: ProviderOperation
  ) =>
    ask({
      call,
      vendor: id,
      kind,
      operation: name,
      key,
      minorUnits: amount.minorUnits,
      order: metadata["order"] ?? "",
      place: metadata["place"] ?? "",
      original: original?.reference ?? null
    })
  // Boundary: the vendor answers each call with what may be answered to it.
  const send = (call: "create" | "cancel" | "refund") => (about: ProviderOperation) =>
    request(call, about) as Effect.Effect<Outcome.SendOutcome>
  return defineProvider({
    id,
    options: Schema.Struct({}),
    mode: () => "test",
    capabilities: () => ({
      methods: { card: { currencies: [currency], flows: { hosted: {} }, captureMethods: ["automatic"] } },
      operations: {
        create: { ...operation, declineIsFinal: true },
        cancel: operation,
        ...(refunds && { refund: operation })
      }
    }),
    make: () =>
      Effect.succeed({
        create: send("create"),
        cancel: send("cancel"),
        ...(refunds && { refund: send("refund") }),
        inquire: (about) => request("inquire", about),
        // It signs nothing.
        webhook: (body: Uint8Array) => Effect.sync(() => [reported(JSON.parse(new TextDecoder().decode(body)))])
      })
  })({})
}

export interface VendorReport {
  readonly operation: string
  readonly eventId: string
  readonly outcome: Outcome.InquiryOutcome
}

const reported = ({ eventId, operation, outcome }: VendorReport) => ({
  source: "webhook" as const,
  // Boundary: the vendor returns the id that it was given.
  about: { operation: operation as OperationId },
  outcome,
  eventId,
  occurredAt: null
})
