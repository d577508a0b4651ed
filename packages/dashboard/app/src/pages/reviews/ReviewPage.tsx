/** A payment in review: what Paymux has recorded, what the provider reported, and the resolutions that fit. */
import { useParams } from "@tanstack/react-router"
import { useEffect, useRef, useState } from "react"
import type { ComponentProps } from "react"
import { reread, useGet } from "../../api/client.ts"
import { isProblem } from "../../api/problems.ts"
import { useMay, useTenant } from "../../session/session.ts"
import { TenantLink } from "../../session/TenantLink.tsx"
import { Button } from "../../ui/Button.tsx"
import { Id } from "../../ui/Copy.tsx"
import { Card, Details, Empty, Foreign, Page, SkeletonLines } from "../../ui/Layout.tsx"
import { Money } from "../../ui/Money.tsx"
import { Note, ProblemNote } from "../../ui/Problem.tsx"
import { Status, wordOf } from "../../ui/Status.tsx"
import { Time } from "../../ui/Time.tsx"
import { toast } from "../../ui/Toast.tsx"
import { AllPayments } from "../payments/AllPayments.tsx"
import { contactText } from "../payments/paymentText.ts"
import { changesBetween, isApplied } from "./changes.ts"
import type { Stated } from "./changes.ts"
import { EvidenceTable, MoneyReports, Operations, Resolved } from "./Known.tsx"
import { ResolutionForm } from "./ResolutionForm.tsx"
import { meaningOf } from "./reviewWords.ts"
import type { ReviewedPayment } from "./reviewWords.ts"

export const ReviewPage = () => {
  const path = useTenant()
  const { id = "" } = useParams({ strict: false })
  const { data, error, refetch } = useGet("/dashboard/api/{account}/{mode}/reviews/{id}", { path: { ...path, id } })
  if (data !== undefined) return <Pinned key={id} latest={data} />
  if (isProblem(error, "not_found")) {
    return (
      <Page title="Review">
        <Empty title="There is no such payment in this account and mode">
          <TenantLink path="reviews">Open reviews</TenantLink>
        </Empty>
      </Page>
    )
  }
  return (
    <Page title="Review">
      {error === null ? <SkeletonLines lines={10} /> : <ProblemNote error={error} onRetry={() => void refetch()} />}
    </Page>
  )
}

const readAgain = () => reread("/dashboard/api/{account}/{mode}/reviews/{id}")

const announce = async () => {
  toast("The review is resolved.")
  await readAgain()
  await reread("/dashboard/api/{account}/{mode}/reviews", "/dashboard/api/{account}/{mode}/payments")
}

/** What an operator decides about stays as they read it, until they take the newer state. */
const Pinned = ({ latest }: { readonly latest: ReviewedPayment }) => {
  const [shown, setShown] = useState(latest)
  const [isResolved, setResolved] = useState(false)
  const [isRefused, setRefused] = useState(false)
  const [stated, setStated] = useState<ReadonlyArray<Stated>>([])
  const [applied, setApplied] = useState<Stated | null>(null)
  const isNewer = latest.version > shown.version
  const last = stated.at(-1)
  const isLastApplied = isNewer && last !== undefined && isApplied(last, shown, latest)
  if (isNewer && (isResolved || isLastApplied)) {
    if (isLastApplied) setApplied(last)
    setShown(latest)
    setResolved(false)
    setRefused(false)
    setStated([])
  }
  const afterResolution = async () => {
    setResolved(true)
    await announce()
  }
  useEffect(() => {
    if (applied !== null) void announce()
  }, [applied])
  return (
    <Page
      title="Review"
      heading={shown.reviews.length === 1 ? "1 open review" : `${shown.reviews.length} open reviews`}
      description={
        <TenantLink path={`payments/${encodeURIComponent(shown.payment.id)}`}>Payment {shown.payment.id}</TenantLink>
      }
    >
      {isNewer && !isResolved && (
        <Changed
          before={shown}
          now={latest}
          stated={stated}
          isRefused={isRefused}
          onTake={() => {
            setRefused(false)
            setStated([])
            setShown(latest)
          }}
        />
      )}
      <Payment payment={shown.payment} />
      {shown.reviews.length === 0 && (
        <Empty title="Nothing is left to resolve">
          <TenantLink path="reviews">Open reviews</TenantLink>
        </Empty>
      )}
      {shown.reviews.map((review) => (
        <Review
          key={review.id}
          review={review}
          reviewed={shown}
          onResolved={() => void afterResolution()}
          onUncertain={(statement) => setStated((before) => [...before, statement])}
          onConflict={() => {
            setRefused(true)
            void readAgain()
          }}
        />
      ))}
      <Operations reviewed={shown} />
      <EvidenceTable evidence={shown.evidence} />
      <Resolved resolved={shown.resolved} />
    </Page>
  )
}

interface ChangedProps {
  readonly before: ReviewedPayment
  readonly now: ReviewedPayment
  readonly stated: ReadonlyArray<Stated>
  /** The person has just been refused, and must see why. */
  readonly isRefused: boolean
  readonly onTake: () => void
}

const Changed = ({ before, isRefused, now, onTake, stated }: ChangedProps) => {
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (isRefused) place.current?.scrollIntoView({ block: "center" })
  }, [isRefused])
  return (
    <div ref={place}>
      <Note tone="warn" role="alert">
        <p className="font-medium">
          {isRefused
            ? "Your resolution was not applied: the payment has changed since you read it."
            : "This payment has changed since you opened it."}
        </p>
        <ul className="list-disc pl-5">
          {changesBetween(before, now, stated).map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
        </ul>
        <Button onClick={onTake}>Show the current state</Button>
      </Note>
    </div>
  )
}

const Payment = ({ payment }: { readonly payment: ReviewedPayment["payment"] }) => {
  const { amount, amount_captured, amount_received, amount_refunded, created_at, currency, overpayment } = payment
  const money = (minor: number) => <Money amount={minor} currency={currency} />
  return (
    <Card>
      <Details
        entries={[
          [
            "Payment",
            <span className="inline-flex flex-wrap items-center gap-x-3">
              {money(amount)} <Status word={payment.status} />
            </span>
          ],
          ["Captured", money(amount_captured)],
          ...(amount_refunded === 0 ? [] : [["Refunded", money(amount_refunded)] as const]),
          ...(amount_received === undefined ? [] : [["Received", money(amount_received)] as const]),
          ...(overpayment === undefined ? [] : [["Captured in excess", money(overpayment)] as const]),
          ["Method", wordOf(payment.payment_method)],
          ["Customer", <Foreign text={contactText(payment.customer)} />],
          ["Created", <Time at={created_at} />]
        ]}
      />
    </Card>
  )
}

const Review = (props: ComponentProps<typeof ResolutionForm>) => {
  const { review, reviewed } = props
  const mayResolve = useMay("operator")
  const operation = reviewed.operations.find(({ id }) => id === review.operationId)
  const orderNumber = reviewed.payment.metadata["order_id"]
  return (
    <section aria-label={wordOf(review.reason)} className="flex flex-col gap-2.5">
      <div>
        <h2 className="font-semibold">{wordOf(review.reason)}</h2>
        <p className="text-sm text-muted">{meaningOf(review.reason)}</p>
      </div>
      <div className="grid items-start gap-4 lg:grid-cols-2">
        <div className="flex min-w-0 flex-col gap-4">
          <Card>
            <Details
              entries={[
                ["In question", <Money amount={review.amount} currency={review.currency} />],
                ["Provider", <Foreign text={review.provider} />],
                [
                  "Provider reference",
                  review.reference === null ? null : <Id id={review.reference} label="Copy provider reference" />
                ],
                [
                  "Operation",
                  operation === undefined
                    ? null
                    : `${wordOf(operation.kind)}, ${wordOf(operation.status).toLowerCase()} in Paymux`
                ],
                ...(review.reason === "possible_duplicate" && orderNumber !== undefined
                  ? [
                      [
                        "Order number",
                        <AllPayments text={orderNumber} search={{ metadata: `order_id=${orderNumber}` }} />
                      ] as const
                    ]
                  : []),
                ["Open since", <Time at={review.since} />]
              ]}
            />
          </Card>
          <MoneyReports reported={review.reported} />
        </div>
        {mayResolve ? (
          <ResolutionForm {...props} />
        ) : (
          <Note tone="info">
            <p>An operator or an owner of this account can resolve it.</p>
          </Note>
        )}
      </div>
    </section>
  )
}
