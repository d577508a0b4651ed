import { amountText } from "./amounts.ts"

export const Money = ({ amount, currency }: { readonly amount: number | string; readonly currency: string }) => (
  <span className="numbers whitespace-nowrap">
    {amountText(amount, currency)} <span className="text-muted">{currency}</span>
  </span>
)
