/** Signed cursors of lists: opaque to the client, and bound to the account and mode for which they were issued. */
import type { PaymentId, Tenant } from "@paymux/core"
import type { EventId } from "@paymux/core/store"
import type { ServerSecrets } from "@paymux/core/wire"
import { isEventId, isPaymentId } from "@paymux/core/wire"
import { Redacted } from "effect"
import { createHmac, timingSafeEqual } from "node:crypto"
import type { ReturnKey } from "./ReturnAddress.ts"

export interface Cursors<Id = PaymentId> {
  readonly write: (tenant: Tenant, id: Id) => string
  /** Decodes a cursor; `null`: it is invalid, or was issued for another tenant. */
  readonly read: (tenant: Tenant, cursor: string) => Id | null
}

export type EventCursors = Cursors<EventId>

const MAC_BYTES = 16

/** The codec for cursors of lists. The first secret signs; all of them verify. */
export const cursors = (secrets: ServerSecrets): Cursors => signed(secrets, "paymux list cursor", isPaymentId)

/**
 * The codec for cursors of events. Receivers store these cursors, so the key never changes, even if the secrets of the
 * installation do.
 */
export const eventCursors = (key: ReturnKey): EventCursors => signed([key], "paymux event cursor", isEventId)

type Secret = Redacted.Redacted<string | Uint8Array>

const signed = <Id extends string>(
  [first, ...others]: readonly [Secret, ...ReadonlyArray<Secret>],
  use: string,
  isId: (text: string) => text is Id
): Cursors<Id> => {
  const sign = macs(first, use)
  const all = [sign, ...others.map((secret) => macs(secret, use))]
  return {
    write: (tenant, id) => Buffer.concat([sign(tenant, id), Buffer.from(id)]).toString("base64url"),
    read: (tenant, cursor) => {
      if (!/^[A-Za-z0-9_-]{20,100}$/.test(cursor)) return null
      const bytes = Buffer.from(cursor, "base64url")
      // Only the canonical Base64 text is accepted as a cursor, because Base64 has several encodings of the same bytes.
      if (bytes.toString("base64url") !== cursor) return null
      const id = bytes.subarray(MAC_BYTES).toString("latin1")
      const given = bytes.subarray(0, MAC_BYTES)
      return isId(id) && all.some((mac) => timingSafeEqual(given, mac(tenant, id))) ? id : null
    }
  }
}

const macs = (secret: Secret, use: string) => {
  const key = createHmac("sha256", Redacted.value(secret)).update(use).digest()
  return ({ account, livemode }: Tenant, id: string) =>
    createHmac("sha256", key).update(`${account}\n${livemode}\n${id}`).digest().subarray(0, MAC_BYTES)
}
