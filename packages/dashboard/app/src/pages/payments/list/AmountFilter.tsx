/** From an amount to an amount of one currency, in major units. */
import { Currency } from "@paymux/core"
import { useState } from "react"
import type { FormEvent } from "react"
import type { Filter } from "../../../lists/Filters.tsx"
import { valueOf } from "../../../lists/search.ts"
import type { Search } from "../../../lists/search.ts"
import { textIn } from "../../../session/formText.ts"
import { Button } from "../../../ui/Button.tsx"
import { Field, Input } from "../../../ui/Field.tsx"
import { addressAmount, amountText, exampleOf, fieldAmount, minorUnits, plainAmount } from "../../../ui/amounts.ts"
import { currenciesOf } from "./paymentFilters.ts"

export const amountFilter: Filter = {
  kind: "own",
  label: "Amount",
  names: ["amountMin", "amountMax"],
  textOf: (search) => {
    const [min, max] = [valueOf(search, "amountMin"), valueOf(search, "amountMax")]
    if (min === undefined && max === undefined) return null
    const shown = (text: string | undefined) => (text === undefined ? "…" : fromAddress(text, search, amountText))
    return `${shown(min)} – ${shown(max)} ${currenciesOf(search).join(", ")}`
  },
  form: (search, apply) => <AmountForm search={search} apply={apply} />
}

interface Faults {
  readonly currency?: string
  readonly amountMin?: string
  readonly amountMax?: string
}

interface AmountFormProps {
  readonly search: Search
  readonly apply: (changes: Search) => void
}

const AmountForm = ({ apply, search }: AmountFormProps) => {
  const [faults, setFaults] = useState<Faults>({})
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    const text = (name: string) => textIn(form, name).trim()
    const found = faultsOf(text)
    setFaults(found)
    if (Object.keys(found).length > 0) return
    const [amountMin, amountMax, currency] = [text("amountMin"), text("amountMax"), text("currency").toUpperCase()]
    apply({
      amountMin: toAddress(amountMin, currency),
      amountMax: toAddress(amountMax, currency),
      ...((amountMin !== "" || amountMax !== "") && { currency })
    })
  }
  const typed = (name: string) => {
    const value = valueOf(search, name)
    return value === undefined ? undefined : fromAddress(value, search, fieldAmount)
  }
  return (
    <form onSubmit={submit} className="flex flex-col gap-3">
      <Field label="Currency" error={faults.currency}>
        <Input name="currency" maxLength={3} defaultValue={currenciesOf(search)[0]} placeholder="EUR" />
      </Field>
      <Field label="At least" error={faults.amountMin}>
        <Input name="amountMin" inputMode="decimal" maxLength={24} defaultValue={typed("amountMin")} />
      </Field>
      <Field label="At most" error={faults.amountMax}>
        <Input name="amountMax" inputMode="decimal" maxLength={24} defaultValue={typed("amountMax")} />
      </Field>
      <Button type="submit" look="primary">
        Apply
      </Button>
    </form>
  )
}

const faultsOf = (text: (name: string) => string): Faults => {
  const currency = text("currency").toUpperCase()
  const [min, max] = [text("amountMin"), text("amountMax")]
  if (min === "" && max === "") return {}
  if (!Currency.isCurrency(currency)) return { currency: "Enter a currency, such as EUR." }
  const noAmount = `Enter an amount in ${currency}, such as ${exampleOf(currency)}.`
  const [least, most] = [minorUnits(min, currency), minorUnits(max, currency)]
  return {
    ...(min !== "" && least === null && { amountMin: noAmount }),
    ...(max !== "" && most === null && { amountMax: noAmount }),
    ...(least !== null && most !== null && least > most && { amountMax: "Enter at least the amount above." })
  }
}

/** What cannot be read stays as it is: `readQuery` says what is wrong with it. */
const fromAddress = (text: string, search: Search, write: (amount: number, currency: string) => string): string => {
  const [currency = ""] = currenciesOf(search)
  const amount = Currency.isCurrency(currency) ? addressAmount(text, currency) : null
  return amount === null ? text : write(amount, currency)
}

const toAddress = (text: string, currency: string): string | undefined => {
  const amount = minorUnits(text, currency)
  return amount === null ? undefined : plainAmount(amount, currency)
}
