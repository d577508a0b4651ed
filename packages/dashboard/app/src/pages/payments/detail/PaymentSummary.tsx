/** What a payment is: its customer, method, provider and what the merchant wrote to it. */
import { Id } from "../../../ui/Copy.tsx"
import { Card, Details, Foreign, Section } from "../../../ui/Layout.tsx"
import { Money } from "../../../ui/Money.tsx"
import { Status, wordOf } from "../../../ui/Status.tsx"
import { exactTime, msOf, Time } from "../../../ui/Time.tsx"
import { TenantLink } from "../../../session/TenantLink.tsx"
import { AllPayments } from "../AllPayments.tsx"
import { addressText, methodText, referenceOf } from "../paymentText.ts"
import type { Payment } from "../paymentText.ts"

const foreign = (text: string | null | undefined) =>
  text === null || text === undefined || text === "" ? null : <Foreign text={text} />

export const PaymentSummary = ({ payment }: { readonly payment: Payment }) => {
  const { created_at: created, customer, failure, metadata, provider } = payment
  const reference = referenceOf(payment)
  return (
    <div className="grid gap-5 lg:grid-cols-2">
      <Section title="Customer">
        <Card className="h-full">
          <Details
            entries={[
              ["Name", foreign(customer.name)],
              [
                "Email",
                customer.email === null ? null : (
                  <AllPayments key="email" text={customer.email} search={{ customerEmail: customer.email }} />
                )
              ],
              ["Phone", foreign(customer.phone)],
              ["Address", foreign(addressText(customer))],
              ["Description", foreign(payment.description)],
              ...Object.entries(metadata).map(
                ([name, value]) => [`metadata: ${name}`, <Foreign key={name} text={value} />] as const
              )
            ]}
          />
        </Card>
      </Section>
      <Section title="Payment">
        <Card className="h-full">
          <Details
            entries={[
              ["Id", <Id key="id" id={payment.id} />],
              ["Created", <Created key="created" at={created} />],
              ...(payment.order === undefined
                ? []
                : ([
                    ["Order", <AllPayments key="order" text={payment.order} search={{ order: payment.order }} />]
                  ] as const)),
              ["Method", <Foreign key="method" text={methodText(payment)} />],
              ["Capture", wordOf(payment.capture_method)],
              [
                "Provider",
                <TenantLink key="provider" path={`providers/${encodeURIComponent(provider)}`}>
                  {provider}
                </TenantLink>
              ],
              ["Reference", reference === null ? null : <Id key="reference" id={reference} label="Copy reference" />],
              ...(failure === null
                ? []
                : ([["Failure", <Failure key="failure" code={failure.code} message={failure.message} />]] as const)),
              ...(payment.disputed_at === undefined
                ? []
                : ([["Disputed", <Created key="disputed" at={payment.disputed_at} />]] as const)),
              ...(payment.disputes ?? []).map(
                (dispute) => ["Dispute", <Dispute key={dispute.reference} dispute={dispute} />] as const
              ),
              ...(payment.return_url === null
                ? []
                : ([["Return URL", <Foreign key="return" text={payment.return_url} />]] as const))
            ]}
          />
        </Card>
      </Section>
    </div>
  )
}

const Created = ({ at }: { readonly at: string }) => (
  <span className="flex flex-wrap gap-x-2">
    {exactTime(msOf(at))}
    <span className="text-muted">
      <Time at={at} />
    </span>
  </span>
)

const Dispute = ({ dispute }: { readonly dispute: NonNullable<Payment["disputes"]>[number] }) => (
  <span className="flex flex-wrap items-center gap-x-3">
    <Status word={dispute.status} tone={dispute.status === "won" ? "good" : "bad"} />
    <Money amount={dispute.amount} currency={dispute.currency} />
    {dispute.reference === null ? null : <Id id={dispute.reference} label="Copy reference" />}
  </span>
)

const Failure = ({ code, message }: { readonly code: string; readonly message: string }) => (
  <span className="flex flex-col">
    <Status word={code} tone="bad" />
    <span className="text-muted">
      <Foreign text={message} />
    </span>
  </span>
)
