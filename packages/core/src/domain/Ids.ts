/**
 * Identifiers and idempotency keys, behind a port so that a simulation can seed them.
 *
 * Public ids are a prefix and a UUIDv7 in Crockford base32 (26 lower-case characters): they sort by the time at which
 * they were made, which is the order of lists. Idempotency keys are UUIDv4.
 *
 * If an `Origin` and a `NameDigest` are given, an id or idempotency key is derived from them, and not random. A derived
 * payment id still begins with the time, and its other bits are derived: a UUIDv8. The id of an operation is derived as
 * a whole, because providers receive it.
 *
 * In a cell the ids of payments and operations end with the cell's name: see `Cell`.
 */
import { Clock, Context, Effect, Layer } from "effect"
import { Cell } from "./Cell.ts"
import { NameDigest } from "./NameDigest.ts"

export type PaymentId = string & { readonly PaymentId: "PaymentId" }
export type OperationId = string & { readonly OperationId: "OperationId" }
/** The id of a refund: the id of the refund's operation with another prefix. */
export type RefundId = string & { readonly RefundId: "RefundId" }
export type EventId = string & { readonly EventId: "EventId" }
export type IdempotencyKey = string & { readonly IdempotencyKey: "IdempotencyKey" }

/** The values from which an id or idempotency key is derived; `null` if it is random. */
export type Origin = ReadonlyArray<string | number | boolean> | null

/** The identifiers of an operation that a provider receives. They are the same for all sends of the operation. */
export interface OperationNames {
  readonly id: OperationId
  readonly key: IdempotencyKey
}

export class Ids extends Context.Service<
  Ids,
  {
    /** Generates a payment id. `time` (ms UTC, default: now) is the time with which the id begins. */
    readonly payment: (origin: Origin, time?: number) => PaymentId
    readonly operation: (origin: Origin) => OperationNames
    readonly event: () => EventId
    /** Generates the id of a webhook endpoint. */
    readonly endpoint: () => string
    /**
     * Generates an id for a running engine, so that the engine can distinguish its own work from that of a stopped
     * process.
     */
    readonly engine: () => string
  }
>()("@paymux/core/domain/Ids") {
  /**
   * Whether an operation id is derived from the client's request. If so, and if the database lost its last commits, an
   * earlier send of the same request may already have used this id at the provider.
   */
  static isDerived(id: OperationId): boolean {
    return /^op_[4-7]/.test(id)
  }

  /**
   * Whether `text` has the format of an operation id, with a cell or without. A vendor may also return ids of other
   * systems.
   */
  static isOperation(text: string): text is OperationId {
    return isOperationId(text)
  }

  /** The service that makes ids from the platform's cryptographic randomness, the `NameDigest` and the `Cell`. */
  static readonly layer = Layer.effect(
    Ids,
    Effect.gen(function* () {
      const clock = yield* Clock.Clock
      return make(bufferedRandom(), () => clock.currentTimeMillisUnsafe(), yield* NameDigest, yield* Cell)
    })
  )
}

/**
 * Makes ids from a source of random bytes and a clock. `random(n)` returns a new array of `n` bytes, `now()` the time
 * in ms UTC.
 */
export const make = (
  random: (length: number) => Uint8Array,
  now: () => number,
  digest: ((text: string) => Uint8Array) | null = null,
  cell: string | null = null
): Ids["Service"] => {
  const timeOf = latest(timeLetters)
  const end = cell === null ? "" : `_${cell}`
  const derived = (origin: Origin) => (digest === null || origin === null ? null : digest(JSON.stringify(origin)))
  const next = (prefix: string, time = now()): string => `${prefix}${timeOf(time)}${lettersAfterTime(0x70, random(10))}`
  // Cast at a type boundary: only the functions below create the branded types.
  return Ids.of({
    payment: (origin, time = now()) => {
      const bytes = derived(origin)
      const id = bytes === null ? next("pay_", time) : `pay_${timeOf(time)}${lettersAfterTime(0x80, bytes)}`
      return `${id}${end}` as PaymentId
    },
    operation: (origin) => {
      const bytes = derived(origin)
      return bytes === null
        ? { id: `${next("op_")}${end}` as OperationId, key: uuidV4(random(16)) as IdempotencyKey }
        : { id: `op_${derivedLetters(bytes)}${end}` as OperationId, key: uuidV4(bytes.slice(16, 32)) as IdempotencyKey }
    },
    event: () => next("evt_") as EventId,
    endpoint: () => next("we_"),
    engine: () => next("eng_")
  })
}

/** Whether `text` has the format of a payment id, with a cell or without. Other text need not be looked up. */
export const isPaymentId = (text: string): text is PaymentId =>
  /^pay_[0-7][0-9a-hjkmnp-tv-z]{25}(?:_[a-z][0-9a-z]{0,7})?$/.test(text)

/** Returns the lower bound of all payment ids made at `time` (ms UTC) or later, in any cell. No payment has this id. */
export const firstPaymentId = (time: number): PaymentId => `pay_${timeLetters(time)}${"0".repeat(16)}` as PaymentId

/** Decodes the time with which a payment id begins, ms UTC. */
export const timeOfPaymentId = (id: PaymentId): number => timeOf(id)

/** Whether `text` has the format of an event id. */
export const isEventId = (text: string): text is EventId => /^evt_[0-7][0-9a-hjkmnp-tv-z]{25}$/.test(text)

/** Decodes the time with which an event id begins, ms UTC. */
export const timeOfEventId = (id: EventId): number => timeOf(id)

const timeOf = (id: PaymentId | EventId): number =>
  Array.from(id.slice(4, 14)).reduce((time, letter) => time * 32 + ALPHABET.indexOf(letter), 0)

/**
 * The value with which routing selects a provider at random: the payment's id or, if the id is derived, only its part
 * after the time. So a request that is repeated after its commit was lost is routed as before, even if the installation
 * has become a cell since.
 */
export const drawOf = (id: PaymentId): string => (isUuidV8.test(id) ? id.slice(14, 30) : id)

/**
 * Matches a derived payment id. The UUID version is in the first letter after the time, the UUID variant in the fourth.
 */
const isUuidV8 = /^pay_.{10}[gh]..[89abr-tv]/

export const isOperationId = (text: string): text is OperationId =>
  /^op_[0-7][0-9a-hjkmnp-tv-z]{25}(?:_[a-z][0-9a-z]{0,7})?$/.test(text)

export const isRefundId = (text: string): text is RefundId =>
  /^re_[0-7][0-9a-hjkmnp-tv-z]{25}(?:_[a-z][0-9a-z]{0,7})?$/.test(text)

/**
 * Creates a source of buffered random bytes. One system call serves many ids, because `getRandomValues` takes longer
 * than the rest of an id.
 */
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

// Notes on the format: a UUIDv7 (RFC 9562, section 5.7) is 48 bits of Unix ms, and 80 bits that are random except for
// the version and the variant. As base32 with two leading zero bits, the time is exactly the first 10 of 26 letters.

/** Encodes a time in whole ms as ten letters (50 bits). */
const timeLetters = (time: number): string => {
  let text = ""
  for (let i = 0, rest = Math.floor(Math.max(0, time)); i < 5; i++, rest = Math.floor(rest / 1024)) {
    text = `${PAIRS[rest % 1024]}${text}`
  }
  return text
}

/**
 * Encodes ten random bytes (80 bits) as letters. The version and the variant of a UUID are written into these bytes.
 */
const lettersAfterTime = (version: 0x70 | 0x80, bytes: Uint8Array): string => {
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0, i = 0, j = 0] = bytes
  const variant = 0x80 | (c & 0x3f)
  return lettersOf(version | (a & 0x0f), b, variant, d, e) + lettersOf(f, g, h, i, j)
}

/**
 * Encodes 127 bits as 26 letters. The first letter is greater than in any id that begins with a time (until the year
 * 3084), so the two kinds of ids differ.
 */
const derivedLetters = (bytes: Uint8Array): string => {
  const at = (index: number) => bytes[index] ?? 0
  const eight = (from: number) => lettersOf(at(from), at(from + 1), at(from + 2), at(from + 3), at(from + 4))
  return `${PAIRS[0x80 | at(0)]}${eight(1)}${eight(6)}${eight(11)}`
}

/** Encodes 40 bits as eight base32 letters. */
const lettersOf = (a: number, b: number, c: number, d: number, e: number): string =>
  `${PAIRS[(a << 2) | (b >> 6)]}${PAIRS[((b & 0x3f) << 4) | (c >> 4)]}${PAIRS[((c & 0x0f) << 6) | (d >> 2)]}${PAIRS[((d & 0x03) << 8) | e]}`

/** Caches the latest result of a function of the time: many ids are made within a millisecond. */
const latest = (make: (time: number) => string): ((time: number) => string) => {
  let known = { time: Number.NaN, text: "" }
  return (time) => {
    if (time !== known.time) known = { time, text: make(time) }
    return known.text
  }
}

const uuidV4 = (random: Uint8Array): string => {
  let hex = ""
  for (const byte of random) hex += HEX[byte]
  const variant = HEX[0x80 | ((random[8] ?? 0) & 0x3f)]
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(18, 20)}-${hex.slice(20)}`
}

/** The two hexadecimal digits of every byte. */
const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"))

const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"

/** The pair of letters for every value of ten bits. */
const PAIRS = Array.from({ length: 1024 }, (_, bits) => ALPHABET.charAt(bits >> 5) + ALPHABET.charAt(bits & 31))
