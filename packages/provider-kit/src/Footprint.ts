/** Whether the call at hand has sent something that may have had an effect: then not even a refused connection is proof. */
import * as Context from "effect/Context"

export interface Footprint {
  left: boolean
}

/** One for each call of an adapter. It is not read outside of calls. */
export const Footprint: Context.Reference<Footprint> = Context.Reference<Footprint>("@paymux/provider-kit/Footprint", {
  defaultValue: () => ({ left: false })
})
