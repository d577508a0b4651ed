/** How much is left to refund and why, and the way to refund more on purpose. */
import { amountText } from "../../../ui/amounts.ts"
import { Checkbox } from "../../../ui/Field.tsx"
import { Note } from "../../../ui/Problem.tsx"
import type { RefundOverride } from "./refundOverride.ts"

interface RefundLimitProps {
  readonly override: RefundOverride
  readonly currency: string
  readonly isOverriding: boolean
  readonly onChange: (isOverriding: boolean) => void
  /** Of a refusal: `alert`, so that screen readers announce it. */
  readonly role?: "alert"
}

export const RefundLimit = ({ currency, isOverriding, onChange, override, role }: RefundLimitProps) => {
  const { available, captured, disputed, pending, refunded, refundedElsewhere } = override.refundable
  const money = (amount: number) => `${amountText(amount, currency)} ${currency}`
  const rows = [
    ["Captured", captured],
    ["Refunded", refunded],
    ["Being refunded", pending],
    ["Refunded outside of Paymux", refundedElsewhere],
    ["Disputed", disputed],
    ["Left to refund", available]
  ] as const
  return (
    <Note tone="warn" {...(role !== undefined && { role })}>
      <p className="font-medium">
        {available === 0 ? "Nothing is left to refund" : `Only ${money(available)} is left to refund`}
      </p>
      <p>
        Disputes and refunds outside of Paymux reduce what can be refunded. Refunding more could return the same money
        twice.
      </p>
      <table className="w-full text-left">
        <tbody className="numbers">
          {rows.map(([name, amount]) => (
            <tr key={name}>
              <th scope="row" className="py-0.5 pr-3 font-normal">
                {name}
              </th>
              <td className="py-0.5 text-right font-medium">{money(amount)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <Checkbox
        label="Refund more than is left, with evidence"
        checked={isOverriding}
        onChange={({ target }) => onChange(target.checked)}
      />
    </Note>
  )
}
