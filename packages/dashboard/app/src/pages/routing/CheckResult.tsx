/** What the check says of the text, as a list that leads to each place. */
import { Foreign } from "../../ui/Layout.tsx"
import { ProblemNote } from "../../ui/Problem.tsx"
import { Status } from "../../ui/Status.tsx"
import { diagnosticText } from "./useCheck.ts"
import type { Checked, Diagnostic, useCheck } from "./useCheck.ts"

interface CheckResultProps {
  readonly query: ReturnType<typeof useCheck>
  readonly goTo: (line: number, column: number) => void
}

export const CheckResult = ({ goTo, query }: CheckResultProps) => {
  const { data, error, isFetching, refetch } = query
  if (error !== null && !isFetching) return <ProblemNote error={error} onRetry={() => void refetch()} />
  return (
    <div className="flex flex-col gap-2">
      <p role="status" className="text-sm">
        {data === undefined || isFetching ? <Status word="Checking" tone="quiet" /> : <Summary {...data} />}
      </p>
      {data !== undefined && data.problems.length > 0 && (
        <Diagnostics label="Problems" of={data.problems} goTo={goTo} />
      )}
      {data !== undefined && data.warnings.length > 0 && (
        <Diagnostics label="Warnings" of={data.warnings} goTo={goTo} />
      )}
    </div>
  )
}

const Summary = ({ problems, rules, warnings }: Checked) => {
  if (rules === null) return <Status word={counted(problems.length, "problem")} tone="bad" />
  const valid = `Valid: ${counted(rules, "rule")}`
  return warnings.length === 0 ? (
    <Status word={valid} tone="good" />
  ) : (
    <Status word={`${valid}, ${counted(warnings.length, "warning")}`} tone="warn" />
  )
}

const counted = (count: number, noun: string): string => `${count} ${count === 1 ? noun : `${noun}s`}`

const most = 100

interface DiagnosticsProps extends Pick<CheckResultProps, "goTo"> {
  readonly label: string
  readonly of: ReadonlyArray<Diagnostic>
}

const Diagnostics = ({ goTo, label, of }: DiagnosticsProps) => (
  <>
    <ol
      aria-label={label}
      className="max-h-60 divide-y divide-line overflow-y-auto rounded-lg border border-line text-sm"
    >
      {of.slice(0, most).map((problem) => {
        const { column, line } = problem
        const text = diagnosticText(problem)
        return (
          <li key={text}>
            {line === null ? (
              <p className="px-3 py-1.5">
                <Foreign text={text} />
              </p>
            ) : (
              <button
                type="button"
                className="w-full px-3 py-1.5 text-left -outline-offset-2 hover:bg-hover"
                onClick={() => goTo(line, column ?? 1)}
              >
                <Foreign text={text} />
              </button>
            )}
          </li>
        )
      })}
    </ol>
    {of.length > most && <p className="text-sm text-muted">And {of.length - most} more.</p>}
  </>
)
