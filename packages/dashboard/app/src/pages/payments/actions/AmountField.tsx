/** An amount in major units, checked against what the currency has and the most that may be requested. */
import { Button } from "../../../ui/Button.tsx"
import { Field, Input } from "../../../ui/Field.tsx"
import { amountText, exponentOf, fieldAmount, minorUnits, separatorOf } from "../../../ui/amounts.ts"

export interface AmountLimits {
  readonly most: number
  readonly currency: string
  /** Whether less than `most` may be requested. */
  readonly partial: boolean
}

/** What stands in the field: the whole, as it is now, where the provider accepts nothing else. */
export const amountEntered = (text: string, { currency, most, partial }: AmountLimits): string =>
  partial ? text : fieldAmount(most, currency)

export type ReadAmount = { readonly amount: number } | { readonly fault: string }

export const readAmount = (text: string, { currency, most, partial }: AmountLimits): ReadAmount => {
  const amount = minorUnits(text, currency)
  const whole = `${amountText(most, currency)} ${currency}`
  if (amount === null) return { fault: `Enter an amount in ${currency}: ${decimalsOf(currency)}.` }
  if (amount === 0) return { fault: "Enter more than zero." }
  if (amount > most) return { fault: `Enter at most ${whole}.` }
  return amount < most && !partial ? { fault: `The provider accepts only the whole: ${whole}.` } : { amount }
}

const decimalsOf = (currency: string): string => {
  const exponent = exponentOf(currency)
  return exponent === 0 ? "it has no decimals" : `digits, with "${separatorOf()}" before at most ${exponent} decimals`
}

interface AmountFieldProps {
  readonly label: string
  readonly limits: AmountLimits
  readonly text: string
  readonly onChange: (text: string) => void
  readonly fault: string | undefined
}

export const AmountField = ({ fault, label, limits, onChange, text }: AmountFieldProps) => {
  const { currency, most, partial } = limits
  const whole = fieldAmount(most, currency)
  return (
    <Field
      label={label}
      error={fault}
      hint={
        partial
          ? `At most ${amountText(most, currency)} ${currency}.`
          : `The provider accepts only the whole: ${amountText(most, currency)} ${currency}.`
      }
    >
      <span className="flex items-center gap-2">
        <Input
          inputMode="decimal"
          autoComplete="off"
          maxLength={24}
          value={text}
          readOnly={!partial}
          onChange={(event) => onChange(event.target.value)}
          className="numbers text-right"
        />
        <span className="text-sm text-muted">{currency}</span>
        {partial && text !== whole && <Button onClick={() => onChange(whole)}>Whole</Button>}
      </span>
    </Field>
  )
}
