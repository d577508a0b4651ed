import { Foreign } from "../../ui/Layout.tsx"
import { Checkbox } from "../../ui/Field.tsx"
import { Note } from "../../ui/Problem.tsx"
import { diagnosticText } from "./useCheck.ts"
import type { Diagnostic } from "./useCheck.ts"

/** Why the rules cannot be published yet. */
export const notAccepted = "Accept first that these payments are rejected."

interface RejectedPaymentsProps {
  /** Payments that get no provider because of `exclude` or `outages`, each with an example. */
  readonly problems: ReadonlyArray<Diagnostic>
  readonly isAccepted: boolean
  readonly onChange: (isAccepted: boolean) => void
}

/** For the emergency in which it is meant: the rules are published although they reject payments. */
export const RejectedPayments = ({ isAccepted, onChange, problems }: RejectedPaymentsProps) => (
  <Note tone="warn" role="alert">
    <p className="font-medium">These rules reject payments that they would serve without “exclude” and “outages”</p>
    <ul className="max-h-40 overflow-y-auto">
      {problems.map((problem) => {
        const text = diagnosticText(problem)
        return (
          <li key={text}>
            <Foreign text={text} />
          </li>
        )
      })}
    </ul>
    <Checkbox
      label="Publish them, and reject these payments. The audit log says so."
      checked={isAccepted}
      onChange={(event) => onChange(event.target.checked)}
    />
  </Note>
)
