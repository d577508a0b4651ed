/** A backtest: running, ended without a result, or with its result. */
import { useMutation } from "@tanstack/react-query"
import { call, reread } from "../../api/client.ts"
import type { Schemas } from "../../api/client.ts"
import { useTenant } from "../../session/session.ts"
import { Button } from "../../ui/Button.tsx"
import { Card, Empty, Foreign } from "../../ui/Layout.tsx"
import { Note, ProblemNote } from "../../ui/Problem.tsx"
import { Time } from "../../ui/Time.tsx"
import { BacktestResult } from "./BacktestResult.tsx"
import { diagnosticText } from "./useCheck.ts"

type Run = Schemas["Backtest"]

interface BacktestRunProps {
  readonly run: Run
  readonly mayStart: boolean
  readonly onAgain: () => void
}

export const BacktestRun = ({ mayStart, onAgain, run }: BacktestRunProps) => {
  const again = mayStart && <Button onClick={onAgain}>Start another one</Button>
  switch (run.state) {
    case "running":
      return <Running run={run} mayCancel={mayStart} />
    case "canceled":
      return (
        <Empty title="Canceled">
          <p>
            This backtest was canceled, <Time at={run.endedAt} />.
          </p>
          {again}
        </Empty>
      )
    case "failed":
      return (
        <>
          <Note tone="bad" role="alert">
            <p className="font-medium">{run.failure?.message ?? "The backtest failed."}</p>
            {run.failure !== null && run.failure.problems.length > 0 && (
              <ul className="list-disc pl-5">
                {run.failure.problems.slice(0, 10).map((problem) => (
                  <li key={diagnosticText(problem)}>
                    <Foreign text={diagnosticText(problem)} />
                  </li>
                ))}
              </ul>
            )}
          </Note>
          <div>{again}</div>
        </>
      )
    case "done":
      return (
        <>
          {run.result !== null && <BacktestResult {...run.result} />}
          <div>{again}</div>
        </>
      )
  }
}

const Running = ({ mayCancel, run }: { readonly run: Run; readonly mayCancel: boolean }) => {
  const path = useTenant()
  const cancel = useMutation({
    mutationFn: () =>
      call.DELETE("/dashboard/api/{account}/{mode}/rules/backtests/{id}", {
        params: { path: { ...path, id: run.id } }
      }),
    onSuccess: () => reread("/dashboard/api/{account}/{mode}/rules/backtests/{id}")
  })
  const percent = Math.floor(run.progress * 100)
  return (
    <Card className="flex flex-col gap-3">
      <div className="flex items-baseline justify-between gap-3 text-sm">
        <p id="backtest-progress" className="font-medium">
          Replaying payments
        </p>
        <span className="numbers text-muted">{percent}%</span>
      </div>
      <div
        role="progressbar"
        aria-labelledby="backtest-progress"
        aria-valuenow={percent}
        aria-valuemin={0}
        aria-valuemax={100}
      >
        <svg viewBox="0 0 100 2" preserveAspectRatio="none" className="block h-2 w-full rounded" aria-hidden>
          <rect width={100} height={2} className="fill-line" />
          <rect width={percent} height={2} className="fill-accent" />
        </svg>
      </div>
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="text-sm text-muted">
          Started <Time at={run.startedAt} />. It goes on while this page is closed; its address leads back to it.
        </p>
        {mayCancel && (
          <Button busy={cancel.isPending} onClick={() => cancel.mutate()}>
            Cancel backtest
          </Button>
        )}
      </div>
      {cancel.error !== null && <ProblemNote error={cancel.error} repeatable />}
    </Card>
  )
}
