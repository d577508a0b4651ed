/** From nothing to the first paid payment and a verified webhook, on one page. */
import { useState } from "react"
import type { Search } from "../../../lists/search.ts"
import { useTenant } from "../../../session/session.ts"
import { ButtonLink } from "../../../ui/Button.tsx"
import { Page, SkeletonLines } from "../../../ui/Layout.tsx"
import { Note, ProblemNote } from "../../../ui/Problem.tsx"
import { EndpointStep } from "./EndpointStep.tsx"
import type { AddedEndpoint } from "./EndpointStep.tsx"
import { EventStep } from "./EventStep.tsx"
import { isDone, stepNames, useSetupFacts } from "./facts.ts"
import type { SetupFacts, StepName } from "./facts.ts"
import { KeyStep } from "./KeyStep.tsx"
import type { CreatedKey } from "./KeyStep.tsx"
import { PaidStep } from "./PaidStep.tsx"
import { PaymentStep } from "./PaymentStep.tsx"
import { Step } from "./Step.tsx"

/** ms */
const whileAwaited = 2_000

export const Setup = () => {
  const { mode } = useTenant()
  const { error, facts, retry } = useSetupFacts(whileAwaited)
  return (
    <Page
      title="Get started"
      description={
        mode === "test"
          ? "From an API key to a paid test payment and a verified webhook. No money moves."
          : "From an API key to a paid payment and a verified webhook. Live mode moves real money: do it in test mode first."
      }
      actions={
        <ButtonLink to="." search={(before: Search) => ({ ...before, view: "overview" })}>
          Go to the overview
        </ButtonLink>
      }
    >
      {error !== null && <ProblemNote error={error} onRetry={retry} />}
      {facts === null ? error === null && <SkeletonLines lines={8} /> : <Checklist facts={facts} />}
    </Page>
  )
}

const Checklist = ({ facts }: { readonly facts: SetupFacts }) => {
  const { mode } = useTenant()
  const [key, setKey] = useState<CreatedKey | null>(null)
  const [endpoint, setEndpoint] = useState<AddedEndpoint | null>(null)
  const done = isDone(facts)
  const count = stepNames.filter((name) => done[name]).length
  const next = stepNames.find((name) => !done[name])
  const step = (name: StepName) => ({ number: stepNames.indexOf(name) + 1, done: done[name], isNext: name === next })
  const [accepted] = facts.keys
  return (
    <>
      <Progress count={count} />
      <ol className="rounded-lg border border-line bg-raised">
        <Step
          {...step("key")}
          // The code of the next step needs a key that can be shown.
          isNext={next === "key" || (next === "payment" && key === null)}
          title={`Get a ${mode} key`}
          found={accepted !== undefined && <code className="font-mono text-xs">{accepted.display}</code>}
        >
          <KeyStep keys={facts.keys} created={key} onCreated={setKey} />
        </Step>
        <Step {...step("payment")} title="Create a payment">
          <PaymentStep apiKey={key?.key ?? null} done={done.payment} />
        </Step>
        <Step {...step("paid")} title="Pay it">
          <PaidStep payment={facts.payment} paid={facts.paid} />
        </Step>
        <Step {...step("endpoint")} title="Add a webhook endpoint">
          <EndpointStep endpoints={facts.endpoints} added={endpoint} onAdded={setEndpoint} />
        </Step>
        <Step {...step("event")} title="Receive a verified event">
          <EventStep endpoint={endpoint ?? facts.endpoints[0] ?? null} delivery={facts.delivery} />
        </Step>
      </ol>
    </>
  )
}

const Progress = ({ count }: { readonly count: number }) =>
  count === stepNames.length ? (
    <Note tone="good" role="status">
      <p className="font-medium">Everything works: a payment was paid, and its event arrived.</p>
    </Note>
  ) : (
    <p className="flex items-center gap-3 text-sm text-muted">
      <progress
        max={stepNames.length}
        value={count}
        aria-label="Steps done"
        className="h-1.5 w-40 appearance-none overflow-hidden rounded-full bg-line [&::-moz-progress-bar]:bg-accent-fill [&::-webkit-progress-bar]:bg-line [&::-webkit-progress-value]:bg-accent-fill"
      />
      {count} of {stepNames.length} steps done
    </p>
  )
