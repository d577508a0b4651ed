/** What the page shows for a payment: one view for each state. Pure. */
import type { Payment, PaymentMethod } from "@paymux/core"

type PendingState = Extract<Payment["state"], { readonly status: "pending" }>
type Action = NonNullable<PendingState["nextAction"]>
type Transfer = Extract<Action, { readonly type: "stablecoin_transfer" }>

interface Timed {
  /** ms UTC; `null`: no time limit is known. */
  readonly expiresAt: number | null
}

export type View =
  /** A UPI link: a button on a phone, a QR code on a larger screen. */
  | ({ readonly _tag: "UpiLink"; readonly uri: string } & Timed)
  /** A QR code of the provider: as text to draw, or as an image. */
  | ({ readonly _tag: "UpiQr"; readonly payload: string | null; readonly image: string | null } & Timed)
  /** The payer approves in an app that has already asked for it. `vpa` is masked. */
  | ({ readonly _tag: "Approve"; readonly vpa: string | null } & Timed)
  /** A page of the provider. */
  | ({ readonly _tag: "Redirect"; readonly url: string } & Timed)
  | ({
      readonly _tag: "Transfer"
      readonly address: string
      readonly amount: string
      readonly uri: string
      readonly asset: string | null
      readonly network: string | null
      /** Minor units of the payment's currency; `null`: nothing arrived yet. */
      readonly received: number | null
    } & Timed)
  /** The money was sent and is not final yet. */
  | { readonly _tag: "Confirming" }
  /** The provider or an operator decides; the payer has nothing to do. */
  | { readonly _tag: "Processing" }
  | { readonly _tag: "Authorized" }
  | { readonly _tag: "Succeeded" }
  | { readonly _tag: "Failed"; readonly code: string }
  | { readonly _tag: "Expired" }
  | { readonly _tag: "Canceled" }

/** Whether the payment can still change, so that the page has to follow it. */
export const isOpen = ({ _tag }: View): boolean =>
  _tag !== "Succeeded" && _tag !== "Failed" && _tag !== "Expired" && _tag !== "Canceled"

/** Whether the payer still has to do something. */
export const isDue = (view: View): boolean =>
  isOpen(view) && view._tag !== "Authorized" && view._tag !== "Confirming" && view._tag !== "Processing"

export const viewOf = ({ amount, amountReceived, method, state }: Payment): View => {
  switch (state.status) {
    case "authorized":
      return { _tag: "Authorized" }
    case "succeeded":
      return { _tag: "Succeeded" }
    case "canceled":
      return { _tag: "Canceled" }
    case "failed":
      return state.failure.code === "customer_timeout"
        ? { _tag: "Expired" }
        : { _tag: "Failed", code: state.failure.code }
    case "pending": {
      const received = amountReceived ?? state.detected ?? null
      const isShort = received !== null && received < amount.minorUnits
      // After payment, the payer must not be asked to pay again.
      if (state.reason === "awaiting_finality" && !isShort) return { _tag: "Confirming" }
      if (state.nextAction === null || state.reason === "needs_review") return { _tag: "Processing" }
      return actionView(state.nextAction, method, received)
    }
  }
}

const actionView = (action: Action, method: PaymentMethod, received: number | null): View => {
  const { expiresAt } = action
  switch (action.type) {
    case "upi_intent":
      return { _tag: "UpiLink", uri: action.uri, expiresAt }
    case "upi_qr":
      return { _tag: "UpiQr", payload: action.payload, image: action.image, expiresAt }
    case "wait":
      return {
        _tag: "Approve",
        vpa: method.rail === "upi" && method.vpa !== null ? masked(method.vpa) : null,
        expiresAt
      }
    case "redirect":
      return { _tag: "Redirect", url: action.url, expiresAt }
    case "stablecoin_transfer":
      return { _tag: "Transfer", ...transfer(action, method), received, expiresAt }
  }
}

const transfer = ({ address, amount, asset, network, uri }: Transfer, method: PaymentMethod) => ({
  address,
  amount,
  uri,
  asset: asset ?? (method.rail === "stablecoin" ? method.asset : null),
  network: capitalized(network ?? (method.rail === "stablecoin" ? method.network : null))
})

/** Chains are named in lower case in the API, and with a capital by wallets. */
const capitalized = (name: string | null): string | null =>
  name === null ? null : name.slice(0, 1).toUpperCase() + name.slice(1)

/**
 * `asha@upi` becomes `a•••@upi`: enough for its owner to recognize.
 *
 * @internal Exported for its own test.
 */
export const masked = (vpa: string): string => {
  const at = vpa.lastIndexOf("@")
  const name = at === -1 ? vpa : vpa.slice(0, at)
  return `${Array.from(name)[0] ?? ""}•••${at === -1 ? "" : vpa.slice(at)}`
}
