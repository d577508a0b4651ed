import { useState } from "react"
import type { FormEvent } from "react"
import { useGet } from "../../api/client.ts"
import { isProblem } from "../../api/problems.ts"
import { useListSearch, useSetSearch, valueOf } from "../../lists/search.ts"
import type { Search } from "../../lists/search.ts"
import { textIn } from "../../session/formText.ts"
import { useMay, useTenant } from "../../session/session.ts"
import { TenantLink } from "../../session/TenantLink.tsx"
import { Button } from "../../ui/Button.tsx"
import { Field, Input } from "../../ui/Field.tsx"
import { Card, Empty, Page, Section, SkeletonLines } from "../../ui/Layout.tsx"
import { Note, ProblemNote } from "../../ui/Problem.tsx"
import { useDraft } from "./draft.ts"
import { Explanation } from "./Explanation.tsx"
import { MadeUpForm } from "./MadeUpForm.tsx"
import { madeUpIn, requestOf } from "./madeUpPayment.ts"
import { RoutingTabs } from "./RoutingTabs.tsx"
import { RulesChoice } from "./RulesChoice.tsx"
import type { ChosenRules } from "./RulesChoice.tsx"
import { useExplanation } from "./useExplanation.ts"
import type { ExplainedSubject } from "./useExplanation.ts"

export const ExplainPage = () => (
  <Page
    title="Explain a decision"
    description="Which rule decides a payment, why the rules before it do not, and in which order providers are tried. Nothing is stored, and nothing is sent to a provider."
  >
    <RoutingTabs />
    {useMay("routing") ? <Explain /> : <ExplainStored />}
  </Page>
)

const Explain = () => {
  const search = useListSearch()
  const set = useSetSearch()
  const { draft } = useDraft()
  const chosen = valueOf(search, "rules") === "draft" && draft !== null ? "draft" : "current"
  const isStored = valueOf(search, "subject") !== "request"
  return (
    <>
      <Card className="flex flex-col gap-4">
        <div className="grid gap-3 sm:grid-cols-2">
          <SubjectChoice isStored={isStored} />
          <RulesChoice
            chosen={chosen}
            hasDraft={draft !== null}
            currentName={isStored ? "Those that decided the payment" : "In force"}
            onChange={(rules: ChosenRules) => set({ rules: rules === "draft" ? rules : undefined })}
          />
        </div>
        {isStored ? <PaymentForm id={valueOf(search, "payment") ?? ""} /> : <MadeUpForm search={search} />}
      </Card>
      <Explained
        subject={subjectIn(search, isStored)}
        text={chosen === "draft" && draft !== null ? draft.text : null}
      />
    </>
  )
}

/** What every member may see: stored payments, by the rules that decided them. */
const ExplainStored = () => {
  const id = valueOf(useListSearch(), "payment")
  return (
    <>
      <Card className="flex flex-col gap-3">
        <PaymentForm id={id ?? ""} />
        <p className="text-sm text-muted">Made-up payments and drafts need the role “routing”.</p>
      </Card>
      {id !== undefined && <StoredDecision id={id} />}
    </>
  )
}

const StoredDecision = ({ id }: { readonly id: string }) => {
  const path = useTenant()
  const query = useGet("/dashboard/api/{account}/{mode}/payments/{id}/routing", { path: { ...path, id } })
  return <Outcome query={query} paymentId={id} isDraft={false} />
}

const subjectIn = (search: Search, isStored: boolean): ExplainedSubject | string | null => {
  const paymentId = valueOf(search, "payment")
  if (isStored) return paymentId === undefined ? null : { paymentId }
  return valueOf(search, "payment_method") === undefined ? null : requestOf(madeUpIn(search))
}

const SubjectChoice = ({ isStored }: { readonly isStored: boolean }) => {
  const set = useSetSearch()
  const choice = (label: string, chosen: boolean, subject: string | undefined) => (
    <label className="flex items-center gap-2 text-sm">
      <input
        type="radio"
        name="subject"
        className="size-4 accent-accent-fill"
        checked={chosen}
        onChange={() => set({ subject })}
      />
      {label}
    </label>
  )
  return (
    <fieldset className="flex flex-col gap-1.5">
      <legend className="mb-1 text-sm font-medium">Explain</legend>
      {choice("A payment", isStored, undefined)}
      {choice("A made-up payment", !isStored, "request")}
    </fieldset>
  )
}

const PaymentForm = ({ id }: { readonly id: string }) => {
  const set = useSetSearch()
  const [text, setText] = useState(id)
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    set({ payment: textIn(event.currentTarget, "payment").trim() })
  }
  return (
    <form onSubmit={submit} className="flex flex-wrap items-end gap-2">
      <Field label="Id of the payment" className="min-w-0 flex-1">
        <Input
          name="payment"
          required
          maxLength={64}
          autoComplete="off"
          placeholder="pay_…"
          className="font-mono text-sm"
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      </Field>
      <Button type="submit" look="primary">
        Explain
      </Button>
    </form>
  )
}

interface ExplainedProps {
  /** A text says what is wrong with it. */
  readonly subject: ExplainedSubject | string | null
  readonly text: string | null
}

const Explained = ({ subject, text }: ExplainedProps) => {
  const isSubject = subject !== null && typeof subject !== "string"
  const query = useExplanation(isSubject ? subject : null, text)
  if (subject === null) return null
  if (typeof subject === "string") {
    return (
      <Note tone="bad" role="alert">
        <p>{subject}</p>
      </Note>
    )
  }
  return <Outcome query={query} paymentId={subject.paymentId ?? null} isDraft={text !== null} />
}

interface OutcomeProps {
  readonly query: Pick<ReturnType<typeof useExplanation>, "data" | "error" | "refetch">
  readonly paymentId: string | null
  readonly isDraft: boolean
}

const Outcome = ({ isDraft, paymentId, query: { data, error, refetch } }: OutcomeProps) => {
  if (data !== undefined) return <Explanation decision={data} paymentId={paymentId} isDraft={isDraft} />
  if (error === null) return <SkeletonLines lines={6} />
  if (isProblem(error, "not_found")) {
    return (
      <Empty title="Payment not found">
        <p>There is no payment with this id in this account and mode.</p>
        <TenantLink path="payments">Look for it in the list</TenantLink>
      </Empty>
    )
  }
  return (
    <Section title="Result">
      <ProblemNote error={error} onRetry={() => void refetch()} />
    </Section>
  )
}
