import type { Schemas } from "../../api/client.ts"
import { Status } from "../../ui/Status.tsx"
import { exactTime } from "../../ui/Time.tsx"

export type ApiKey = Schemas["ApiKey"]

export type KeyState = "active" | "accepted_until" | "expired" | "revoked"

export const keyStateOf = ({ expiresAt, revokedAt }: ApiKey, now: number): KeyState => {
  if (revokedAt !== null) return "revoked"
  if (expiresAt === null) return "active"
  return expiresAt > now ? "accepted_until" : "expired"
}

export const KeyStatus = ({ apiKey }: { readonly apiKey: ApiKey }) => {
  const state = keyStateOf(apiKey, Date.now())
  if (state !== "accepted_until" || apiKey.expiresAt === null) return <Status word={state} />
  return <Status tone="warn" word={`Accepted until ${exactTime(apiKey.expiresAt)}`} />
}
