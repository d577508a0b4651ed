/**
 * Carries a payment through its attempts, and applies all evidence (reports of any source) about payments.
 *
 * From the first commit on it runs in the scope of the engine and not of the request, so that neither a client that
 * disconnects nor a response after ten seconds interrupts a send. Pure functions decide (`decide`, `transition`);
 * `drive` and `advance` execute the decision, in two commits per attempt: one before the send, one with its outcome.
 */
import { Context, Effect, Layer } from "effect"
import type { Evidence } from "../domain/Evidence.ts"
import type { Operation } from "../domain/Operation.ts"
import type { PaymentRecord } from "../domain/Payment.ts"
import type { LateSuccess } from "../domain/Step.ts"
import type { StoreUnavailable } from "../store/PaymentStore.ts"
import { advance } from "./conclude/advance.ts"
import type { Advanced, Origin } from "./conclude/advance.ts"
import { driving, drivingServices } from "./send/drive.ts"
import type { Sending } from "./send/Sender.ts"

export class Executor extends Context.Service<
  Executor,
  {
    /** The id of this engine, stored as the owner of the operations that it sends. */
    readonly owner: string
    /** Sends an operation that was just committed, in the engine's scope. */
    readonly start: (sending: Sending) => Effect.Effect<void>
    /**
     * Claims a planned operation and sends it. `false` if the provider does not admit it, or another engine claimed it.
     */
    readonly claimAndSend: (record: PaymentRecord, operation: Operation) => Effect.Effect<boolean, StoreUnavailable>
    /** Ends a committed operation without sending it, because its request was refused. No other provider is tried. */
    readonly endUnsent: (record: PaymentRecord, operation: Operation) => Effect.Effect<void, StoreUnavailable>
    /**
     * Applies evidence; no other code changes a payment by evidence. Without an `origin`, it comes from the engine
     * itself.
     */
    readonly advance: (evidence: Evidence, origin?: Origin) => Effect.Effect<Advanced, StoreUnavailable>
  }
>()("@paymux/core/execution/Executor") {
  static readonly layer = (options: { readonly lateSuccess: LateSuccess }) =>
    Layer.effect(
      Executor,
      Effect.gen(function* () {
        const services = { ...(yield* drivingServices), lateSuccess: options.lateSuccess }
        const { claimAndSend, endUnsent, start } = driving(services)
        return Executor.of({
          owner: services.owner,
          start,
          claimAndSend,
          endUnsent,
          advance: (evidence, origin = ourselves) => advance(services, evidence, origin, start)
        })
      })
    )
}

const ourselves: Origin = { provider: null, document: null }
