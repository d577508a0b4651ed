/** One line for each item of a timeline, and the fields that open below it. */
import type { ReactNode } from "react"
import type { Schemas } from "../../../api/client.ts"
import { TenantLink } from "../../../session/TenantLink.tsx"
import { Code, Id } from "../../../ui/Copy.tsx"
import { Foreign } from "../../../ui/Layout.tsx"
import { amountText } from "../../../ui/amounts.ts"
import { wordOf } from "../../../ui/Status.tsx"
import type { Tone } from "../../../ui/Status.tsx"
import { exactTime, Time } from "../../../ui/Time.tsx"
import { methodName } from "../paymentText.ts"

export type TimelineItem = Schemas["TimelineItem"]

export interface TimelineLine {
  readonly tone: Tone
  /** The source: what kind of record it is. */
  readonly label: string
  readonly title: string
  readonly fields: ReadonlyArray<readonly [name: string, value: ReactNode]>
}

type Kind = TimelineItem["kind"]
type ItemOf<K extends Kind> = Extract<TimelineItem, { readonly kind: K }>

const money = (amount: number, currency: string): string => `${amountText(amount, currency)} ${currency}`
const text = (value: string | null) => (value === null ? null : <Foreign text={value} />)
const code = (value: string | null) => (value === null ? null : wordOf(value))

const toneOfStatus = (status: string): Tone => {
  if (["succeeded", "delivered", "authorized", "captured"].includes(status)) return "good"
  if (["failed", "dead", "declined"].includes(status)) return "bad"
  return ["pending", "unknown"].includes(status) ? "warn" : "quiet"
}

const created = (item: ItemOf<"created">): TimelineLine => ({
  tone: "accent",
  label: "Request",
  title: `Payment of ${money(item.amount, item.currency)} created`,
  fields: [
    ["Method", methodName(item.paymentMethod)],
    ["Capture", wordOf(item.captureMethod)]
  ]
})

const listed = (providers: ItemOf<"routed">["candidates"]) =>
  providers.length === 0 ? null : (
    <ul>
      {providers.map(({ provider, reason }) => (
        <li key={provider}>
          {provider} <span className="text-muted">{wordOf(reason)}</span>
        </li>
      ))}
    </ul>
  )

const routed = (item: ItemOf<"routed">): TimelineLine => ({
  tone: "accent",
  label: "Routing",
  title: `Rule “${item.rule}” chose ${item.candidates.map(({ provider }) => provider).join(", then ") || "no provider"}`,
  fields: [
    ["How", wordOf(item.reason)],
    ["Order to try", listed(item.candidates)],
    ["Left out", listed(item.dropped)],
    ["Rules", <Id key="rules" id={item.ruleset} label="Copy digest" />]
  ]
})

const attemptEnded = (item: ItemOf<"attempt_ended">): TimelineLine => ({
  tone: toneOfStatus(item.status),
  label: "Attempt",
  title: `Attempt ${item.attempt} with ${item.provider}: ${wordOf(item.status).toLowerCase()}`,
  fields: [
    ["Code", code(item.code)],
    ["Provider's code", text(item.vendorCode)],
    ["What to do", isAboutAccount(item.code) ? providerLink(item.provider) : null]
  ]
})

/** The provider's page has the sentence that helps. */
const providerLink = (provider: string) => (
  <TenantLink key="provider" path={`providers/${encodeURIComponent(provider)}`}>
    See {provider}
  </TenantLink>
)

const isAboutAccount = (code: string | null): boolean => code === "account_not_enabled" || code === "details_required"

const operationWords = { create: "Charge", capture: "Capture", cancel: "Cancel", refund: "Refund" } as const

const operation = (item: ItemOf<"operation_started" | "operation_ended">): TimelineLine => {
  const what = `${operationWords[item.operationKind]} of ${money(item.amount, item.currency)}`
  const isEnd = item.kind === "operation_ended"
  return {
    tone: isEnd ? toneOfStatus(item.status) : "quiet",
    label: isEnd ? "Answer" : "Request to provider",
    title: isEnd ? `${what} ${wordOf(item.status).toLowerCase()}` : `${what} sent to ${item.provider}`,
    fields: [
      ["Operation", <Id key="operation" id={item.operation} />],
      ["Purpose", wordOf(item.purpose)],
      ["Provider", item.provider],
      ["Attempt", String(item.attempt)],
      ["Status now", wordOf(item.status)],
      ["Reference", item.reference === null ? null : <Id key="reference" id={item.reference} label="Copy reference" />],
      ["Code", code(item.code)],
      ["Provider's code", text(item.vendorCode)]
    ]
  }
}

const evidence = (item: ItemOf<"evidence">): TimelineLine => ({
  tone: toneOfStatus(item.outcome),
  label: "Report",
  title: `${wordOf(item.source)} reports: ${wordOf(item.outcome).toLowerCase()}`,
  fields: [
    ["Operation", <Id key="operation" id={item.operation} />],
    ["Provider's code", text(item.vendorCode)],
    ["Provider's event", text(item.eventId)],
    ["Provider's time", item.occurredAt === null ? null : exactTime(item.occurredAt)],
    ["Document", item.document === null ? null : <Code key="document" text={item.document} />]
  ]
})

const entry = (item: ItemOf<"entry">): TimelineLine => ({
  tone: "quiet",
  label: "Books",
  title: `${wordOf(item.entry)} ${money(item.amount, item.currency)}`,
  fields: [
    ["Basis", wordOf(item.basis)],
    ["Provider", item.provider],
    ["Source", wordOf(item.source)],
    ["Operation", item.operation === null ? null : <Id key="operation" id={item.operation} />],
    ["Reference", item.reference === null ? null : <Id key="reference" id={item.reference} label="Copy reference" />]
  ]
})

const event = (item: ItemOf<"event">): TimelineLine => ({
  tone: "accent",
  label: "Event",
  title: item.type,
  fields: [
    [
      "Event",
      <TenantLink key="event" path={`events/${item.event}`}>
        {item.event}
      </TenantLink>
    ],
    ["Number", String(item.sequence)],
    ...(item.review === null
      ? []
      : ([
          ["Review", wordOf(item.review.reason)],
          ["In question", money(item.review.amount, item.review.currency)],
          ["Resolution", code(item.review.resolution)]
        ] as const))
  ]
})

const delivery = (item: ItemOf<"delivery">): TimelineLine => ({
  tone: toneOfStatus(item.status),
  label: "Webhook",
  title: `Delivery to ${item.endpoint}: ${wordOf(item.status).toLowerCase()} after ${item.attempts} ${item.attempts === 1 ? "try" : "tries"}`,
  fields: [
    [
      "Endpoint",
      <TenantLink key="endpoint" path={`endpoints/${encodeURIComponent(item.endpoint)}`}>
        {item.endpoint}
      </TenantLink>
    ],
    [
      "Event",
      <TenantLink key="event" path={`events/${item.event}`}>
        {item.event}
      </TenantLink>
    ],
    ["Next try", item.nextTryAt === null ? null : <Time key="next" at={item.nextTryAt} />]
  ]
})

const tried = (item: ItemOf<"delivery_attempt">): TimelineLine => {
  const isDelivered = item.status !== null && item.status >= 200 && item.status < 300
  return {
    tone: isDelivered ? "good" : "bad",
    label: "Webhook",
    title: `Try ${item.attempt}: ${item.status === null ? "no response" : `answered ${item.status}`}`,
    fields: [
      ["Endpoint", <Id key="endpoint" id={item.endpoint} />],
      ["Duration", typeof item.duration === "number" ? `${Math.round(item.duration)} ms` : null],
      ["Error", text(item.error)]
    ]
  }
}

export const lineOf = (item: TimelineItem): TimelineLine => {
  switch (item.kind) {
    case "created":
      return created(item)
    case "routed":
      return routed(item)
    case "attempt_started":
      return {
        tone: "quiet",
        label: "Attempt",
        title: `Attempt ${item.attempt} with ${item.provider} started`,
        fields: [["Why", wordOf(item.reason)]]
      }
    case "attempt_ended":
      return attemptEnded(item)
    case "operation_started":
    case "operation_ended":
      return operation(item)
    case "evidence":
      return evidence(item)
    case "entry":
      return entry(item)
    case "event":
      return event(item)
    case "delivery":
      return delivery(item)
    case "delivery_attempt":
      return tried(item)
  }
}
