/** The program's own function as a listener to events: option `onEvent`. */
import { EventNotTaken } from "@paymux/webhooks"
import type { ProcessListener } from "@paymux/webhooks"
import { Effect } from "effect"
import type { PaymuxSettings } from "./PaymuxOptions.ts"

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

export const processListener = (
  { account, livemode, onEvent }: PaymuxSettings,
  gate: EventGate
): { readonly process?: ProcessListener } => {
  if (onEvent === null) return {}
  const tell: ProcessListener["tell"] = (event) =>
    Effect.tryPromise({
      try: async () => {
        await gate.opened
        await onEvent(event)
      },
      catch: (cause) => new EventNotTaken({ cause })
    })
  return { process: { tenant: { account, livemode }, tell } }
}
