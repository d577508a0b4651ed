/** The program's own function as a listener to events: option `onEvent`. */
import { EventListenerFailed } from "@paymux/webhooks"
import type { EventListener } from "@paymux/webhooks"
import { Effect } from "effect"
import type { PaymuxSettings } from "./options/PaymuxOptions.ts"

/** Closed until the program has what `createPaymux` answers: its listener may well use it. */
export interface EventGate {
  readonly opened: Promise<void>
  readonly openSoon: () => void
}

export const makeGate = (): EventGate => {
  const { promise, resolve } = Promise.withResolvers<void>()
  // After every promise that is settled by now has called its own: the program's `await` among them.
  return { opened: promise, openSoon: () => void setImmediate(resolve) }
}

export const eventListener = (
  { account, livemode, onEvent }: PaymuxSettings,
  gate: EventGate
): { readonly listener?: EventListener } => {
  if (onEvent === null) return {}
  const handle: EventListener["handle"] = (event) =>
    Effect.tryPromise({
      try: async () => {
        await gate.opened
        await onEvent(event)
      },
      catch: (cause) => new EventListenerFailed({ cause })
    })
  return { listener: { tenant: { account, livemode }, handle } }
}
