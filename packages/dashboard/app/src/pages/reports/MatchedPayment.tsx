/** The payment that was found, beside the report, with what does not agree. */
import type { Schemas } from "../../api/client.ts"
import { TenantLink } from "../../session/TenantLink.tsx"
import { Field, Select } from "../../ui/Field.tsx"
import { Card, Details, Foreign } from "../../ui/Layout.tsx"
import { amountText } from "../../ui/amounts.ts"
import { Money } from "../../ui/Money.tsx"
import { Note } from "../../ui/Problem.tsx"
import { Status, wordOf } from "../../ui/Status.tsx"
import { Time } from "../../ui/Time.tsx"
import { contactText } from "../payments/paymentText.ts"
import type { Report } from "./reportWords.ts"

type Reviewed = Schemas["ReviewedPayment"]

interface MatchedPaymentProps {
  readonly report: Report
  readonly reviewed: Reviewed
  /** Empty: the create operation at the provider of the report. */
  readonly operationId: string
  readonly onOperation: (id: string) => void
}

export const MatchedPayment = ({ onOperation, operationId, report, reviewed }: MatchedPaymentProps) => {
  const { operations, payment } = reviewed
  const atProvider = operations.filter(({ provider }) => provider === report.provider)
  const differences = differencesOf(report, reviewed)
  return (
    <>
      <Card>
        <Details
          entries={[
            ["Payment", <TenantLink path={`payments/${encodeURIComponent(payment.id)}`}>{payment.id}</TenantLink>],
            [
              "Amount",
              <span className="inline-flex flex-wrap items-center gap-x-3">
                <Money amount={payment.amount} currency={payment.currency} /> <Status word={payment.status} />
              </span>
            ],
            ["Customer", <Foreign text={contactText(payment.customer)} />],
            ["Description", payment.description === null ? null : <Foreign text={payment.description} />],
            ["Providers", <Foreign text={payment.attempts.map(({ provider }) => provider).join(", ")} />],
            ["Created", <Time at={payment.created_at} />]
          ]}
        />
      </Card>
      {differences.length > 0 && (
        <Note tone="warn">
          <p className="font-medium">The payment and the report do not agree:</p>
          <ul className="list-disc pl-5">
            {differences.map((sentence) => (
              <li key={sentence}>{sentence}</li>
            ))}
          </ul>
        </Note>
      )}
      {atProvider.length > 1 && (
        <Field label="Operation" hint="Choose the refund or capture if the report is about one.">
          <Select name="operationId" value={operationId} onChange={({ target }) => onOperation(target.value)}>
            <option value="">The payment itself</option>
            {atProvider
              .filter(({ kind }) => kind !== "create")
              .map(({ amount, id, kind, status }) => (
                <option key={id} value={id}>
                  {`${wordOf(kind)} of ${amountText(amount, payment.currency)} ${payment.currency}, ${wordOf(status).toLowerCase()}`}
                </option>
              ))}
          </Select>
        </Field>
      )}
    </>
  )
}

export const differencesOf = (report: Report, { operations, payment }: Reviewed): ReadonlyArray<string> => [
  ...(operations.some(({ provider }) => provider === report.provider)
    ? []
    : ["No attempt of this payment was made at the provider of the report."]),
  ...(report.currency === null || report.currency === payment.currency
    ? []
    : [`The report is in ${report.currency}, the payment in ${payment.currency}.`]),
  ...(report.amount === null ||
  report.currency !== payment.currency ||
  operations.some(({ amount }) => amount === report.amount)
    ? []
    : [`No operation of the payment is of ${amountText(report.amount, payment.currency)} ${payment.currency}.`])
]
