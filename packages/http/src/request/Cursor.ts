/**
 * Where a list goes on: opaque to the client, bound to the account and mode it was made for, and signed, so that a
 * cursor that was changed or carried over is refused instead of read.
 */
import type { PaymentId, Tenant } from "@paymux/core"
import type { EventId } from "@paymux/core/store"
import type { ServerSecrets } from "@paymux/core/wire"
import { isEventId, isPaymentId } from "@paymux/core/wire"
import { Redacted } from "effect"
import { createHmac, timingSafeEqual } from "node:crypto"

export interface Cursors {
  readonly write: (tenant: Tenant, id: PaymentId | EventId) => string
  /** `null`: it is not one of ours for this tenant. */
  readonly read: (tenant: Tenant, cursor: string) => PaymentId | null
  /** The same of a cursor of events. */
  readonly readEvent: (tenant: Tenant, cursor: string) => EventId | null
}

const MAC_BYTES = 16

/** The first secret signs; a cursor that any of them signed is read. */
export const cursors = ([first, ...others]: ServerSecrets): Cursors => {
  const write = macs(first)
  const all = [write, ...others.map(macs)]
  const read = <Id extends string>(tenant: Tenant, cursor: string, isId: (text: string) => text is Id): Id | null => {
    if (!/^[A-Za-z0-9_-]{20,100}$/.test(cursor)) return null
    const bytes = Buffer.from(cursor, "base64url")
    // Base64 has several spellings of the same bytes; only our own is a cursor.
    if (bytes.toString("base64url") !== cursor) return null
    const id = bytes.subarray(MAC_BYTES).toString("latin1")
    const given = bytes.subarray(0, MAC_BYTES)
    return isId(id) && all.some((mac) => timingSafeEqual(given, mac(tenant, id))) ? id : null
  }
  return {
    write: (tenant, id) => Buffer.concat([write(tenant, id), Buffer.from(id)]).toString("base64url"),
    read: (tenant, cursor) => read(tenant, cursor, isPaymentId),
    readEvent: (tenant, cursor) => read(tenant, cursor, isEventId)
  }
}

const macs = (secret: Redacted.Redacted) => {
  const key = createHmac("sha256", Redacted.value(secret)).update("paymux list cursor").digest()
  return ({ account, livemode }: Tenant, id: string): Buffer =>
    createHmac("sha256", key).update(`${account}\n${livemode}\n${id}`).digest().subarray(0, MAC_BYTES)
}
