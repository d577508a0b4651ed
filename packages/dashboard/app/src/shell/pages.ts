/** The pages of an account and mode, in the order of the navigation. */
import {
  Activity,
  ArrowLeftRight,
  BookOpen,
  Boxes,
  FileQuestion,
  House,
  KeyRound,
  Landmark,
  ListTree,
  Radio,
  RotateCcw,
  ScrollText,
  Send,
  ShieldQuestion,
  Users,
  Webhook
} from "lucide-react"
import type { LucideIcon } from "lucide-react"
import { serverPath } from "../place.ts"

export interface PageLink {
  /** Below `/$account/$mode`. */
  readonly path: string
  readonly title: string
  readonly icon: LucideIcon
  /** After `g`. */
  readonly key: string
}

/** Of the same server, but not of the dashboard. */
export interface ServerLink extends Pick<PageLink, "title" | "icon"> {
  readonly href: string
}

export interface PageGroup {
  readonly title: string | null
  readonly pages: ReadonlyArray<PageLink>
  readonly serverLinks?: ReadonlyArray<ServerLink>
}

export const pageGroups: ReadonlyArray<PageGroup> = [
  {
    title: null,
    pages: [
      { path: "", title: "Home", icon: House, key: "h" },
      { path: "payments", title: "Payments", icon: ArrowLeftRight, key: "p" },
      { path: "refunds", title: "Refunds", icon: RotateCcw, key: "f" },
      { path: "reviews", title: "Reviews", icon: ShieldQuestion, key: "v" },
      { path: "reports", title: "Unmatched reports", icon: FileQuestion, key: "u" },
      { path: "statements", title: "Statements", icon: Landmark, key: "s" }
    ]
  },
  {
    title: "Routing",
    pages: [
      { path: "routing", title: "Rules", icon: ListTree, key: "r" },
      { path: "providers", title: "Providers", icon: Boxes, key: "o" }
    ]
  },
  {
    title: "Developers",
    pages: [
      { path: "keys", title: "API keys", icon: KeyRound, key: "k" },
      { path: "endpoints", title: "Webhooks", icon: Webhook, key: "w" },
      { path: "deliveries", title: "Deliveries", icon: Send, key: "d" },
      { path: "events", title: "Events", icon: Radio, key: "e" },
      { path: "requests", title: "Requests", icon: Activity, key: "l" }
    ],
    serverLinks: [{ href: `${serverPath}/v1/docs`, title: "API reference", icon: BookOpen }]
  },
  {
    title: "Team",
    pages: [
      { path: "team", title: "People", icon: Users, key: "t" },
      { path: "audit", title: "Audit log", icon: ScrollText, key: "a" }
    ]
  }
]
