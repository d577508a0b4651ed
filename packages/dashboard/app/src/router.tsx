/** Every route of the dashboard. Pages are loaded lazily, and their state is in the URL. */
import { createRootRoute, createRoute, createRouter, lazyRouteComponent, Outlet } from "@tanstack/react-router"
import { forgetDismissal } from "./api/identityGate.ts"
import { parseSearch, stringifySearch } from "./lists/search.ts"
import type { Search } from "./lists/search.ts"
import { NotFoundPage } from "./pages/NotFoundPage.tsx"
import { basePath } from "./place.ts"
import { IdentityDialog } from "./session/IdentityDialog.tsx"
import { FirstPage, TenantPages } from "./session/TenantPages.tsx"
import { ProblemNote } from "./ui/Problem.tsx"
import { Toasts } from "./ui/Toast.tsx"

const root = createRootRoute({
  validateSearch: (search: Search) => search,
  component: () => (
    <>
      <Outlet />
      <IdentityDialog />
      <Toasts />
    </>
  ),
  notFoundComponent: NotFoundPage,
  errorComponent: ({ error }) => (
    <div className="p-6">
      <ProblemNote error={error} onRetry={() => window.location.reload()} />
    </div>
  )
})

const first = createRoute({ getParentRoute: () => root, path: "/", component: FirstPage })

const signIn = createRoute({
  getParentRoute: () => root,
  path: "sign-in",
  component: lazyRouteComponent(() => import("./pages/sign-in/SignInPage.tsx"), "SignInPage")
})

const linkPages = () => import("./pages/sign-in/LinkPages.tsx")

const join = createRoute({
  getParentRoute: () => root,
  path: "join",
  component: lazyRouteComponent(linkPages, "JoinPage")
})

const reset = createRoute({
  getParentRoute: () => root,
  path: "reset",
  component: lazyRouteComponent(linkPages, "ResetPage")
})

const open = createRoute({
  getParentRoute: () => root,
  path: "open",
  component: lazyRouteComponent(linkPages, "OpenPage")
})

const twoFactor = createRoute({
  getParentRoute: () => root,
  path: "two-factor",
  component: lazyRouteComponent(() => import("./pages/sign-in/TwoFactorPage.tsx"), "TwoFactorPage")
})

/** What is below belongs to an account and mode. */
const tenant = createRoute({ getParentRoute: () => root, path: "$account/$mode", component: TenantPages })

const page = <Path extends string, Name extends string, Pages extends { readonly [name in Name]: React.ComponentType }>(
  path: Path,
  load: () => Promise<Pages>,
  name: Name
) => createRoute({ getParentRoute: () => tenant, path, component: lazyRouteComponent(load, name) })

const pages = [
  page("/", () => import("./pages/home/HomePage.tsx"), "HomePage"),
  page("payments", () => import("./pages/payments/PaymentsPage.tsx"), "PaymentsPage"),
  page("payments/$id", () => import("./pages/payments/PaymentPage.tsx"), "PaymentPage"),
  page("refunds", () => import("./pages/refunds/RefundsPage.tsx"), "RefundsPage"),
  page("refunds/$id", () => import("./pages/refunds/RefundPage.tsx"), "RefundPage"),
  page("reviews", () => import("./pages/reviews/ReviewsPage.tsx"), "ReviewsPage"),
  page("reviews/$id", () => import("./pages/reviews/ReviewPage.tsx"), "ReviewPage"),
  page("reports", () => import("./pages/reports/ReportsPage.tsx"), "ReportsPage"),
  page("reports/$id", () => import("./pages/reports/ReportPage.tsx"), "ReportPage"),
  page("statements", () => import("./pages/statements/StatementsPage.tsx"), "StatementsPage"),
  page("statements/$id", () => import("./pages/statements/RunsPage.tsx"), "RunsPage"),
  page("statements/$id/payouts", () => import("./pages/statements/MovementPages.tsx"), "PayoutsPage"),
  page("statements/$id/foreign", () => import("./pages/statements/MovementPages.tsx"), "ForeignPage"),
  page("statements/$id/payout", () => import("./pages/statements/PayoutPage.tsx"), "PayoutPage"),
  page("keys", () => import("./pages/keys/KeysPage.tsx"), "KeysPage"),
  page("endpoints", () => import("./pages/endpoints/EndpointsPage.tsx"), "EndpointsPage"),
  page("endpoints/$id", () => import("./pages/endpoints/EndpointPage.tsx"), "EndpointPage"),
  page("deliveries", () => import("./pages/deliveries/DeliveriesPage.tsx"), "DeliveriesPage"),
  page("deliveries/$event/$endpoint", () => import("./pages/deliveries/DeliveryPage.tsx"), "DeliveryPage"),
  page("events", () => import("./pages/events/EventsPage.tsx"), "EventsPage"),
  page("events/$id", () => import("./pages/events/EventPage.tsx"), "EventPage"),
  page("requests", () => import("./pages/requests/RequestsPage.tsx"), "RequestsPage"),
  page("requests/$id", () => import("./pages/requests/RequestPage.tsx"), "RequestPage"),
  page("routing", () => import("./pages/routing/RoutingPage.tsx"), "RoutingPage"),
  page("routing/history", () => import("./pages/routing/HistoryPage.tsx"), "HistoryPage"),
  page("routing/backtest", () => import("./pages/routing/BacktestPage.tsx"), "BacktestPage"),
  page("routing/explain", () => import("./pages/routing/ExplainPage.tsx"), "ExplainPage"),
  page("providers", () => import("./pages/providers/ProvidersPage.tsx"), "ProvidersPage"),
  page("providers/$id", () => import("./pages/providers/ProviderPage.tsx"), "ProviderPage"),
  page("team", () => import("./pages/team/TeamPage.tsx"), "TeamPage"),
  page("audit", () => import("./pages/audit/AuditPage.tsx"), "AuditPage")
]

export const router = createRouter({
  routeTree: root.addChildren([first, signIn, join, reset, open, twoFactor, tenant.addChildren(pages)]),
  basepath: basePath,
  parseSearch,
  stringifySearch,
  scrollRestoration: true,
  defaultPreload: "intent"
})

router.subscribe("onBeforeNavigate", forgetDismissal)

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router
  }
}
