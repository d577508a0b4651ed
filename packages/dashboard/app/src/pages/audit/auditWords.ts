/** Words of the audit log, and the pages of what was acted on. */
import type { Schemas } from "../../api/client.ts"
import type { Tone } from "../../ui/Status.tsx"

export type AuditEntry = Schemas["AuditEntry"]

const words = {
  "api_key.create": "Created an API key",
  "api_key.rotate": "Rotated an API key",
  "api_key.revoke": "Revoked an API key",
  "webhook_endpoint.create": "Created a webhook endpoint",
  "webhook_endpoint.update": "Changed a webhook endpoint",
  "webhook_endpoint.enable": "Enabled a webhook endpoint",
  "webhook_endpoint.disable": "Disabled a webhook endpoint",
  "webhook_endpoint.rotate_secret": "Rotated the secret of an endpoint",
  "webhook_endpoint.delete": "Deleted a webhook endpoint",
  "webhook_delivery.resend": "Resent deliveries",
  "payment.capture": "Captured a payment",
  "payment.cancel": "Canceled a payment",
  "payment.refund": "Refunded a payment",
  "review.resolve": "Resolved a review",
  "dispute.record": "Recorded a dispute",
  "report.match": "Matched a report",
  "report.dismiss": "Dismissed a report",
  "customer.erase": "Erased a customer",
  "user.invite": "Invited a person",
  "user.revoke_invitation": "Revoked an invitation",
  "user.join": "Joined",
  "user.role": "Changed a role",
  "user.remove": "Removed a person",
  "user.reset": "Made a link to reset a password",
  "user.password": "Set a new password",
  "user.totp": "Set up two-factor authentication",
  "routing.publish": "Published routing rules",
  "routing.rollback": "Rolled back routing rules",
  "database.mark_restored": "Marked the database as restored",
  "secret.rotate": "Replaced the secret of the installation"
} as const

export type AuditAction = keyof typeof words

export const isAuditAction = (text: string | undefined): text is AuditAction =>
  text !== undefined && Object.hasOwn(words, text)

export const auditActions = Object.keys(words).filter(isAuditAction)

/** A later version of the server may have more. */
export const actionText = (action: string): string => (isAuditAction(action) ? words[action] : action)

export const auditOutcomes = ["done", "requested", "refused", "repeated"] as const

export const isOutcome = (text: string | undefined): text is AuditEntry["outcome"] =>
  auditOutcomes.some((outcome) => outcome === text)

const outcomeTones: { readonly [outcome in AuditEntry["outcome"]]: Tone } = {
  done: "good",
  requested: "accent",
  refused: "bad",
  repeated: "quiet"
}

export const outcomeTone = (outcome: AuditEntry["outcome"]): Tone => outcomeTones[outcome]

/** Below the account and mode; `null`: no page shows it, or not any more. */
export const pathOf = ({ action, target }: Pick<AuditEntry, "action" | "target">): string | null => {
  const [object = "", verb] = action.split(".")
  if (object === "routing") return "routing/history"
  if (target === null) return null
  const id = encodeURIComponent(target)
  if (object === "api_key") return "keys"
  if (object === "user") return "team"
  if (target.startsWith("pay_")) return object === "review" ? `reviews/${id}` : `payments/${id}`
  if (target.startsWith("evt_")) return `events/${id}`
  if (target.startsWith("rpt_")) return `reports/${id}`
  return target.startsWith("we_") && verb !== "delete" ? `endpoints/${id}` : null
}
