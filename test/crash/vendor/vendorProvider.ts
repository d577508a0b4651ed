/** The adapter of the vendor: two instances of it, `alpha` that can be asked and `beta` that can only be sent to again. */
import { defineProvider, Outcome, WebhookRefused } from "@paymux/core"
import type { Capabilities, Evidence, InquiryOutcome, Provider, ProviderOperation } from "@paymux/core"
import { ProviderHttp } from "@paymux/provider-kit"
import { Effect, Schema } from "effect"
import { createHmac, timingSafeEqual } from "node:crypto"
import { faults } from "./Vendor.ts"
import type { Fault, Payer } from "./Vendor.ts"
import { EventBody, KEY_HEADER, OperationJson, OrderJson, SIGNATURE_HEADER, WEBHOOK_SECRET } from "./Wire.ts"

/** Headers of a request, made as it is sent: how a crash point is put into it. */
export type RequestMark = (kind: "order" | ProviderOperation["kind"]) => { readonly [name: string]: string }

export interface VendorProviderOptions {
  readonly id: "alpha" | "beta"
  readonly url: string
  readonly mark: RequestMark
}

export const vendorProvider = ({ id, mark, url }: VendorProviderOptions): Provider =>
  defineProvider({
    id: "vendor",
    options: Schema.Struct({}),
    mode: () => "test",
    capabilities: () => (id === "alpha" ? alpha : beta),
    make: (_, context) =>
      Effect.gen(function* () {
        // The address is a loopback one of this test.
        const http = yield* Effect.orDie(ProviderHttp.make({ baseUrl: `${url}/${id}` }))

        const post = (kind: Parameters<RequestMark>[0], path: ReadonlyArray<string>, key: string, json: object) =>
          Effect.suspend(() =>
            http.request({ method: "POST", path, headers: { ...mark(kind), [KEY_HEADER]: key }, body: { json } })
          )

        /** Cards are paid in two requests: an order, kept before it is paid. */
        const orderOf = Effect.fnUntraced(function* (operation: ProviderOperation) {
          if (operation.method.rail !== "card") return null
          if (operation.reference !== null) return operation.reference
          const body = { ...merchantNames(operation), currency: operation.amount.currency }
          const made = yield* Effect.flatMap(post("order", ["orders"], operation.key, body), (answer) =>
            answer.decode(OrderJson)
          )
          yield* context.checkpoint(operation, made.id)
          return made.id
        })

        const create = Effect.fnUntraced(function* (operation: ProviderOperation) {
          const order = yield* orderOf(operation)
          const answer = yield* post("create", ["payments"], operation.key, {
            order,
            ...merchantNames(operation),
            ...operation.amount,
            manual: operation.captureMethod === "manual",
            payer: payerOf(operation),
            fault: faultOf(operation, `${id}_fault`)
          })
          return yield* read(operation, answer)
        })

        const later = Effect.fnUntraced(function* (operation: ProviderOperation) {
          const path = ["payments", operation.original?.reference ?? "unknown", actions[operation.kind]]
          const { minorUnits } = operation.amount
          const body = { merchantOperation: operation.id, minorUnits, fault: faultOf(operation, "later_fault") }
          return yield* read(operation, yield* post(operation.kind, path, operation.key, body))
        })

        const inquire = Effect.fnUntraced(function* (operation: ProviderOperation) {
          const answer = yield* http.request({ method: "GET", path: ["operations", operation.key] })
          return answer.status === 404 ? Outcome.notFound() : yield* read(operation, answer)
        })

        /** Under its key the same request is answered with the first result; a refusal of the repeat proves nothing of it. */
        const again = (operation: ProviderOperation) =>
          Effect.map(settled(operation.kind === "create" ? create(operation) : later(operation)), (answer) =>
            answer._tag === "NotExecuted" ? Outcome.unknown({ reason: "in_progress" }) : answer
          )

        return {
          create: (operation) => Effect.map(settled(create(operation)), asOutcome),
          capture: (operation) => Effect.map(settled(later(operation)), asOutcome),
          cancel: (operation) => Effect.map(settled(later(operation)), asOutcome),
          refund: (operation) => Effect.map(settled(later(operation)), asOutcome),
          inquire: (operation) => (id === "alpha" ? settled(inquire(operation)) : again(operation)),
          webhook
        }
      })
  })({ id })

const idempotency = { by: "header", lifetime: "24 hours" } as const
const inquiry = { by: "reference", notFoundIsFinalAfter: "2 minutes" } as const
const anyCurrency = { currencies: "any", captureMethods: ["automatic", "manual"] } as const

const methods: Capabilities["methods"] = {
  upi: { currencies: ["INR"], flows: { intent: {} } },
  card: { ...anyCurrency, flows: { token: {} } },
  stablecoin: { ...anyCurrency, flows: { transfer: {} }, assets: [{ asset: "USDC", network: "base" }] }
}

const alpha: Capabilities = {
  methods,
  operations: {
    create: { idempotency, inquiry, declineIsFinal: true, abandonedAfter: "30 minutes", proof: ["not_executed"] },
    capture: { idempotency, inquiry, partial: true },
    cancel: { idempotency, inquiry },
    refund: { idempotency, inquiry, partial: true }
  }
}

const replay = { by: "replay" } as const

const beta: Capabilities = {
  methods,
  operations: {
    create: { idempotency, inquiry: replay, declineIsFinal: true, proof: ["not_executed"] },
    capture: { idempotency, inquiry: replay, partial: true },
    cancel: { idempotency, inquiry: replay },
    refund: { idempotency, inquiry: replay, partial: true }
  }
}

/** The judge sorts the ledger by them. */
const merchantNames = ({ id, metadata, paymentId }: ProviderOperation) => ({
  merchantPayment: paymentId,
  merchantOperation: id,
  purchase: metadata["purchase"] ?? id
})

const actions = { create: "payments", capture: "capture", cancel: "cancel", refund: "refunds" } as const

/** What goes wrong is a part of the request, so that a run can be read from its payments. */
const faultOf = ({ metadata }: ProviderOperation, name: "alpha_fault" | "beta_fault" | "later_fault"): Fault =>
  faults.find((fault) => fault === metadata[name]) ?? "none"

const payers: ReadonlyArray<Payer> = ["pays_at_once", "pays_later", "walks_away", "says_no"]
const payerOf = ({ metadata }: ProviderOperation): Payer =>
  payers.find((payer) => payer === metadata["payer"]) ?? "pays_at_once"

const read = Effect.fnUntraced(function* (operation: ProviderOperation, answer: ProviderHttp.Answer) {
  if (answer.status === 503) return Outcome.notExecuted({ reason: "proof_code", vendorCode: "not_executed" })
  if (answer.status >= 500) return Outcome.unknown({ reason: "server_error" })
  if (answer.status !== 200) return Outcome.unknown({ reason: "unmapped" })
  return inquiryOf(operation, yield* answer.decode(OperationJson))
})

const inquiryOf = (operation: ProviderOperation, json: OperationJson): InquiryOutcome => {
  const reference = operation.kind === "create" ? { reference: json.object } : {}
  const amount = { minorUnits: json.minorUnits, currency: operation.amount.currency }
  switch (json.status) {
    case "captured":
      return Outcome.succeeded({ ...reference, amount })
    case "refunded":
      return Outcome.succeeded({ amount })
    case "held":
      return Outcome.authorized({ ...reference, amount })
    case "pending":
      return Outcome.pending({ ...reference, nextAction: nextAction(operation) })
    case "declined":
      return Outcome.declined({
        ...reference,
        code: "do_not_honor",
        retry: operation.kind === "create" ? "other_provider" : "never"
      })
    case "canceled":
      return operation.kind === "cancel" ? Outcome.succeeded() : Outcome.canceled(reference)
    case "expired":
      return Outcome.expired(reference)
  }
}

/** ms: how long the payer has. */
const PAYER_HAS = 60_000

const nextAction = ({ amount, createdAt, key, method }: ProviderOperation) => {
  const expiresAt = createdAt + PAYER_HAS
  switch (method.rail) {
    case "upi":
      return { type: "upi_intent", uri: `upi://pay?tr=${key}`, expiresAt } as const
    case "card":
      return { type: "redirect", url: "https://vendor.example/pay", expiresAt } as const
    case "stablecoin": {
      const address = "0x00000000000000000000000000000000000000aa"
      return {
        type: "stablecoin_transfer",
        address,
        uri: `ethereum:${address}`,
        amount: (amount.minorUnits / 100).toFixed(2),
        expiresAt
      } as const
    }
  }
}

/** The two endings without an answer, in the words of the contract. */
const settled = <A extends InquiryOutcome>(
  call: Effect.Effect<A, ProviderHttp.NotSent | ProviderHttp.SentOutcomeUnknown>
): Effect.Effect<A | Outcome.NotExecuted | Outcome.Unknown> =>
  Effect.catchTags(call, {
    NotSent: () => Effect.succeed(Outcome.notExecuted({ reason: "not_sent" })),
    SentOutcomeUnknown: ({ reason, reusedConnection }) =>
      Effect.succeed(Outcome.unknown({ reason: unknownReason(reason, reusedConnection) }))
  })

const unknownReason = (reason: ProviderHttp.SentOutcomeUnknown["reason"], reused: boolean) => {
  switch (reason) {
    case "timeout":
      return "timeout"
    case "reset":
      return reused ? "reset_reused" : "reset"
    case "truncated":
      return "reset"
    case "too_large":
    case "unreadable":
    case "unexpected_shape":
      return "unreadable"
  }
}

/** A create or later request under a key that an inquiry or a repeat found closed: those words are an inquiry's. */
const asOutcome = (answer: InquiryOutcome): Outcome.SendOutcome => {
  switch (answer._tag) {
    case "NotFound":
      return Outcome.unknown({ reason: "unmapped" })
    case "Expired":
    case "Canceled":
      return Outcome.declined({ code: "customer_canceled", retry: "never" })
    default:
      return answer
  }
}

const webhook = Effect.fnUntraced(function* (body: Uint8Array, headers: { readonly [name: string]: string }) {
  const given = Buffer.from(headers[SIGNATURE_HEADER] ?? "")
  const expected = Buffer.from(createHmac("sha256", WEBHOOK_SECRET).update(body).digest("hex"))
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) {
    return yield* new WebhookRefused({ reason: "bad_signature" })
  }
  const event = yield* Schema.decodeUnknownEffect(Schema.fromJsonString(EventBody))(Buffer.from(body).toString()).pipe(
    Effect.mapError(() => new WebhookRefused({ reason: "malformed" }))
  )
  const outcome = outcomeOf(event)
  return outcome === null ? [] : [evidence(event, outcome)]
})

const outcomeOf = ({ currency, minorUnits, type }: typeof EventBody.Type): Outcome.Outcome | null => {
  const amount = { minorUnits, currency } as Outcome.Succeeded["amount"] & object
  switch (type) {
    case "captured":
      return { _tag: "Captured", amount }
    case "held":
      return { _tag: "Authorized", amount }
    case "declined":
      return { _tag: "Declined", code: "do_not_honor", retry: "other_provider" }
    default:
      return null
  }
}

const evidence = (event: typeof EventBody.Type, outcome: Outcome.Outcome): Evidence => ({
  source: "webhook",
  about: { provider: event.account, providerReference: event.object },
  outcome,

  eventId: event.id,
  occurredAt: null
})
