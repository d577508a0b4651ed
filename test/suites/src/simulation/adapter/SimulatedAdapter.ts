/** The adapter of a simulated vendor, as an author would write it: requests out, answers and webhooks translated. */
import { accountNotEnabled, defineProvider, invalidRequest, misconfigured, Outcome, rateLimited } from "@paymux/core"
import type {
  Capabilities,
  Evidence,
  InquiryOutcome,
  Provider,
  ProviderOperation,
  ProviderOperations
} from "@paymux/core"
import { Effect, Schema } from "effect"
import type { Process } from "../engine/Process.ts"
import { SECRET } from "../judge/index.ts"
import type { Answer, VendorPlan } from "../Plan.ts"
import { planned } from "../TestEnvironment.ts"
import type { TestEnvironment } from "../TestEnvironment.ts"
import * as charges from "../vendor/charges.ts"
import * as followUps from "../vendor/followUps.ts"
import type { Statement } from "../vendor/Ledger.ts"
import type { Vendor, VendorEvent } from "../vendor/Vendor.ts"
import { call } from "./SimulatedNetwork.ts"
import type { CallKind, NetworkCall, Reply, Route } from "./SimulatedNetwork.ts"
import { evidenceOf, inquiryOf, outcomeOf } from "./translation.ts"

/** Takes what the adapter's own process saw. */
export type Emit = (evidence: Evidence) => Effect.Effect<void>

/** @param listens called with the instance's `emit`, once in each process */
export const provider = (
  environment: TestEnvironment,
  vendor: Vendor,
  process: Process,
  listens: (emit: Emit) => void
): Provider =>
  defineProvider({
    id: vendor.plan.id,
    options: Schema.Struct({}),
    mode: () => "test",
    capabilities: () => capabilities(vendor.plan),
    make: (_, { checkpoint, emit }) =>
      Effect.sync(() => {
        listens(emit)
        const route: Route = { environment, process, provider: vendor.plan.id }
        const over = (kind: CallKind, handle: (vendor: Vendor, route: Route, call: NetworkCall) => void) => {
          // The network brings back what the handler of the call put on it: an inquiry's words only to an inquiry.
          const send = (operation: ProviderOperation, since?: number) =>
            call(route, kind, operation, (each) => handle(vendor, route, each), since)
          return send as (operation: ProviderOperation, since?: number) => ReturnType<ProviderOperations["create"]>
        }
        const charge = over("create", create)
        const orderAndCharge = (operation: ProviderOperation) =>
          Effect.suspend(() => {
            const since = environment.time.elapsed()
            return order(route, operation).pipe(
              Effect.tap((reference) => checkpoint(operation, reference)),
              Effect.flatMap((reference) => charge({ ...operation, reference }, since))
            )
          })
        return {
          // The simulation signs nothing: forgeries are the webhook tests' business. The cast names what vendors send.
          webhook: (body) =>
            Effect.sync(() => [evidenceOf(vendor.plan.id, JSON.parse(decoder.decode(body)) as VendorEvent)]),
          create: (operation) =>
            vendor.plan.ordersFirst && operation.reference === null ? orderAndCharge(operation) : charge(operation),
          ...(vendor.plan.canInquire && { inquire: (operation) => over("inquire", inquire)(operation) }),
          ...(vendor.plan.manualCapture && { capture: (operation) => over("capture", followUp("capture"))(operation) }),
          ...(vendor.plan.canCancel && { cancel: (operation) => over("cancel", followUp("cancel"))(operation) }),
          ...(vendor.plan.canRefund && { refund: (operation) => over("refund", followUp("refund"))(operation) })
        }
      })
  })({})

const decoder = new TextDecoder()

/** The first of two requests: it moves no money. */
const order = ({ environment, process, provider }: Route, operation: ProviderOperation) =>
  Effect.callback<string>((resume) => {
    const reference = `${provider}:order_${operation.id}`
    environment.later(60, () => {
      const n = planned(operation.metadata)
      environment.history.note(n, { kind: "ordered", operation: operation.id, reference })
      if (environment.reach(process, n, "order:made")) return
      process.enter(() => resume(Effect.succeed(reference)))
    })
  })

const create = (vendor: Vendor, { environment }: Route, { arrive, n, operation, outage, reply }: NetworkCall): void => {
  const script = environment.nextCreate(n)
  const sentAt = environment.time.elapsed()
  const answer = outage ?? script.answer
  const stops = answer === "rate_limited" && vendor.plan.rateLimitIsNotExecuted
  const arrivesAfter = outage === "not_sent" || outage === "unauthorized" || stops ? null : script.arrivesAfter
  let truth: Statement | null = null
  if (arrivesAfter !== null) {
    arrive(arrivesAfter, () => {
      const { id, key } = operation
      const { currency, minorUnits } = operation.amount
      const isManual = operation.captureMethod === "manual"
      const orderReference = vendor.plan.ordersFirst ? operation.reference : null
      const request = { n, merchantReference: id, orderReference, key, minorUnits, currency, isManual, sentAt }
      truth = charges.create(vendor, request, script)
    })
  }
  reply((arrivesAfter ?? 0) + script.answersAfter, answer, () => replyOf("create", answer, truth, script.answersAfter))
}

const followUp =
  (kind: "capture" | "cancel" | "refund") =>
  (vendor: Vendor, { environment }: Route, { arrive, n, operation, outage, reply }: NetworkCall): void => {
    const script = environment.nextFollowUp(n)
    const sentAt = environment.time.elapsed()
    const answer = outage ?? script.answer
    const arrivesAfter = outage === "not_sent" || outage === "unauthorized" ? null : script.arrivesAfter
    let truth: Statement | null = null
    if (arrivesAfter !== null) {
      arrive(arrivesAfter, () => {
        const { amount, id, key, original } = operation
        const charge = { reference: original?.reference ?? null, key: original?.key ?? "" }
        const request = { kind, merchantReference: id, key, minorUnits: amount.minorUnits, charge, sentAt }
        truth = followUps.followUp(vendor, request, script)
      })
    }
    reply((arrivesAfter ?? 0) + script.answersAfter, answer, () => replyOf(kind, answer, truth, script.answersAfter))
  }

const replyOf = (
  kind: ProviderOperation["kind"],
  answer: Answer,
  truth: Statement | null,
  retryAfterMs: number
): Reply => {
  switch (answer) {
    case "truth":
      return truth === null ? null : Effect.succeed(outcomeOf(kind, truth))
    case "none":
      return null
    case "reset":
    case "reset_reused":
    case "server_error":
    case "unmapped":
      return Effect.succeed(Outcome.unknown({ reason: answer }))
    case "garbage":
      // What a JavaScript adapter can answer.
      return Effect.succeed({ _tag: "Maybe" } as unknown as InquiryOutcome)
    case "defect":
      return Effect.die(new Error(`The adapter broke with ${SECRET}`))
    case "rate_limited":
      return Effect.fail(rateLimited(retryAfterMs))
    case "unauthorized":
      return Effect.fail(misconfigured("401"))
    case "invalid":
      return Effect.fail(invalidRequest("400"))
    case "account_not_enabled":
      return Effect.fail(accountNotEnabled("sim_not_enabled", "kind"))
    case "proof":
      return Effect.succeed(Outcome.notExecuted({ reason: "proof_code", vendorCode: "sim_not_executed" }))
    case "not_sent":
    case "adapter_fault":
      return Effect.succeed(Outcome.notExecuted({ reason: answer }))
  }
}

const inquire = (vendor: Vendor, { environment }: Route, { n, operation, outage, reply }: NetworkCall): void => {
  const script = outage ?? environment.nextInquiry(n)
  if (script === "none") return
  reply(80, script, () => {
    switch (script) {
      case "truth":
        return Effect.succeed(inquiryOf(operation.kind, found(vendor, environment, operation)))
      case "server_error":
      case "unknown":
        return Effect.succeed(Outcome.unknown({ reason: "server_error" }))
      case "not_sent":
        return Effect.succeed(Outcome.notExecuted({ reason: "not_sent" }))
      case "rate_limited":
        return Effect.fail(rateLimited(null))
      case "unauthorized":
        return Effect.fail(misconfigured("401"))
      default:
        return Effect.die(new Error(`The adapter broke with ${SECRET}`))
    }
  })
}

const found = (vendor: Vendor, environment: TestEnvironment, operation: ProviderOperation): Statement => {
  const { id, key, kind, original } = operation
  if (kind !== "create") {
    return followUps.findFollowUp(vendor, {
      key,
      charge: { reference: original?.reference ?? null, key: original?.key ?? "" }
    })
  }
  const statement = charges.findCharge(vendor, id)
  const charge = statement.kind === "charge" ? environment.ledger.ofReference(statement.reference) : undefined
  return statement.kind === "charge" && charge !== undefined && environment.denies(charge)
    ? { ...statement, status: "declined", code: "do_not_honor" }
    : statement
}

const capabilities = (plan: VendorPlan): Capabilities => {
  const inquiry: Capabilities["operations"]["create"]["inquiry"] = plan.canInquire
    ? {
        by: "reference",
        costly: plan.costlyInquiry,
        ...(plan.notFoundIsFinalAfter !== null && { notFoundIsFinalAfter: plan.notFoundIsFinalAfter })
      }
    : { by: "none" }
  const idempotency = { by: plan.idempotency, lifetime: plan.keyLifetime }
  const later = { idempotency, inquiry, partial: true }
  return {
    methods: Object.fromEntries(
      plan.rails.map((rail) => {
        switch (rail) {
          case "upi":
            return [rail, { currencies: ["INR"], flows: { intent: {}, qr: {} } }]
          case "card":
            return [
              rail,
              {
                currencies: "any",
                flows: { token: {}, hosted: {} },
                captureMethods: plan.manualCapture ? ["automatic", "manual"] : ["automatic"]
              }
            ]
          case "stablecoin":
            return [rail, { currencies: "any", flows: { transfer: {} }, assets: [{ asset: "USDC", network: "base" }] }]
        }
      })
    ),
    operations: {
      create: {
        idempotency,
        inquiry,
        proof: ["sim_not_executed"],
        rateLimitIsNotExecuted: plan.rateLimitIsNotExecuted,
        declineIsFinal: plan.declineIsFinal,
        ...(plan.abandonedAfter !== null && { abandonedAfter: plan.abandonedAfter })
      },
      ...(plan.manualCapture && { capture: later }),
      ...(plan.canCancel && { cancel: later }),
      ...(plan.canRefund && { refund: later })
    }
  }
}
