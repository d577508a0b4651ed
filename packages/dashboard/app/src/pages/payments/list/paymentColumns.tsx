/** The columns of the list, and which of them the person chose. */
import type { Column } from "../../../lists/List.tsx"
import { useStored } from "../../../lists/stored.ts"
import { TenantLink } from "../../../session/TenantLink.tsx"
import { Id } from "../../../ui/Copy.tsx"
import { Foreign } from "../../../ui/Layout.tsx"
import { Money } from "../../../ui/Money.tsx"
import { Status, wordOf } from "../../../ui/Status.tsx"
import { Time } from "../../../ui/Time.tsx"
import { contactText, customerText, methodText, referenceOf } from "../paymentText.ts"
import type { Payment } from "../paymentText.ts"

export interface PaymentColumn extends Column<Payment> {
  readonly name: string
  readonly chosen: boolean
}

export const columns: ReadonlyArray<PaymentColumn> = [
  {
    name: "amount",
    title: "Amount",
    chosen: true,
    align: "right",
    cell: ({ amount, currency, id }) => (
      <TenantLink path={`payments/${id}`} className="font-medium hover:underline">
        <Money amount={amount} currency={currency} />
      </TenantLink>
    )
  },
  { name: "status", title: "Status", chosen: true, cell: (payment) => <PaymentStatus payment={payment} /> },
  { name: "method", title: "Method", chosen: true, hideBelow: "md", cell: (payment) => <MethodCell {...payment} /> },
  {
    name: "customer",
    title: "Customer",
    chosen: true,
    hideBelow: "sm",
    cell: (payment) => (
      <span className="block max-w-56 truncate" title={contactText(payment.customer)}>
        <Foreign text={customerText(payment)} />
      </span>
    )
  },
  {
    name: "email",
    title: "Email",
    chosen: false,
    cell: ({ customer: { email } }) => (email === null ? <None /> : <Foreign text={email} />)
  },
  { name: "provider", title: "Provider", chosen: true, hideBelow: "lg", cell: ({ provider }) => provider },
  {
    name: "reference",
    title: "Reference",
    chosen: false,
    cell: (payment) => <OptionalId id={referenceOf(payment)} label="Copy reference" />
  },
  {
    name: "description",
    title: "Description",
    chosen: false,
    cell: ({ description }) => (description === null ? <None /> : <Foreign text={description} />)
  },
  {
    name: "failure",
    title: "Failure",
    chosen: false,
    cell: ({ failure }) => (failure === null ? <None /> : wordOf(failure.code))
  },
  {
    name: "refunded",
    title: "Refunded",
    chosen: false,
    align: "right",
    cell: ({ amount_refunded: refunded, currency }) =>
      refunded === 0 ? <None /> : <Money amount={refunded} currency={currency} />
  },
  { name: "created", title: "Created", chosen: true, cell: ({ created_at: created }) => <Time at={created} /> },
  { name: "id", title: "Id", chosen: true, hideBelow: "lg", cell: ({ id }) => <IdCell id={id} label="Copy id" /> }
]

const None = () => <span className="text-muted">–</span>

const OptionalId = ({ id, label }: { readonly id: string | null; readonly label: string }) =>
  id === null ? <None /> : <IdCell id={id} label={label} />

/** As high as a line of text, with the end left out: the button copies the whole. */
const IdCell = ({ id, label }: { readonly id: string; readonly label: string }) => (
  <span className="-my-1 flex w-36">
    <Id id={id} label={label} />
  </span>
)

const MethodCell = (payment: Payment) => (
  <span className="block max-w-56 truncate">
    <Foreign text={methodText(payment)} />
  </span>
)

/** With what a person should know at once: a review, a refund. */
export const PaymentStatus = ({ payment }: { readonly payment: Payment }) => {
  const { amount_captured: captured, amount_refunded: refunded, reviews, status } = payment
  return (
    <span className="flex items-center gap-x-2 max-sm:flex-wrap">
      <Status word={status} />
      {reviews.length > 0 && <Status word="in_review" />}
      {refunded > 0 && (
        <span className="text-xs whitespace-nowrap text-muted">
          {refunded >= captured ? "Refunded" : "Partly refunded"}
        </span>
      )}
    </span>
  )
}

const namesIn = (stored: unknown): ReadonlyArray<string> | null =>
  Array.isArray(stored) && stored.length > 0 && stored.every((name) => typeof name === "string") ? stored : null

export const useColumns = () => {
  const [names, choose] = useStored(
    "paymux-payment-columns",
    namesIn,
    columns.filter(({ chosen }) => chosen).map(({ name }) => name)
  )
  const shown = columns.filter(({ name }) => names.includes(name))
  return { shown: shown.length === 0 ? columns.slice(0, 1) : shown, names, choose }
}
