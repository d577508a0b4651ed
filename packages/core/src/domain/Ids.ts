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
  const timeOf = latest(timeLetters)
  const next = (prefix: string): string => `${prefix}${timeOf(now())}${randomLetters(random(10))}`
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
export const firstPaymentId = (time: number): PaymentId => `pay_${timeLetters(time)}${"0".repeat(16)}` as PaymentId

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

// A UUIDv7 (RFC 9562, section 5.7) is 48 bits of Unix ms, and 80 bits that are random but for the version and the variant.
// As base32 with two leading zero bits, the time is exactly the first 10 of 26 letters.

/** The letters of a time in whole ms: 50 bits. */
const timeLetters = (time: number): string => {
  let text = ""
  for (let i = 0, rest = Math.floor(Math.max(0, time)); i < 5; i++, rest = Math.floor(rest / 1024)) {
    text = `${PAIRS[rest % 1024]}${text}`
  }
  return text
}

/** The letters of 80 random bits. */
const randomLetters = (random: Uint8Array): string => {
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0, i = 0, j = 0] = random
  const version = 0x70 | (a & 0x0f)
  const variant = 0x80 | (c & 0x3f)
  return lettersOf(version, b, variant, d, e) + lettersOf(f, g, h, i, j)
}

/** Eight letters of 40 bits. */
const lettersOf = (a: number, b: number, c: number, d: number, e: number): string =>
  `${PAIRS[(a << 2) | (b >> 6)]}${PAIRS[((b & 0x3f) << 4) | (c >> 4)]}${PAIRS[((c & 0x0f) << 6) | (d >> 2)]}${PAIRS[((d & 0x03) << 8) | e]}`

/** Remembers the latest result: many ids are made within a millisecond. */
const latest = (make: (time: number) => string): ((time: number) => string) => {
  let known = { time: Number.NaN, text: "" }
  return (time) => {
    if (time !== known.time) known = { time, text: make(time) }
    return known.text
  }
}

const uuidV4 = (random: Uint8Array): string => {
  random[6] = ((random[6] ?? 0) & 0x0f) | 0x40
  random[8] = ((random[8] ?? 0) & 0x3f) | 0x80
  const hex = Array.from(random, (byte) => byte.toString(16).padStart(2, "0")).join("")
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}

const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"

/** Every two letters, by their ten bits. */
const PAIRS = Array.from({ length: 1024 }, (_, bits) => ALPHABET.charAt(bits >> 5) + ALPHABET.charAt(bits & 31))
