/**
 * The payer's next action. `expiresAt` is ms UTC, `null` if the provider sets no expiry.
 *
 * A link has at most 2048 characters, and never a scheme that a browser runs, such as `javascript:`. An image is an
 * `https` URL, or a `data:` URL of at most 131072 characters. No text has control characters. An action that breaks one
 * of these rules is left out.
 */
export type NextAction =
  /** The payer opens a UPI app; `uri` is `upi://pay?…`. */
  | { readonly type: "upi_intent"; readonly uri: string; readonly expiresAt: number | null }
  /**
   * The payer scans a code: `payload` is the text to draw, `image` the provider's own picture of the code (an `https`
   * or `data:` URL).
   */
  | {
      readonly type: "upi_qr"
      readonly payload: string | null
      readonly image: string | null
      readonly expiresAt: number | null
    }
  /**
   * The payer goes to the provider's page (3-D Secure, a hosted checkout), at an `http` or `https` URL of at most 8192
   * characters. The page sends the payer back to `returnUrl`.
   */
  | { readonly type: "redirect"; readonly url: string; readonly expiresAt: number | null }
  /** The payer sends `amount` to `address`; `uri` contains both, for a wallet. */
  | {
      readonly type: "stablecoin_transfer"
      readonly address: string
      readonly uri: string
      /** The amount as decimal text in units of the asset, such as `12.50`. */
      readonly amount: string
      /**
       * The coin, and the chain on which to send it, such as `USDC` and `base`, even if the payment did not choose
       * them.
       */
      readonly asset?: string
      readonly network?: string
      /** A picture of `uri` to scan (an `https` or `data:` URL); absent if the provider has none. */
      readonly image?: string | null
      readonly expiresAt: number | null
    }
  /** The payer confirms elsewhere, such as a UPI collect request in the app: no action has to be shown. */
  | { readonly type: "wait"; readonly expiresAt: number | null }
