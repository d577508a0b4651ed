import { useGet } from "../../api/client.ts"
import { isProblem } from "../../api/problems.ts"
import { useListSearch, useSetSearch, valueOf } from "../../lists/search.ts"
import { useMay, useTenant } from "../../session/session.ts"
import { Button } from "../../ui/Button.tsx"
import { Empty, Page, SkeletonLines } from "../../ui/Layout.tsx"
import { ProblemNote } from "../../ui/Problem.tsx"
import { BacktestForm } from "./BacktestForm.tsx"
import { BacktestRun } from "./BacktestRun.tsx"
import { RoutingTabs } from "./RoutingTabs.tsx"

export const BacktestPage = () => {
  const mayStart = useMay("routing")
  const id = valueOf(useListSearch(), "id")
  return (
    <Page
      title="Backtest"
      description="Replays stored payments of this account and mode against the rules, and shows what would have gone elsewhere. Nothing is sent to a provider."
    >
      <RoutingTabs />
      {id !== undefined ? (
        <Run id={id} mayStart={mayStart} />
      ) : mayStart ? (
        <BacktestForm />
      ) : (
        <Empty title="Backtests need the role “routing”">
          <p>Ask an owner for it. A link to a backtest opens here without it.</p>
        </Empty>
      )}
    </Page>
  )
}

/** Whose state is asked for while it runs: a reload goes on with it. */
const Run = ({ id, mayStart }: { readonly id: string; readonly mayStart: boolean }) => {
  const path = useTenant()
  const set = useSetSearch()
  const { data, error, refetch } = useGet(
    "/dashboard/api/{account}/{mode}/rules/backtests/{id}",
    { path: { ...path, id } },
    { refetchInterval: (run) => (run === undefined || run.state === "running" ? 500 : false) }
  )
  const again = () => set({ id: undefined })
  if (data !== undefined && !isProblem(error, "not_found")) {
    return <BacktestRun run={data} mayStart={mayStart} onAgain={again} />
  }
  if (isProblem(error, "not_found")) {
    return (
      <Empty title="This backtest is gone">
        <p>
          A server keeps a backtest for an hour, and until it is restarted. With several servers, another one may have
          it.
        </p>
        {mayStart && <Button onClick={again}>Start another one</Button>}
      </Empty>
    )
  }
  return error === null ? <SkeletonLines lines={6} /> : <ProblemNote error={error} onRetry={() => void refetch()} />
}
