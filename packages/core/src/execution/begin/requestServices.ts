/** The services that handle requests for payments and operations. */
import { Effect } from "effect"
import { Ids } from "../../domain/Ids.ts"
import { ReturnAddress } from "../../provider/ReturnAddress.ts"
import { LoadShedder } from "../../resilience/LoadShedder.ts"
import { ProviderGuard } from "../../resilience/ProviderGuard.ts"
import { PaymentStore } from "../../store/PaymentStore.ts"
import { engineMetrics } from "../../telemetry/EngineMetrics.ts"
import { HostedPage } from "../../wire/HostedPage.ts"
import { PaymentWriter } from "../conclude/PaymentWriter.ts"
import { Executor } from "../Executor.ts"
import { Restorations } from "../restore/Restorations.ts"
import { CreationOrder } from "./CreationOrder.ts"
import { LivePayments } from "./LivePayments.ts"
import * as RequestDeadlines from "./RequestDeadlines.ts"
import { ReturnSchemes } from "./ReturnSchemes.ts"
import { routingServices } from "./routePayment.ts"

export const requestServices = Effect.gen(function* () {
  const executor = yield* Executor
  return {
    ...(yield* routingServices),
    executor,
    owner: executor.owner,
    store: yield* PaymentStore,
    live: yield* LivePayments,
    writer: yield* PaymentWriter,
    shedder: yield* LoadShedder,
    guard: yield* ProviderGuard,
    deadlines: yield* RequestDeadlines.make,
    order: yield* CreationOrder,
    ids: yield* Ids,
    restorations: yield* Restorations,
    metrics: yield* engineMetrics,
    hostedUrl: yield* HostedPage,
    returnAddress: yield* ReturnAddress,
    returnSchemes: yield* ReturnSchemes
  }
})

export interface RequestServices extends Effect.Success<typeof requestServices> {}
