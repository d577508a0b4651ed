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
import { minorUnits } from "../../../ui/Money.tsx"
import { currenciesOf } from "./paymentFilters.ts"

export const amountFilter: Filter = {
  kind: "own",
  label: "Amount",
  names: ["amountMin", "amountMax"],
  textOf: (search) => {
    const [min, max] = [valueOf(search, "amountMin"), valueOf(search, "amountMax")]
    if (min === undefined && max === undefined) return null
    return `${min ?? "…"} – ${max ?? "…"} ${currenciesOf(search).join(", ")}`
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
    const [amountMin, amountMax] = [text("amountMin"), text("amountMax")]
    apply({
      amountMin: amountMin || undefined,
      amountMax: amountMax || undefined,
      ...((amountMin !== "" || amountMax !== "") && { currency: text("currency").toUpperCase() })
    })
  }
  return (
    <form onSubmit={submit} className="flex flex-col gap-3">
      <Field label="Currency" error={faults.currency}>
        <Input name="currency" maxLength={3} defaultValue={currenciesOf(search)[0]} placeholder="EUR" />
      </Field>
      <Field label="At least" error={faults.amountMin}>
        <Input name="amountMin" inputMode="decimal" maxLength={24} defaultValue={valueOf(search, "amountMin")} />
      </Field>
      <Field label="At most" error={faults.amountMax}>
        <Input name="amountMax" inputMode="decimal" maxLength={24} defaultValue={valueOf(search, "amountMax")} />
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

const exampleOf = (currency: Currency.Currency): string => {
  const exponent = Currency.exponent(currency)
  return exponent === 0 ? "12" : `12.${"5".padEnd(exponent, "0")}`
}
