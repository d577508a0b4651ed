/**
 * Identifiers and idempotency keys, behind a port so that a simulation can seed them.
 *
 * Public ids are a prefix and a UUIDv7 in Crockford base32 (26 lower-case characters): they sort by the time they
 * were made, which is what lists are ordered by. Idempotency keys are random UUIDv4.
 */
import { Clock, Context, Effect, Layer } from "effect"

export type PaymentId = string & { readonly PaymentId: "PaymentId" }
export type OperationId = string & { readonly OperationId: "OperationId" }
/** Of a refund: its operation's, under another prefix. */
export type RefundId = string & { readonly RefundId: "RefundId" }
export type EventId = string & { readonly EventId: "EventId" }
export type IdempotencyKey = string & { readonly IdempotencyKey: "IdempotencyKey" }

export class Ids extends Context.Service<
  Ids,
  {
    readonly payment: () => PaymentId
    readonly operation: () => OperationId
    readonly event: () => EventId
    /** Of a webhook endpoint. */
    readonly endpoint: () => string
    /** The key a provider sees. Random, made once per operation, never derived from anything. */
    readonly idempotencyKey: () => IdempotencyKey
    /** Identifies one running engine, so that it can distinguish its work from that of a process that has stopped. */
    readonly engine: () => string
  }
>()("@paymux/core/domain/Ids") {
  /** From the cryptographic randomness of the platform. */
  static readonly layer = Layer.effect(
    Ids,
    Effect.map(Clock.Clock, (clock) => ({
      ...make(bufferedRandom(), () => clock.currentTimeMillisUnsafe()),
      // The platform's own is the same and faster.
      idempotencyKey: () => globalThis.crypto.randomUUID() as string as IdempotencyKey
    }))
  )
}

/** Ids from a source of random bytes and a clock; `random(n)` answers a fresh array of `n` bytes, `now()` ms UTC. */
export const make = (random: (length: number) => Uint8Array, now: () => number): Ids["Service"] => {
  const next = (prefix: string): string => `${prefix}${crockford(uuidV7(now(), random(10)))}`
  // Boundary: the brands below are given here and nowhere else.
  return Ids.of({
    payment: () => next("pay_") as PaymentId,
    operation: () => next("op_") as OperationId,
    event: () => next("evt_") as EventId,
    idempotencyKey: () => uuidV4(random(16)) as IdempotencyKey,
    endpoint: () => next("we_"),
    engine: () => next("eng_")
  })
}

/** Whether `text` has the shape of a payment id; anything else cannot exist and needs no look-up. */
export const isPaymentId = (text: string): text is PaymentId => /^pay_[0-7][0-9a-hjkmnp-tv-z]{25}$/.test(text)

/** Before every payment id that is made at `time` (ms UTC) or later. No payment has it. */
export const firstPaymentId = (time: number): PaymentId => `pay_${crockford(begunAt(time))}` as PaymentId

export const isRefundId = (text: string): text is RefundId => /^re_[0-7][0-9a-hjkmnp-tv-z]{25}$/.test(text)

/** One system call fills many ids: `getRandomValues` costs more than all the rest of an id. */
const bufferedRandom = () => {
  const buffer = new Uint8Array(4096)
  let used = buffer.length
  return (length: number): Uint8Array => {
    if (used + length > buffer.length) {
      globalThis.crypto.getRandomValues(buffer)
      used = 0
    }
    used += length
    return buffer.slice(used - length, used)
  }
}

/** RFC 9562, section 5.7: 48 bits of Unix ms, version 7, the rest random. */
const uuidV7 = (now: number, random: Uint8Array): Uint8Array => {
  const bytes = begunAt(now)
  bytes.set(random, 6)
  stampVersion(bytes, 7)
  return bytes
}

/** 128 bits that begin with the time. */
const begunAt = (time: number): Uint8Array => {
  const bytes = new Uint8Array(16)
  for (let i = 5, rest = time; i >= 0; i--, rest = Math.floor(rest / 256)) bytes[i] = rest % 256
  return bytes
}

const uuidV4 = (random: Uint8Array): string => {
  stampVersion(random, 4)
  const hex = Array.from(random, (byte) => byte.toString(16).padStart(2, "0")).join("")
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}

const stampVersion = (bytes: Uint8Array, version: number): void => {
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | (version << 4)
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
}

const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"

/** Every two letters, by their ten bits. */
const PAIRS = Array.from({ length: 1024 }, (_, bits) => ALPHABET.charAt(bits >> 5) + ALPHABET.charAt(bits & 31))

/** 128 bits as 26 characters; the first carries the two leading zero bits. */
const crockford = (bytes: Uint8Array): string => {
  let text = ""
  // The first pair has two bits of its own.
  let bits = 2
  let value = 0
  for (const byte of bytes) {
    value = (value << 8) | byte
    bits += 8
    if (bits < 10) continue
    bits -= 10
    text += PAIRS[value >>> bits] ?? ""
    value &= (1 << bits) - 1
  }
  return text
}
