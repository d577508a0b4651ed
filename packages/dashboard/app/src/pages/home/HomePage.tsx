import { Navigate } from "@tanstack/react-router"
import { useGet } from "../../api/client.ts"
import { useListSearch, valueOf } from "../../lists/search.ts"
import type { Search } from "../../lists/search.ts"
import { useTenant } from "../../session/session.ts"
import { Page, Skeleton } from "../../ui/Layout.tsx"
import { ProblemNote } from "../../ui/Problem.tsx"
import { Overview } from "./Overview.tsx"
import { Setup } from "./setup/Setup.tsx"

/** Without a payment the checklist that leads to the first one. What is shown stands in the address: it stays when one comes. */
export const HomePage = () => {
  switch (valueOf(useListSearch(), "view")) {
    case "setup":
      return <Setup />
    case "overview":
      return <Overview />
    default:
      return <OverviewOrSetup />
  }
}

const OverviewOrSetup = () => {
  const { data, error, refetch } = useGet("/dashboard/api/{account}/{mode}/payments", {
    path: { ...useTenant() },
    query: { limit: "1" }
  })
  if (data === undefined) {
    return (
      <Page title="Home">
        {error === null ? (
          <Skeleton className="h-96 w-full" />
        ) : (
          <ProblemNote error={error} onRetry={() => void refetch()} />
        )}
      </Page>
    )
  }
  return data.data.length > 0 ? (
    <Overview />
  ) : (
    <Navigate to="." search={(before: Search) => ({ ...before, view: "setup" })} replace />
  )
}
