import type { PaymentDetails } from "../paymentText.ts"

export interface ActionDialogProps {
  readonly details: PaymentDetails
  readonly onClose: () => void
}
