/** What merchants want to be paid in these tests: 1200, captured at once or later. */
import type { Order } from "../suites/src/simulation/judge/index.ts"

const order = (id: string, captureMethod: Order["captureMethod"]): Order => ({
  id,
  minorUnits: 1200,
  currency: "EUR",
  captureMethod,
  key: null
})

export const hold = (id: string): Order => order(id, "manual")

export const sale = (id: string): Order => order(id, "automatic")
