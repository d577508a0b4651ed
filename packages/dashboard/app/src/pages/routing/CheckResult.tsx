/** What the check says of the text, as a list that leads to each place. */
import { Foreign } from "../../ui/Layout.tsx"
import { ProblemNote } from "../../ui/Problem.tsx"
import { Status } from "../../ui/Status.tsx"
import { diagnosticText } from "./useCheck.ts"
import type { Checked, useCheck } from "./useCheck.ts"

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
      {data !== undefined && data.problems.length > 0 && <Problems {...data} goTo={goTo} />}
    </div>
  )
}

const Summary = ({ problems, rules }: Checked) =>
  rules === null ? (
    <Status word={problems.length === 1 ? "1 problem" : `${problems.length} problems`} tone="bad" />
  ) : (
    <Status word={rules === 1 ? "Valid: 1 rule" : `Valid: ${rules} rules`} tone="good" />
  )

const most = 100

const Problems = ({ goTo, problems }: Checked & Pick<CheckResultProps, "goTo">) => (
  <>
    <ol
      aria-label="Problems"
      className="max-h-60 divide-y divide-line overflow-y-auto rounded-lg border border-line text-sm"
    >
      {problems.slice(0, most).map((problem) => {
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
    {problems.length > most && <p className="text-sm text-muted">And {problems.length - most} more.</p>}
  </>
)
