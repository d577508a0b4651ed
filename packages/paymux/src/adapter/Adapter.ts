/** What is asked for: all that the made files depend on. */
import type { Rail } from "@paymux/core"
import type { Names } from "./Names.ts"
import type { Home } from "./Place.ts"

export interface Adapter {
  readonly names: Names
  readonly rail: Rail
  readonly home: Home
}

/** On npm. */
export const packageNameOf = ({ home, names: { id } }: Adapter): string => {
  switch (home) {
    case "workspace":
      return `@paymux/${id}`
    case "outside":
      return `paymux-${id}`
    default:
      return home satisfies never
  }
}

/** For people. */
export const railNames: { readonly [rail in Rail]: string } = { upi: "UPI", card: "Card", stablecoin: "Stablecoin" }
