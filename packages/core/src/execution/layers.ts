/** The layers of the services that execute payments: the executor, the reconciler, the inbox and the parts that they share. */
import { Layer } from "effect"
import { cardRetryDefaults } from "../domain/cardRetries.ts"
import type { CardRetrySettings } from "../domain/cardRetries.ts"
import type { LateSuccess } from "../domain/Step.ts"
import { ProviderGuard } from "../resilience/ProviderGuard.ts"
import { CardRetries } from "./begin/CardRetries.ts"
import { CreationOrder } from "./begin/CreationOrder.ts"
import { LivePayments } from "./begin/LivePayments.ts"
import { PaymentWriter } from "./conclude/PaymentWriter.ts"
import { Executor } from "./Executor.ts"
import { Inbox } from "./recover/inbox/Inbox.ts"
import { Reconciler } from "./recover/Reconciler.ts"
import type { ReconcilerOptions } from "./recover/Reconciler.ts"
import { Restorations } from "./restore/Restorations.ts"

/** The services that do not depend on other services of the engine. */
export const foundations = Layer.mergeAll(LivePayments.layer, CreationOrder.layer, Restorations.layer)

export const cardRetries = ({
  holdAfterHardDecline = cardRetryDefaults.holdAfterHardDecline,
  limits = cardRetryDefaults.limits
}: Partial<CardRetrySettings> = {}) => Layer.succeed(CardRetries, { limits, holdAfterHardDecline })

interface ExecutionOptions {
  readonly lateSuccess?: LateSuccess
  readonly reconciler?: Partial<ReconcilerOptions>
}

/** The layer of the execution. By default (`lateSuccess`), a late success makes a failed payment succeed. */
export const layer = ({ lateSuccess = "succeed", reconciler }: ExecutionOptions) =>
  Reconciler.layer(reconciler).pipe(
    Layer.provideMerge(Inbox.layer),
    Layer.provideMerge(Executor.layer({ lateSuccess })),
    Layer.provideMerge(Layer.mergeAll(ProviderGuard.layer, PaymentWriter.layer))
  )
