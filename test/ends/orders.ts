/** What merchants want to be paid in these tests: 1200, captured at once or later. */
import type { Order } from "../../packages/testkit/src/simulation/judge/index.ts"

const order = (id: string, captureMethod: Order["captureMethod"], refunds: number): Order => ({
  id,
  minorUnits: 1200,
  currency: "EUR",
  captureMethod,
  key: null,
  refunds
})

export const hold = (id: string): Order => order(id, "manual", 0)

/** `refunds`: how many refunds the merchant asks for. */
export const sale = (id: string, refunds = 0): Order => order(id, "automatic", refunds)
