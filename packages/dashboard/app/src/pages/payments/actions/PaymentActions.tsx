/** What a person may do with a payment now. What they may not do is disabled, with the reason. */
import { useState } from "react"
import { useMay } from "../../../session/session.ts"
import { Button } from "../../../ui/Button.tsx"
import type { ActionOffer, PaymentDetails } from "../paymentText.ts"
import { CancelDialog } from "./CancelDialog.tsx"
import { CaptureDialog } from "./CaptureDialog.tsx"
import { isPossible } from "./Conflict.tsx"
import { RefundDialog } from "./RefundDialog.tsx"
import { ShareButton } from "./ShareButton.tsx"
import { SimulateMenu } from "./SimulateMenu.tsx"

const dialogs = { capture: CaptureDialog, cancel: CancelDialog, refund: RefundDialog } as const
const words = { capture: "Capture", cancel: "Cancel", refund: "Refund" } as const

export const PaymentActions = ({ details }: { readonly details: PaymentDetails }) => {
  const isOperator = useMay("operator")
  // The dialog keeps what it was opened for: the page goes on reading behind it.
  const [open, setOpen] = useState<{ readonly kind: ActionOffer["kind"]; readonly details: PaymentDetails } | null>(
    null
  )
  const Opened = open === null ? null : dialogs[open.kind]
  return (
    <>
      {details.payment.hosted_url !== null && <ShareButton url={details.payment.hosted_url} />}
      {details.simulated && <SimulateMenu id={details.payment.id} />}
      {shownOf(details).map((offer) => (
        <Button
          key={offer.kind}
          look={offer.kind === "capture" ? "primary" : "secondary"}
          refusal={isOperator ? refusalOf(offer) : "Only owners and operators can do this."}
          onClick={() => setOpen({ kind: offer.kind, details })}
        >
          {words[offer.kind]}
        </Button>
      ))}
      {open !== null && Opened !== null && <Opened details={open.details} onClose={() => setOpen(null)} />}
    </>
  )
}

const refusalOf = (offer: ActionOffer): string | null =>
  isPossible(offer) ? null : (offer.refusal ?? "This is not possible now.")

/** Refunding is always shown, with the reason if it is not possible: it is what people come for. */
const shownOf = ({ actions }: PaymentDetails): ReadonlyArray<ActionOffer> =>
  actions.filter(({ amount, kind }) => amount !== null || kind === "refund")
