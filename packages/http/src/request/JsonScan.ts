/**
 * A validator of RFC 8259 in one pass, with rules beyond `JSON.parse`: no duplicate keys, no keys that reach a
 * prototype, no lone surrogates, no NUL, no numbers that a double cannot represent, bounded depth.
 *
 * Iterative, so that nesting uses no stack. It builds no value; the caller uses `JSON.parse` for that.
 */

export type JsonFault =
  | "syntax"
  | "trailing_data"
  | "too_deep"
  | "duplicate_key"
  | "forbidden_key"
  | "lone_surrogate"
  | "nul_character"
  | "number_out_of_range"

export interface Fault {
  readonly code: JsonFault
  /** The position of the fault, as a byte offset from 0. */
  readonly at: number
  /** The path to the fault: object keys and array indices. */
  readonly path: ReadonlyArray<string>
}

/** One open object or array. Frames are reused, which avoids allocations. */
interface Frame {
  isObject: boolean
  /** For an object, the index of its first key in `JsonScan.keys`. For an array, the index of the current element. */
  position: number
  /**
   * The set of keys of an object with at least `MANY_KEYS` keys, in which duplicates are found without a linear
   * search. `null` for other containers.
   */
  many: Set<string> | null
}

const MANY_KEYS = 16

/** The scan of one text. `bytes` is the text as UTF-8: bytes are read twice as fast as the characters of a string. */
export class JsonScan {
  private readonly bytes: Uint8Array
  private readonly text: string
  private readonly maxDepth: number
  private at = 0
  private depth = 0
  private readonly frames: Array<Frame> = []
  private readonly keys: Array<string> = []
  /**
   * Whether the scan is within an object key. The key is not in `keys` yet, so a fault in it is reported at the path of
   * the object.
   */
  private inKey = false
  private fault: Fault | null = null

  constructor(bytes: Uint8Array, text: string, maxDepth: number) {
    this.bytes = bytes
    this.text = text
    this.maxDepth = maxDepth
  }

  /** Scans the text; returns its first fault, or `null` if it is one JSON document that obeys the rules. */
  firstFault(): Fault | null {
    this.space()
    // Each iteration reads one value, or the start of a container, and then the ends of the containers that this value
    // completes.
    while (this.value()) {
      if (!this.afterValue()) break
      if (this.depth > 0) continue
      if (this.at < this.bytes.length) this.refuse("trailing_data", this.at)
      break
    }
    return this.fault
  }

  /**
   * Reads a value. A scalar or an empty container is read completely; any other container is read up to and including
   * its first scalar or empty container.
   */
  private value(): boolean {
    for (;;) {
      const c = this.bytes[this.at] ?? END
      if (c === QUOTE) return this.string()
      if (c === MINUS || (c >= ZERO && c <= NINE)) return this.number()
      if (c === LETTER_T) return this.word("true")
      if (c === LETTER_F) return this.word("false")
      if (c === LETTER_N) return this.word("null")
      if (c !== OPEN_OBJECT && c !== OPEN_ARRAY) return this.refuse("syntax", this.at)
      if (this.depth === this.maxDepth) return this.refuse("too_deep", this.at)
      const isObject = c === OPEN_OBJECT
      this.at++
      this.space()
      if (this.bytes[this.at] === (isObject ? CLOSE_OBJECT : CLOSE_ARRAY)) {
        this.at++
        return true
      }
      const frame = (this.frames[this.depth] ??= { isObject, position: 0, many: null })
      frame.isObject = isObject
      frame.position = isObject ? this.keys.length : 0
      frame.many = null
      this.depth++
      if (isObject && !this.key(frame)) return false
    }
  }

  /** Advances to the next value, past commas, ends of containers and keys. At the end of the document `depth` is 0. */
  private afterValue(): boolean {
    for (;;) {
      this.space()
      const frame = this.frames[this.depth - 1]
      if (this.depth === 0 || frame === undefined) return true
      const c = this.bytes[this.at]
      if (c === COMMA) {
        this.at++
        this.space()
        if (frame.isObject) return this.key(frame)
        frame.position++
        return true
      }
      if (c !== (frame.isObject ? CLOSE_OBJECT : CLOSE_ARRAY)) return this.refuse("syntax", this.at)
      this.at++
      this.depth--
      if (frame.isObject) this.keys.length = frame.position
    }
  }

  private key(frame: Frame): boolean {
    const start = this.at
    this.inKey = true
    if (this.bytes[start] !== QUOTE) return this.refuse("syntax", start)
    const escaped = this.escapes
    if (!this.string()) return false
    const key =
      this.escapes === escaped
        ? this.slice(start + 1, this.at - 1)
        : // The scan has already validated this text as a JSON string, so the parsed value is a string.
          String(JSON.parse(this.slice(start, this.at)))
    const known = this.isKnown(frame, key)
    this.keys.push(key)
    this.inKey = false
    if (known) return this.refuse("duplicate_key", start)
    if (key.length === 9 && this.reachesPrototype(key)) return this.refuse("forbidden_key", start)
    this.space()
    if (this.bytes[this.at] !== COLON) return this.refuse("syntax", this.at)
    this.at++
    this.space()
    return true
  }

  private isKnown(frame: Frame, key: string): boolean {
    if (frame.many === null) {
      const { keys } = this
      if (keys.length - frame.position < MANY_KEYS) {
        for (let i = frame.position; i < keys.length; i++) if (keys[i] === key) return true
        return false
      }
      frame.many = new Set(keys.slice(frame.position))
    }
    const { size } = frame.many
    return frame.many.add(key).size === size
  }

  /**
   * Whether a key can reach a prototype: `constructor` and `prototype` are harmless alone, but not `prototype` within
   * `constructor`.
   */
  private reachesPrototype(key: string): boolean {
    if (key === "__proto__") return true
    const outer = this.frames[this.depth - 2]
    if (key !== "prototype" || outer === undefined || !outer.isObject) return false
    return this.keys[(this.frames[this.depth - 1]?.position ?? 0) - 1] === "constructor"
  }

  /**
   * The number of escape sequences read so far. If it is unchanged after a key, the key has no escapes and need not be
   * decoded.
   */
  private escapes = 0

  private string(): boolean {
    const { bytes } = this
    let at = this.at + 1
    for (;;) {
      const c = bytes[at] ?? END
      if (c === QUOTE) {
        this.at = at + 1
        return true
      }
      if (c === BACKSLASH) {
        this.escapes++
        const next = this.escape(at)
        if (next === false) return false
        at = next
      } else if (c < 32) return this.refuse("syntax", at)
      else at++
    }
  }

  /**
   * Reads the escape sequence at `at` and returns the index after it, or `false` for a fault. Only escapes can contain
   * lone surrogates, since the text was valid UTF-8.
   */
  private escape(at: number): number | false {
    const c = this.bytes[at + 1] ?? END
    if (c !== LETTER_U) return shortEscapes.has(c) ? at + 2 : this.refuse("syntax", at)
    const unit = this.hex(at + 2)
    if (unit < 0) return this.refuse("syntax", at)
    if (unit === 0) return this.refuse("nul_character", at)
    if (unit < 0xd800 || unit > 0xdfff) return at + 6
    const paired = unit < 0xdc00 && this.bytes[at + 6] === BACKSLASH && this.bytes[at + 7] === LETTER_U
    const low = paired ? this.hex(at + 8) : -1
    return low >= 0xdc00 && low <= 0xdfff ? at + 12 : this.refuse("lone_surrogate", at)
  }

  private hex(at: number): number {
    const digits = this.slice(at, at + 4)
    return /^[0-9a-fA-F]{4}$/.test(digits) ? parseInt(digits, 16) : -1
  }

  private number(): boolean {
    const { bytes } = this
    const start = this.at
    let at = bytes[start] === MINUS ? start + 1 : start
    const whole = at
    at = this.digits(at)
    if (at === whole || (at > whole + 1 && bytes[whole] === ZERO)) return this.refuse("syntax", start)
    if (bytes[at] === DOT) {
      const fraction = at + 1
      at = this.digits(fraction)
      if (at === fraction) return this.refuse("syntax", start)
    }
    const exponent = ((bytes[at] ?? END) | 32) === LETTER_E
    if (exponent) {
      const sign = bytes[at + 1]
      const power = sign === PLUS || sign === MINUS ? at + 2 : at + 1
      at = this.digits(power)
      if (at === power) return this.refuse("syntax", start)
    }
    this.at = at
    // Up to fifteen digits without an exponent are exact in a double, so most numbers need no further check.
    if ((exponent || at - start > 15) && !isRepresentable(this.slice(start, at))) {
      return this.refuse("number_out_of_range", start)
    }
    return true
  }

  /** The index after a sequence of digits. */
  private digits(at: number): number {
    for (;;) {
      const c = this.bytes[at] ?? END
      if (c < ZERO || c > NINE) return at
      at++
    }
  }

  private word(word: string): boolean {
    for (let i = 0; i < word.length; i++) {
      if (this.bytes[this.at + i] !== word.charCodeAt(i)) return this.refuse("syntax", this.at)
    }
    this.at += word.length
    return true
  }

  private space(): void {
    for (;;) {
      const c = this.bytes[this.at]
      if (c !== 32 && c !== 10 && c !== 13 && c !== 9) return
      this.at++
    }
  }

  private slice(start: number, end: number): string {
    const isAscii = this.text.length === this.bytes.length
    return isAscii ? this.text.slice(start, end) : decoder.decode(this.bytes.subarray(start, end))
  }

  private refuse(code: JsonFault, at: number): false {
    const open = this.frames.slice(0, this.depth)
    const path = open.map((frame, i) => {
      if (!frame.isObject) return String(frame.position)
      const inner = open.slice(i + 1).find(({ isObject }) => isObject)
      return this.keys[(inner?.position ?? this.keys.length) - 1] ?? ""
    })
    this.fault = { code, at, path: this.inKey ? path.slice(0, -1) : path }
    return false
  }
}

/**
 * Whether a double represents the number: finite, an integer within ±(2^53 − 1), and neither a fraction that is rounded
 * to an integer (`1.00000000000000000001`) nor a number that is rounded to zero (`1e-400`).
 */
const isRepresentable = (token: string): boolean => {
  const value = Number(token)
  if (!Number.isInteger(value)) return Number.isFinite(value)
  return Number.isSafeInteger(value) && canonical(token) === canonical(String(value))
}

/** Converts a number to a canonical form: `1.50e3` and `1500` are both `15e2`. */
const canonical = (token: string): string => {
  const [mantissa = "", power = "0"] = token.replace(/^-/, "").toLowerCase().split("e")
  const [whole = "", fraction = ""] = mantissa.split(".")
  const digits = (whole + fraction).replace(/^0+/, "")
  const kept = digits.length - trailingZeros(digits)
  return kept === 0 ? "0" : `${digits.slice(0, kept)}e${Number(power) - fraction.length + (digits.length - kept)}`
}

// Counts trailing zeros with a loop, because a pattern such as /0+$/ takes quadratic time on a long run of zeros before
// another digit.
const trailingZeros = (digits: string): number => {
  let count = 0
  while (digits.charCodeAt(digits.length - 1 - count) === ZERO) count++
  return count
}

const decoder = new TextDecoder("utf-8", { ignoreBOM: true })

/** The byte that is read past the end of the text. It is NUL, which is invalid in JSON, so every check stops there. */
const END = 0
const QUOTE = 34
const PLUS = 43
const COMMA = 44
const MINUS = 45
const DOT = 46
const ZERO = 48
const NINE = 57
const COLON = 58
const OPEN_ARRAY = 91
const BACKSLASH = 92
const CLOSE_ARRAY = 93
const LETTER_E = 101
const LETTER_F = 102
const LETTER_N = 110
const LETTER_T = 116
const LETTER_U = 117
const OPEN_OBJECT = 123
const CLOSE_OBJECT = 125

/** The characters after a backslash, except `u`: `"`, `\`, `/`, `b`, `f`, `n`, `r` and `t`. */
const shortEscapes: ReadonlySet<number> = new Set([QUOTE, BACKSLASH, 47, 98, 102, LETTER_N, 114, LETTER_T])
