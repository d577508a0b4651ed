/** What the payer has to do next. Times are ms UTC. */
export type NextAction =
  | { readonly type: "upi_intent"; readonly uri: string; readonly expiresAt: number | null }
  | {
      readonly type: "upi_qr"
      readonly payload: string | null
      readonly image: string | null
      readonly expiresAt: number | null
    }
  | { readonly type: "redirect"; readonly url: string; readonly expiresAt: number | null }
  | {
      readonly type: "stablecoin_transfer"
      readonly address: string
      readonly uri: string
      /** Decimal text in units of the asset, such as `12.50`. */
      readonly amount: string
      readonly expiresAt: number | null
    }
  | { readonly type: "wait"; readonly expiresAt: number | null }
