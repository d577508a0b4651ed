/** The adapter of a simulated vendor, as an author writes it: requests out, answers, reports and the statement translated. */
import { defineProvider, Outcome } from "@paymux/core"
import type {
  Capabilities,
  Currency,
  Evidence,
  InquiryOutcome,
  OperationCapability,
  OperationId,
  Provider,
  ProviderOperation
} from "@paymux/core"
import type { StatementMovement } from "@paymux/core/statement"
import { Effect, Schema } from "effect"
import type { VendorPlan } from "./LossPlan.ts"
import { sumOf } from "./Vendor.ts"
import type { Answer, Charge, FollowUpRequest, Movement, Vendor } from "./Vendor.ts"

export interface Network {
  /** Runs `arrive` when the request is there; what it answers comes back, or never does. */
  readonly call: (vendor: string, arrive: () => Answer, isLost: (answer: Answer) => boolean) => Effect.Effect<Answer>
  readonly isReachable: (vendor: string) => boolean
  /** ms UTC */
  readonly now: () => number
}

/** All vendors of the simulation charge in it: a code of ISO 4217. */
const currency = "EUR" as Currency.Currency

export const vendorProvider = (vendor: Vendor, { call, isReachable, now }: Network): Provider => {
  const { plan } = vendor
  const sent = (arrive: () => Answer, isLost: (answer: Answer) => boolean = () => false) =>
    Effect.suspend(() =>
      isReachable(plan.id)
        ? Effect.map(call(plan.id, arrive, isLost), outcomeOf)
        : Effect.succeed(Outcome.notExecuted({ reason: "not_sent" }))
    )
  const create = ({ amount, captureMethod, id, key, metadata }: ProviderOperation) => {
    const { minorUnits } = amount
    const request = {
      n: Number(metadata["n"]),
      operation: id,
      key,
      minorUnits,
      manual: captureMethod === "manual",
      sentAt: now()
    }
    return sent(
      () => vendor.create(request),
      () => isSilent(vendor, id)
    )
  }
  const followUp =
    (kind: FollowUpRequest["kind"]) =>
    ({ amount, id, key, metadata, original }: ProviderOperation) => {
      const reference = original?.reference ?? null
      const request = {
        n: Number(metadata["n"]),
        kind,
        operation: id,
        key,
        minorUnits: amount.minorUnits,
        reference,
        sentAt: now()
      }
      return sent(() => vendor.followUp(request))
    }
  const inquire = ({ id, kind, original }: ProviderOperation): Effect.Effect<InquiryOutcome> =>
    isReachable(plan.id)
      ? Effect.sync(() =>
          inquiryOf(kind === "create" ? vendor.find(id) : vendor.findFollowUp(original?.reference ?? null, id))
        )
      : Effect.succeed(Outcome.notExecuted({ reason: "not_sent" }))
  return defineProvider({
    id: plan.id,
    options: Schema.Struct({}),
    mode: () => "test",
    capabilities: () => capabilitiesOf(plan),
    make: () =>
      Effect.succeed({
        create,
        capture: followUp("capture"),
        cancel: followUp("cancel"),
        refund: followUp("refund"),
        ...(canInquire(plan) && { inquire }),
        // The simulation signs nothing. The cast names what its vendors send.
        webhook: (body: Uint8Array) => Effect.sync(() => JSON.parse(decoder.decode(body)) as ReadonlyArray<Evidence>),
        statement: ({ since, until }) =>
          Effect.sync(() => ({
            movements: vendor.charges
              .flatMap((charge) => charge.movements.flatMap((each) => bookingOf(charge, each)))
              .filter(({ bookedAt }) => bookedAt >= since && bookedAt < until),
            next: null
          }))
      })
  })({})
}

const decoder = new TextDecoder()

const canInquire = ({ kind }: VendorPlan): boolean => kind === "keys" || kind === "reference"

/** The answer to the first request of such a charge is lost. */
const isSilent = ({ arrivals, charges }: Vendor, operation: string): boolean =>
  charges.some((charge) => charge.operation === operation && charge.issuing === "silent") &&
  arrivals.filter((each) => each.operation === operation).length === 1

const outcomeOf = (answer: Answer) => Outcome.ofInquiry(inquiryOf(answer))

const inquiryOf = ({ kind, minorUnits, reference, status }: Answer): InquiryOutcome => {
  const named = reference === null ? {} : { reference }
  const amount = { minorUnits, currency }
  switch (kind) {
    case "done":
      return Outcome.succeeded({ ...named, amount })
    case "refused":
      return Outcome.declined({ code: "not_permitted", retry: "never" })
    case "duplicate":
      return Outcome.unknown({ reason: "duplicate", ...named })
    case "not_found":
      return Outcome.notFound()
    case "charge":
      break
  }
  switch (status) {
    case "waiting":
      return Outcome.pending({
        ...named,
        nextAction: { type: "redirect", url: "https://pay.example/", expiresAt: null }
      })
    case "held":
      return Outcome.authorized({ ...named, amount })
    case "captured":
      return Outcome.succeeded({ ...named, amount })
    case "canceled":
      return Outcome.canceled(named)
    default:
      return Outcome.declined({ ...named, code: "issuer_unavailable", retry: "other_provider" })
  }
}

/** How the charge stands, as a webhook reports it. The vendor returns the id that the adapter gave it. */
export const evidenceOf = (charge: Charge): Evidence => {
  const { reference, status } = charge
  const minorUnits = status === "captured" ? sumOf(charge, "captured") : charge.minorUnits
  return {
    source: "webhook",
    about: { operation: charge.operation as OperationId },
    outcome: inquiryOf({ kind: "charge", reference, status, minorUnits }),
    eventId: `evt_${reference}_${charge.movements.length}`,
    occurredAt: null
  }
}

const bookingOf = (charge: Charge, movement: Movement): ReadonlyArray<StatementMovement> => {
  const { at, id, kind, minorUnits, operation, reference } = movement
  if (kind !== "captured" && kind !== "refunded") return []
  const amount = { minorUnits, currency }
  return [
    {
      id,
      type: kind === "refunded" ? "refund" : operation === charge.operation ? "payment" : "capture",
      operation,
      reference,
      original: charge.reference,
      amount,
      direction: kind === "refunded" ? "out" : "in",
      fee: null,
      net: null,
      payout: null,
      bookedAt: at
    }
  ]
}

const capabilitiesOf = (plan: VendorPlan): Capabilities => {
  const by = plan.kind === "neither" ? "none" : plan.kind === "reference" ? "reference" : "header"
  const operation: OperationCapability = {
    idempotency: { by, ...(by === "header" && { lifetime: "24 hours" }) },
    inquiry: canInquire(plan) ? { by: "reference", notFoundIsFinalAfter: "15 minutes" } : { by: "none" },
    partial: true
  }
  return {
    methods: { card: { currencies: "any", flows: { hosted: {} }, captureMethods: ["automatic", "manual"] } },
    operations: {
      create: { ...operation, declineIsFinal: true },
      capture: operation,
      cancel: operation,
      refund: operation
    },
    statement: { bookedWithin: "1 hour" }
  }
}
