/** A payment that does not exist, field by field. What is filled in goes into the address. */
import { useState } from "react"
import type { FormEvent, ReactNode } from "react"
import { useGet } from "../../api/client.ts"
import { useSetSearch } from "../../lists/search.ts"
import type { Search } from "../../lists/search.ts"
import { useTenant } from "../../session/session.ts"
import { Button } from "../../ui/Button.tsx"
import { Actions } from "../../ui/Dialog.tsx"
import { Field, Input, Select, Textarea } from "../../ui/Field.tsx"
import { addressAmount, exampleOf, minorUnits, plainAmount, separatorOf } from "../../ui/amounts.ts"
import { SkeletonLines } from "../../ui/Layout.tsx"
import { ProblemNote } from "../../ui/Problem.tsx"
import { wordOf } from "../../ui/Status.tsx"
import type { Vocabulary } from "./editor/completion.ts"
import { madeUpIn } from "./madeUpPayment.ts"
import type { MadeUpField, MadeUpPayment } from "./madeUpPayment.ts"

export const MadeUpForm = ({ search }: { readonly search: Search }) => {
  const path = useTenant()
  const { data, error, refetch } = useGet(
    "/dashboard/api/{account}/{mode}/rules/vocabulary",
    { path },
    { staleTime: 300_000 }
  )
  if (data !== undefined) return <PaymentFields vocabulary={data} search={search} />
  return error === null ? <SkeletonLines lines={4} /> : <ProblemNote error={error} onRetry={() => void refetch()} />
}

interface FieldsProps {
  readonly payment: MadeUpPayment
  readonly change: (field: MadeUpField, value: string) => void
  readonly vocabulary: Vocabulary
}

const PaymentFields = ({ search, vocabulary }: Pick<FieldsProps, "vocabulary"> & { readonly search: Search }) => {
  const set = useSetSearch()
  const [payment, setPayment] = useState(() => asTyped(withDefaults(madeUpIn(search), vocabulary)))
  const [fault, setFault] = useState<string>()
  const change = (field: MadeUpField, value: string) => setPayment((before) => ({ ...before, [field]: value }))
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const amount = minorUnits(payment.amount, payment.currency)
    if (amount === null)
      return setFault(`Enter an amount in ${payment.currency}, such as ${exampleOf(payment.currency)}.`)
    setFault(undefined)
    const written = { ...payment, amount: plainAmount(amount, payment.currency).replace(/\.0+$/, "") }
    set(Object.fromEntries(Object.entries(written).map(([field, value]) => [field, value.trim()])))
  }
  const fields = { payment, change, vocabulary }
  return (
    <form onSubmit={submit} className="flex flex-col gap-3">
      <div className="grid gap-3 sm:grid-cols-2 lg:grid-cols-4">
        <Text {...fields} field="amount" label="Amount" error={fault} required />
        <Choice {...fields} field="currency" label="Currency" of="currency" />
        <Choice {...fields} field="payment_method" label="Payment method" of="payment_method" />
        <Choice {...fields} field="capture_method" label="Capture method" of="capture_method" />
        <Text {...fields} field="email" label="Email" required={payment.payment_method === "upi"} />
        <Text {...fields} field="phone" label="Phone" required={payment.payment_method === "upi"} />
        <MethodFields {...fields} />
        <Field label="Time (UTC)" hint="Empty: now.">
          <Input type="datetime-local" value={payment.at} onChange={(event) => change("at", event.target.value)} />
        </Field>
      </div>
      <Field label="Metadata" hint="One key=value on each line.">
        <Textarea
          rows={2}
          maxLength={10_000}
          value={payment.metadata}
          onChange={(event) => change("metadata", event.target.value)}
        />
      </Field>
      <Actions>
        <Button type="submit" look="primary">
          Explain
        </Button>
      </Actions>
    </form>
  )
}

/** The address has the amount as `100` or `12.50` for every reader, so that it also suits a currency without decimals. */
const asTyped = (payment: MadeUpPayment): MadeUpPayment => {
  if (addressAmount(payment.amount, payment.currency) === null) return payment
  return { ...payment, amount: payment.amount.replaceAll(",", "").replace(".", separatorOf()) }
}

/** The first method that a provider takes. */
const withDefaults = (payment: MadeUpPayment, { providers }: Vocabulary): MadeUpPayment => {
  const method = payment.payment_method === "" ? (providers[0]?.methods[0] ?? "card") : payment.payment_method
  const currency = payment.currency === "" ? (method === "upi" ? "INR" : "USD") : payment.currency
  return { ...payment, payment_method: method, currency }
}

const MethodFields = (fields: FieldsProps): ReactNode => {
  switch (fields.payment.payment_method) {
    case "upi":
      return (
        <>
          <Choice {...fields} field="flow" label="Flow" of="flow" only={["intent", "qr", "collect"]} optional />
          <Text {...fields} field="vpa" label="UPI id" />
        </>
      )
    case "card":
      return (
        <>
          <Text {...fields} field="network" label="Card network" placeholder="visa" />
          <Choice {...fields} field="country" label="Card country" of="card.country" optional />
          <Choice {...fields} field="funding" label="Card funding" of="card.funding" optional />
          <Text {...fields} field="bin" label="Card BIN" placeholder="6 to 8 digits" />
          <Text {...fields} field="token" label="Card token" />
        </>
      )
    case "stablecoin":
      return (
        <>
          <Text {...fields} field="asset" label="Asset" placeholder="USDC" />
          <Text {...fields} field="chain" label="Network" placeholder="base" />
        </>
      )
    default:
      return null
  }
}

interface OneField extends FieldsProps {
  readonly field: MadeUpField
  readonly label: string
}

interface TextProps extends OneField {
  readonly error?: string | undefined
  readonly required?: boolean
  readonly placeholder?: string
}

const Text = ({ change, error, field, label, payment, placeholder, required = false }: TextProps) => (
  <Field label={label} error={error}>
    <Input
      required={required}
      maxLength={255}
      autoComplete="off"
      placeholder={placeholder}
      value={payment[field]}
      onChange={(event) => change(field, event.target.value)}
    />
  </Field>
)

interface ChoiceProps extends OneField {
  /** The condition whose values it takes. */
  readonly of: string
  readonly only?: ReadonlyArray<string>
  readonly optional?: boolean
}

const Choice = ({ change, field, label, of, only, optional = false, payment, vocabulary }: ChoiceProps) => {
  const values = only ?? vocabulary.conditions.find(({ name }) => name === of)?.values ?? []
  return (
    <Field label={label}>
      <Select value={payment[field]} onChange={(event) => change(field, event.target.value)}>
        {optional && <option value="">Not given</option>}
        {values.map((value) => (
          <option key={value} value={value}>
            {/^[A-Z]/.test(value) ? value : wordOf(value)}
          </option>
        ))}
      </Select>
    </Field>
  )
}
