/** A provider with a crash point around each of its calls, and marks for the vendor to kill its caller by. */
import type { Provider, ProviderOperation, ProviderOperations } from "@paymux/core"
import { Effect } from "effect"
import type { CrashPoint } from "./CrashPoints.ts"
import type { CrashSwitch } from "./CrashSwitch.ts"
import type { RequestMark } from "./vendor/vendorProvider.ts"
import { KILL_HEADER } from "./vendor/Wire.ts"

export const crashingProvider = (provider: Provider, crash: CrashSwitch): Provider => ({
  ...provider,
  make: (context) => Effect.map(provider.make(context), (operations) => around(operations, crash))
})

const around = (operations: ProviderOperations, crash: CrashSwitch): ProviderOperations => {
  const { cancel, capture, create, inquire, refund } = operations
  const call =
    <A, E>(before: CrashPoint, replied: CrashPoint, perform: (operation: ProviderOperation) => Effect.Effect<A, E>) =>
    (operation: ProviderOperation) =>
      Effect.tap(Effect.andThen(crash.at(before), perform(operation)), crash.at(replied))
  return {
    ...operations,
    create: call("create.before", "create.replied", create),
    ...(inquire && { inquire: call("inquire.before", "inquire.replied", inquire) }),
    ...(capture && { capture: call("capture.before", "capture.replied", capture) }),
    ...(cancel && { cancel: call("cancel.before", "cancel.replied", cancel) }),
    ...(refund && { refund: call("refund.before", "refund.replied", refund) })
  }
}

/** The vendor ends this process with the request in its hands. */
export const killMark =
  (crash: CrashSwitch): RequestMark =>
  (kind) => {
    if (crash.isNow(`${kind}.received`)) return { [KILL_HEADER]: `${process.pid} received` }
    if (kind !== "order" && crash.isNow(`${kind}.executed`)) return { [KILL_HEADER]: `${process.pid} executed` }
    return {}
  }
