/** The rules from the first to the one that decided, each condition with what the payment has. */
import { Check, X } from "lucide-react"
import type { ReactNode } from "react"
import type { Schemas } from "../../api/client.ts"
import { Foreign } from "../../ui/Layout.tsx"

type Rule = Schemas["ExplainedDecision"]["explanation"]["rules"][number]

export const RulesLookedAt = ({ rules }: { readonly rules: ReadonlyArray<Rule> }) => (
  <ol className="flex flex-col gap-2">
    {rules.map((rule, index) => (
      <li key={index}>
        <RuleShown rule={rule} />
      </li>
    ))}
  </ol>
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
