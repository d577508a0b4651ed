/** Every page of an account and mode: for a person who is signed in, with access to it. */
import { Navigate, useNavigate, useParams, useRouter } from "@tanstack/react-router"
import { useEffect } from "react"
import { isProblem } from "../api/problems.ts"
import { NotFoundPage } from "../pages/NotFoundPage.tsx"
import { Plain, Shell } from "../shell/Shell.tsx"
import { ButtonLink } from "../ui/Button.tsx"
import { SkeletonLines } from "../ui/Layout.tsx"
import { ProblemNote } from "../ui/Problem.tsx"
import { accessIn, tenantPath, useSessionQuery, useTenant } from "./session.ts"

export const TenantPages = () => {
  const { data, error, refetch } = useSessionQuery()
  const tenant = useTenant()
  const { mode } = useParams({ from: "/$account/$mode" })
  if (data === undefined) {
    if (isProblem(error, "sign_in_required")) return <ToSignIn />
    return <Waiting error={error} onRetry={() => void refetch()} />
  }
  if (mode !== tenant.mode) return <NotFoundPage />
  // Keyed: forms, shown secrets and numbers of one account or mode must not stay in another.
  if (accessIn(data, tenant) !== null) return <Shell key={tenantPath(tenant, "")} />
  return tenant.mode === "live" && data.needsTotp ? <LiveModeClosed /> : <NotFoundPage />
}

/** Without a second factor the server does not say whether there is such an account in live mode. */
const LiveModeClosed = () => (
  <Plain>
    <h1 className="text-xl font-semibold">Live mode needs a second factor</h1>
    <p className="text-sm">Set up two-factor authentication, then open this page again.</p>
    <ButtonLink to="/two-factor" look="primary">
      Set up two-factor authentication
    </ButtonLink>
    <ButtonLink to="/">Go to test mode</ButtonLink>
  </Plain>
)

/** `/`: the first account and mode of the person. */
export const FirstPage = () => {
  const { data, error, refetch } = useSessionQuery()
  if (data === undefined) {
    if (isProblem(error, "sign_in_required")) return <ToSignIn />
    return <Waiting error={error} onRetry={() => void refetch()} />
  }
  const [first] = data.accounts
  return first === undefined ? (
    <NotFoundPage />
  ) : (
    <Navigate to="/$account/$mode" params={{ account: first.account, mode: first.mode }} replace />
  )
}

const Waiting = ({ error, onRetry }: { readonly error: unknown; readonly onRetry: () => void }) => (
  <Plain>{error === null ? <SkeletonLines lines={3} /> : <ProblemNote error={error} onRetry={onRetry} />}</Plain>
)

/** Redirects once. `Navigate` would redirect again on each render until the sign-in page is loaded. */
const ToSignIn = () => {
  const navigate = useNavigate()
  const router = useRouter()
  useEffect(() => {
    void navigate({ to: "/sign-in", search: { next: router.state.location.href }, replace: true })
  }, [navigate, router])
  return null
}
