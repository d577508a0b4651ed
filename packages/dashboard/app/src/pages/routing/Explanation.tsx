/** A decision: rule by rule with its conditions, and then the providers in their order. */
import type { Schemas } from "../../api/client.ts"
import { TenantLink } from "../../session/TenantLink.tsx"
import { Id } from "../../ui/Copy.tsx"
import { Foreign, Section } from "../../ui/Layout.tsx"
import { Note } from "../../ui/Problem.tsx"
import { wordOf } from "../../ui/Status.tsx"
import { RulesLookedAt } from "./RulesLookedAt.tsx"
import { Summary } from "./Summary.tsx"

type Decision = Schemas["ExplainedDecision"]
type Answer = Decision["explanation"]["answer"]

interface ExplanationProps {
  readonly decision: Decision
  readonly paymentId: string | null
  readonly isDraft: boolean
}

export const Explanation = ({ decision, isDraft, paymentId }: ExplanationProps) => {
  const { answer, rules, ruleset, summary } = decision.explanation
  return (
    <>
      <Section
        title="Decision"
        actions={
          paymentId !== null && (
            <TenantLink path={`payments/${encodeURIComponent(paymentId)}`}>Go to the payment</TenantLink>
          )
        }
      >
        <Summary text={summary} />
        <AnswerShown answer={answer} isDraft={isDraft} />
        {decision.ratesUnknown && (
          <Note tone="warn">
            <p>Success rates could not be read and count as unknown.</p>
          </Note>
        )}
        <p className="flex flex-wrap items-center gap-x-2 text-sm text-muted">
          Ruleset <Id id={ruleset} label="Copy ruleset" />
          {!isDraft && (
            <TenantLink path="routing/history" search={{ ruleset }}>
              Versions with it
            </TenantLink>
          )}
        </p>
      </Section>
      <Section title="Rules" description="In their order, to the first that holds.">
        <RulesLookedAt rules={rules} />
      </Section>
    </>
  )
}

const AnswerShown = ({ answer, isDraft }: { readonly answer: Answer; readonly isDraft: boolean }) => {
  if (answer._tag === "NoRoute") {
    return (
      <>
        <Note tone="warn">
          <p className="font-medium">No provider can take this payment</p>
          <p>
            Rule <Foreign text={answer.rule} /> {isDraft ? "of the draft " : ""}decides, and every candidate is dropped.
          </p>
        </Note>
        <Providers label="Dropped" providers={answer.candidates} />
      </>
    )
  }
  const { decision } = answer
  return (
    <>
      <p className="text-sm">
        Rule{" "}
        <strong className="font-semibold">
          <Foreign text={decision.rule} />
        </strong>{" "}
        {isDraft ? "of the draft " : ""}decides, by <code className="text-xs">{decision.reason}</code>.
      </p>
      <div className="grid gap-4 md:grid-cols-2">
        <Providers label="Tried in this order" providers={answer.candidates} ordered />
        {decision.dropped.length > 0 && <Providers label="Dropped" providers={decision.dropped} />}
      </div>
    </>
  )
}

interface ProvidersProps {
  readonly label: string
  readonly providers: ReadonlyArray<{ readonly provider: string; readonly reason: string }>
  readonly ordered?: boolean
}

const Providers = ({ label, ordered = false, providers }: ProvidersProps) => (
  <div>
    <h3 className="mb-1 text-sm font-medium">{label}</h3>
    <ol className="divide-y divide-line rounded-lg border border-line text-sm">
      {providers.map(({ provider, reason }, index) => (
        <li key={`${provider} ${index}`} className="flex flex-wrap items-center gap-x-3 px-3 py-1.5">
          {ordered && <span className="numbers w-4 text-muted">{index + 1}</span>}
          <TenantLink path={`providers/${encodeURIComponent(provider)}`}>
            <Foreign text={provider} />
          </TenantLink>
          <span className="text-muted">{withheld(reason) ?? wordOf(reason)}</span>
        </li>
      ))}
    </ol>
  </div>
)

/** Of a provider that the rules keep from payments that it could take. */
const withheld = (reason: string): string | null => {
  if (reason === "excluded") return "Excluded by the rules from all payments"
  return /^outage(?:$|: )/.test(reason) ? `Planned ${reason}` : null
}
