/**
 * A provider that keeps a ledger of its own and is reached over a bad road. It is true to what it declares; what is
 * lost, late or garbled is the road's doing, by the acts of the plan.
 */
import { defineProvider, invalidRequest, misconfigured, Outcome, rateLimited } from "@paymux/core"
import type { Capabilities, Evidence, Inquiry, Provider, ProviderOperation, ProviderOperations } from "@paymux/core"
import { Effect, Schema } from "effect"
import * as Asks from "./Asks.ts"
import { truthOf } from "./Ledger.ts"
import type { Charge, ChargeStatus } from "./Ledger.ts"
import type { Act, Answer, ProviderPlan } from "./Plan.ts"
import type { Process } from "./Process.ts"
import { call } from "./Road.ts"
import type { Call, Reply, Road } from "./Road.ts"
import * as Vendor from "./Vendor.ts"
import { planned } from "./World.ts"
import type { World } from "./World.ts"

const decoder = new TextDecoder()

/** Never shown to anybody: what an adapter's defect may carry (I14). */
export const CANARY = "sim_secret_4fd1c7"

export const provider = (world: World, vendor: Vendor.Vendor, process: Process): Provider =>
  defineProvider({
    id: vendor.plan.id,
    options: Schema.Struct({}),
    mode: () => "test",
    capabilities: () => capabilities(vendor.plan),
    make: (_, { checkpoint, emit }) =>
      Effect.sync(() => {
        vendor.inboxes.set(process, emit)
        const over = (kind: Call, handle: (road: Road) => void) => (operation: ProviderOperation, since?: number) =>
          call(world, process, vendor, kind, operation, handle, since)
        // The road brings back what the handler of the call put on it: an inquiry's words only to an inquiry.
        const ask = over as (
          ...args: Parameters<typeof over>
        ) => (...args: Parameters<ReturnType<typeof over>>) => ReturnType<ProviderOperations["create"]>
        const charge = ask("create", create)
        const orderAndCharge = (operation: ProviderOperation) =>
          Effect.suspend(() => {
            const since = world.time.elapsed()
            return order(world, vendor, process, operation).pipe(
              Effect.tap((reference) => checkpoint(operation, reference)),
              Effect.flatMap((reference) => charge({ ...operation, reference }, since))
            )
          })
        return {
          // The simulation signs nothing: forgeries are the webhook tests' business. The cast names what `Vendor` sent.
          webhook: (body) => Effect.sync(() => [JSON.parse(decoder.decode(body)) as Evidence]),
          create: (operation) =>
            vendor.plan.ordersFirst && operation.reference === null ? orderAndCharge(operation) : charge(operation),
          ...(vendor.plan.canInquire && { inquire: (operation) => over("inquire", inquire)(operation) }),
          ...(vendor.plan.manualCapture && { capture: (operation) => ask("capture", Asks.capture)(operation) }),
          ...(vendor.plan.canCancel && { cancel: (operation) => ask("cancel", Asks.cancel)(operation) }),
          ...(vendor.plan.canRefund && { refund: (operation) => ask("refund", Asks.refund)(operation) })
        }
      })
  })({})

/** The first of two requests: it moves no money. */
const order = (world: World, vendor: Vendor.Vendor, process: Process, operation: ProviderOperation) =>
  Effect.callback<string>((resume) => {
    const reference = `${vendor.plan.id}:order_${operation.id}`
    world.later(60, () => {
      if (world.reach(process, planned(operation.metadata), "order:made")) return
      process.enter(() => resume(Effect.succeed(reference)))
    })
  })

const create = (road: Road): void => {
  const { n, outage, vendor, world } = road
  const act = world.nextAct(n)
  const sentAt = world.time.elapsed()
  const answer = outage ?? act.answer
  const stops = answer === "rate_limited" && vendor.plan.rateLimitIsNotExecuted
  const arrivesAfter = outage === "not_sent" || outage === "unauthorized" || stops ? null : act.arrivesAfter
  let truth: Outcome.Outcome | null = null
  if (arrivesAfter !== null) {
    road.arrive(arrivesAfter, () => {
      truth = arrived(road, act, sentAt)
    })
  }
  road.reply((arrivesAfter ?? 0) + act.answersAfter, answer, () => said(answer, truth, act))
}

const said = (answer: Answer, truth: Inquiry | null, act: Act): Reply => {
  switch (answer) {
    case "truth":
      return truth === null ? null : Effect.succeed(truth)
    case "none":
      return null
    case "reset":
    case "reset_reused":
    case "server_error":
    case "unmapped":
      return Effect.succeed(Outcome.unknown({ reason: answer }))
    case "garbage":
      // What a JavaScript adapter can answer.
      return Effect.succeed({ _tag: "Maybe" } as unknown as Inquiry)
    case "defect":
      return Effect.die(new Error(`The adapter broke with ${CANARY}`))
    case "rate_limited":
      return Effect.fail(rateLimited(act.answersAfter))
    case "unauthorized":
      return Effect.fail(misconfigured("401"))
    case "invalid":
      return Effect.fail(invalidRequest("400"))
    case "proof":
      return Effect.succeed(Outcome.notExecuted({ reason: "proof_code", vendorCode: "sim_not_executed" }))
    case "not_sent":
    case "adapter_fault":
      return Effect.succeed(Outcome.notExecuted({ reason: answer }))
  }
}

/** What the provider makes of a request, and what it answers to it. */
const arrived = ({ n, operation, vendor, world }: Road, act: Act, sentAt: number): Outcome.Outcome => {
  const { idempotency, keyLifetime } = vendor.plan
  const known = world.ledger.ofKey(operation.key)
  if (known !== undefined) {
    if (idempotency === "reference") return Outcome.unknown({ reason: "duplicate", reference: known.id })
    const isFirst = (idempotency === "header" || idempotency === "body") && sentAt - known.sentAt < keyLifetime
    if (isFirst && known.firstAnswer !== null) return known.firstAnswer
  }
  const charge = Vendor.charge(world, vendor, operation, act, n, sentAt)
  begin(world, vendor, charge, operation.captureMethod === "manual" ? "held" : "captured")
  const truth = truthOf(charge)
  charge.firstAnswer = isOutcome(truth) ? truth : Outcome.unknown({ reason: "unmapped" })
  return charge.firstAnswer
}

const isOutcome = (answer: Inquiry): answer is Outcome.Outcome =>
  answer._tag !== "NotFound" && answer._tag !== "Expired" && answer._tag !== "Canceled"

const begin = (world: World, vendor: Vendor.Vendor, charge: Charge, taken: "held" | "captured"): void => {
  const { fate } = charge.act
  const move = (status: ChargeStatus) => Vendor.move(world, vendor, charge, status)
  switch (fate.kind) {
    case "taken":
      return move(taken)
    case "declined":
      move("declined")
      if (fate.takenAfter !== null) {
        world.later(fate.takenAfter, () => {
          // UPI does it for real; of a provider that declares its declines final, it is a broken word.
          charge.brokeItsWord = vendor.plan.declineIsFinal
          move(taken)
        })
      }
      return
    case "waits": {
      move("waiting")
      const { ends } = fate
      if (ends !== "nothing") {
        world.later(fate.after, () => {
          if (charge.status === "waiting") move(ends === "taken" ? taken : ends)
        })
      }
    }
  }
}

const inquire = (road: Road): void => {
  const { n, operation, outage, world } = road
  const act = outage ?? world.nextInquiry(n)
  if (act === "none") return
  road.reply(80, act, () => {
    switch (act) {
      case "truth":
        return Effect.succeed(Asks.truthAbout(world.ledger, operation))
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
        return Effect.die(new Error(`The adapter broke with ${CANARY}`))
    }
  })
}

const capabilities = (plan: ProviderPlan): Capabilities => {
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
