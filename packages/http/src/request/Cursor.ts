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
import type { ReturnKey } from "./ReturnAddress.ts"

export interface Cursors<Id = PaymentId> {
  readonly write: (tenant: Tenant, id: Id) => string
  /** `null`: it is not one of ours for this tenant. */
  readonly read: (tenant: Tenant, cursor: string) => Id | null
}

export type EventCursors = Cursors<EventId>

const MAC_BYTES = 16

/** The first secret signs; a cursor that any of them signed is read. */
export const cursors = ([first, ...others]: ServerSecrets): Cursors =>
  signed(
    macs(first, "paymux list cursor"),
    others.map((secret) => macs(secret, "paymux list cursor")),
    isPaymentId
  )

/** Receivers store them, so they outlast the secrets of an installation: the key stays the same for good. */
export const eventCursors = (key: ReturnKey): EventCursors => signed(macs(key, "paymux event cursor"), [], isEventId)

const signed = <Id extends string>(
  write: Mac,
  others: ReadonlyArray<Mac>,
  isId: (text: string) => text is Id
): Cursors<Id> => ({
  write: (tenant, id) => Buffer.concat([write(tenant, id), Buffer.from(id)]).toString("base64url"),
  read: (tenant, cursor) => {
    if (!/^[A-Za-z0-9_-]{20,100}$/.test(cursor)) return null
    const bytes = Buffer.from(cursor, "base64url")
    // Base64 has several spellings of the same bytes; only our own is a cursor.
    if (bytes.toString("base64url") !== cursor) return null
    const id = bytes.subarray(MAC_BYTES).toString("latin1")
    const given = bytes.subarray(0, MAC_BYTES)
    return isId(id) && [write, ...others].some((mac) => timingSafeEqual(given, mac(tenant, id))) ? id : null
  }
})

type Mac = (tenant: Tenant, id: string) => Buffer

const macs = (secret: Redacted.Redacted<string | Uint8Array>, use: string): Mac => {
  const key = createHmac("sha256", Redacted.value(secret)).update(use).digest()
  return ({ account, livemode }, id) =>
    createHmac("sha256", key).update(`${account}\n${livemode}\n${id}`).digest().subarray(0, MAC_BYTES)
}
