/** A decision: rule by rule with its conditions, and then the providers in their order. */
import { Check, X } from "lucide-react"
import type { ReactNode } from "react"
import type { Schemas } from "../../api/client.ts"
import { TenantLink } from "../../session/TenantLink.tsx"
import { Id } from "../../ui/Copy.tsx"
import { Foreign, Section } from "../../ui/Layout.tsx"
import { Note } from "../../ui/Problem.tsx"
import { wordOf } from "../../ui/Status.tsx"

type Decision = Schemas["ExplainedDecision"]
type Rule = Decision["explanation"]["rules"][number]
type Answer = Decision["explanation"]["answer"]

interface ExplanationProps {
  readonly decision: Decision
  readonly paymentId: string | null
  readonly isDraft: boolean
}

export const Explanation = ({ decision, isDraft, paymentId }: ExplanationProps) => {
  const { answer, rules, ruleset } = decision.explanation
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
        <AnswerShown answer={answer} isDraft={isDraft} />
        {decision.ratesUnknown && (
          <Note tone="warn">
            <p>Success rates could not be read, and are taken as unknown.</p>
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
        <ol className="flex flex-col gap-2">
          {rules.map((rule, index) => (
            <li key={index}>
              <RuleShown rule={rule} />
            </li>
          ))}
        </ol>
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
          <span className="text-muted">{wordOf(reason)}</span>
        </li>
      ))}
    </ol>
  </div>
)

const RuleShown = ({ rule: { conditions, matches, name } }: { readonly rule: Rule }) => (
  <div className={`rounded-lg border p-3 ${matches ? "border-good/50 bg-good-soft" : "border-line bg-raised"}`}>
    <h3 className="text-sm font-medium">
      <Holds holds={matches}>
        <Foreign text={name} />
        <span className="font-normal text-muted">{matches ? "decides" : "does not hold"}</span>
      </Holds>
    </h3>
    {conditions.length > 0 && <Conditions conditions={conditions} />}
  </div>
)

const Conditions = ({ conditions }: Pick<Rule, "conditions">) => (
  <ul className="mt-1.5 flex flex-col gap-1 pl-5 text-sm">
    {conditions.map(({ actual, asked, holds, of }, index) => (
      <li key={index}>
        <Holds holds={holds}>
          <code className="font-mono text-xs break-words">
            <bdi>{asked}</bdi>
          </code>
          {of.length === 0 && (
            <span className="text-muted">
              {actual === null ? (
                "the payment has none"
              ) : (
                <>
                  the payment has <Foreign text={String(actual)} />
                </>
              )}
            </span>
          )}
        </Holds>
        {of.length > 0 && <Conditions conditions={of} />}
      </li>
    ))}
  </ul>
)

const Holds = ({ children, holds }: { readonly holds: boolean; readonly children: ReactNode }) => (
  <span className="flex items-start gap-2">
    {holds ? (
      <Check size={15} role="img" aria-label="Holds" className="mt-0.5 shrink-0 text-good" />
    ) : (
      <X size={15} role="img" aria-label="Does not hold" className="mt-0.5 shrink-0 text-bad" />
    )}
    <span className="flex min-w-0 flex-wrap gap-x-2">{children}</span>
  </span>
)
