/** The frame of every page of an account: navigation, account and mode, search, and the menu of the person. */
import { Outlet, useNavigate, useRouterState } from "@tanstack/react-router"
import { Dialog as Radix } from "radix-ui"
import { useState, useSyncExternalStore } from "react"
import type { ReactNode } from "react"
import { ArrowUpRight, Menu as MenuIcon, X } from "lucide-react"
import { askForIdentity, hasSessionEnded, subscribeToIdentity } from "../api/identityGate.ts"
import { tenantPath, useTenant } from "../session/session.ts"
import { useSignOutElsewhere } from "../session/signOut.ts"
import { TenantLink } from "../session/TenantLink.tsx"
import { Button, IconButton } from "../ui/Button.tsx"
import { Note } from "../ui/Problem.tsx"
import { Help } from "./Help.tsx"
import { pageGroups } from "./pages.ts"
import type { PageLink, ServerLink } from "./pages.ts"
import { PersonMenu } from "./PersonMenu.tsx"
import { Search, focusSearch } from "./Search.tsx"
import { useShortcuts } from "./shortcuts.ts"
import { AccountSwitch, ModeSwitch } from "./TenantSwitch.tsx"

export const Shell = () => {
  const tenant = useTenant()
  const navigate = useNavigate()
  const [help, setHelp] = useState(false)
  const hasEnded = useSyncExternalStore(subscribeToIdentity, hasSessionEnded)
  useSignOutElsewhere()
  const goTo = (path: string) => void navigate({ to: tenantPath(tenant, path) })
  useShortcuts({
    "/": focusSearch,
    "?": () => setHelp(true),
    ...Object.fromEntries(
      pageGroups.flatMap(({ pages }) => pages.map(({ key, path }) => [`g ${key}`, () => goTo(path)] as const))
    )
  })
  return (
    <div className="flex min-h-dvh flex-col">
      <a href="#page" className="sr-only focus:not-sr-only focus:absolute focus:z-50 focus:bg-raised focus:p-2">
        Skip to the page
      </a>
      <ModeStripe />
      <div className="flex min-h-0 flex-1">
        <aside className="sticky top-0 hidden h-dvh w-56 shrink-0 flex-col border-r border-line bg-side lg:flex">
          <Navigation />
        </aside>
        <div className="flex min-w-0 flex-1 flex-col">
          <header className="sticky top-0 z-30 flex h-12 items-center gap-2 border-b border-line bg-canvas px-4 sm:px-6">
            <NarrowNavigation />
            <Search />
            <div className="ml-auto">
              <PersonMenu onHelp={() => setHelp(true)} />
            </div>
          </header>
          {hasEnded && <SignedOut />}
          <main id="page" tabIndex={-1} className="min-w-0 flex-1 outline-none" hidden={hasEnded}>
            <Outlet />
          </main>
        </div>
      </div>
      <Help open={help} onClose={() => setHelp(false)} />
    </div>
  )
}

/** The hidden page keeps its state and inputs, and is shown again after a sign-in. */
const SignedOut = () => (
  <div className="p-6">
    <Note tone="info">
      <p>You are not signed in, so this page is hidden.</p>
      <Button onClick={() => void askForIdentity("sign-in")}>Sign in</Button>
    </Note>
  </div>
)

/** Live mode looks different on every page. */
const ModeStripe = () => {
  const { mode } = useTenant()
  return mode === "live" ? (
    <div className="bg-warn-soft px-4 py-0.5 text-center text-xs font-medium text-live">
      Live mode: actions move real money
    </div>
  ) : null
}

const Navigation = () => (
  <>
    <div className="flex flex-col gap-2 p-3">
      <AccountSwitch />
      <ModeSwitch />
    </div>
    <nav aria-label="Pages" className="flex min-h-0 flex-1 flex-col gap-3 overflow-y-auto px-3 pb-4">
      {pageGroups.map(({ pages, serverLinks = [], title }) => (
        <div key={title ?? ""}>
          {title !== null && <p className="px-2 pb-1 text-xs font-medium text-muted">{title}</p>}
          <ul className="flex flex-col gap-px">
            {pages.map((page) => (
              <li key={page.path}>
                <NavigationLink {...page} />
              </li>
            ))}
            {serverLinks.map((link) => (
              <li key={link.href}>
                <OutsideLink {...link} />
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  </>
)

const linkLook = "flex items-center gap-2 rounded-md px-2 py-1 text-sm text-muted hover:bg-hover hover:text-ink"

const NavigationLink = ({ icon: Icon, path, title }: PageLink) => (
  <TenantLink
    path={path}
    activeOptions={{ exact: path === "", includeSearch: false }}
    className={`${linkLook} aria-[current=page]:bg-hover aria-[current=page]:font-medium aria-[current=page]:text-ink`}
  >
    <Icon size={15} aria-hidden />
    {title}
  </TenantLink>
)

const OutsideLink = ({ href, icon: Icon, title }: ServerLink) => (
  <a href={href} className={linkLook}>
    <Icon size={15} aria-hidden />
    {title}
    <ArrowUpRight size={13} aria-hidden className="ml-auto" />
  </a>
)

/** A dialog from the left. It belongs to the page where it was opened, so it closes as soon as it leads elsewhere. */
const NarrowNavigation = () => {
  const [openAt, setOpenAt] = useState<string | null>(null)
  const path = useRouterState({ select: ({ location }) => location.pathname })
  return (
    <Radix.Root open={openAt === path} onOpenChange={(open) => setOpenAt(open ? path : null)}>
      <Radix.Trigger asChild>
        <IconButton label="Open the navigation" className="lg:hidden">
          <MenuIcon size={18} aria-hidden />
        </IconButton>
      </Radix.Trigger>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-40 bg-black/45" />
        <Radix.Content
          aria-describedby={undefined}
          className="fixed inset-y-0 left-0 z-50 flex w-64 flex-col border-r border-line bg-side"
        >
          <div className="flex items-center justify-between px-4 pt-3">
            <Radix.Title className="text-sm text-muted">Paymux</Radix.Title>
            <Radix.Close asChild>
              <IconButton label="Close the navigation">
                <X size={16} aria-hidden />
              </IconButton>
            </Radix.Close>
          </div>
          <Navigation />
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}

/** Pages without an account: signing in. */
export const Plain = ({ children }: { readonly children: ReactNode }) => (
  <main className="mx-auto flex min-h-dvh w-full max-w-sm flex-col justify-center gap-4 px-4 py-10">{children}</main>
)
