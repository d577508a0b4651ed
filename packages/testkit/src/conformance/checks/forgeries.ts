/** Deliveries that are not the vendor's, made of one that is. */
import type { Delivery, VendorWebhooks } from "../../fake/Vendor.ts"

export interface Forgery {
  readonly how: string
  readonly delivery: Delivery
}

/** One byte is another, everywhere, or at places far and wide in a long body. */
export const changedBytes = ({ body, headers }: Delivery): ReadonlyArray<Forgery> => {
  const step = Math.max(1, Math.ceil(body.length / mostPlaces))
  return Array.from({ length: Math.ceil(body.length / step) }, (_, index) => {
    const place = index * step
    const changed = Uint8Array.from(body)
    const before = body[place] ?? 0
    changed[place] = another(before)
    return {
      how: `byte ${place} of its body changed from ${shown(before)} to ${shown(another(before))} (…${around(body, place)}…)`,
      delivery: { body: changed, headers }
    }
  })
}

const mostPlaces = 400

/** A digit for a digit and a letter for a letter: what is parsed is still well-formed. */
const another = (byte: number): number => {
  if (byte >= 0x30 && byte <= 0x39) return byte === 0x39 ? 0x31 : byte + 1
  if ((byte >= 0x41 && byte < 0x5a) || (byte >= 0x61 && byte < 0x7a)) return byte + 1
  return byte ^ 1
}

const shown = (byte: number): string => JSON.stringify(String.fromCharCode(byte))

const around = (body: Uint8Array, place: number): string =>
  Buffer.from(body.subarray(Math.max(0, place - 12), place + 12)).toString("latin1")

/** The same words in other bytes, and more or fewer of them. */
export const otherBytes = ({ body, headers }: Delivery): ReadonlyArray<Forgery> => {
  const text = Buffer.from(body).toString("utf8")
  const texts: ReadonlyArray<readonly [string, string]> = [
    ["a line break after its body", `${text}\n`],
    ["a space before its body", ` ${text}`],
    ["its body without the last byte", text.slice(0, -1)],
    ["its body twice", text + text],
    ...reserialized(text)
  ]
  return texts
    .filter(([, changed]) => changed !== text)
    .map(([how, changed]) => ({ how, delivery: { body: bytes(changed), headers } }))
}

const reserialized = (text: string): ReadonlyArray<readonly [string, string]> => {
  try {
    const value: unknown = JSON.parse(text)
    return [
      ["its body parsed and written again", JSON.stringify(value)],
      ["its body parsed and written again with spaces", JSON.stringify(value, null, 2)]
    ]
  } catch {
    return []
  }
}

/** The headers in which the secret shows: the two deliveries are the same but for the secret that signed them. */
export const signatureHeaders = (own: Delivery, foreign: Delivery): ReadonlyArray<string> =>
  Object.keys(own.headers).filter((name) => own.headers[name] !== foreign.headers[name])

/** Whether the signature is over the body as it is. One that is a part of it cannot be. */
export const signsBytes = ({ signsFields }: VendorWebhooks, own: Delivery, foreign: Delivery): boolean =>
  signsFields !== true && signatureHeaders(own, foreign).length > 0

/** Without a signature, with a part of one, and with an invented one. */
export const otherSignatures = (own: Delivery, foreign: Delivery): ReadonlyArray<Forgery> => {
  const names = signatureHeaders(own, foreign)
  const inHeaders = names.flatMap((name) => {
    const value = own.headers[name] ?? ""
    const { [name]: _, ...rest } = own.headers
    const from = commonStart(value, foreign.headers[name] ?? "")
    const values: ReadonlyArray<readonly [string, string]> = [
      ["empty", ""],
      ["a space", " "],
      // Padding says nothing: without it, base64 is of the same bytes.
      ["cut by one character", value.replace(/=*$/, "").slice(0, -1)],
      ["cut in half", value.slice(0, from + Math.floor((value.length - from) / 2))],
      ["without its signature", value.slice(0, from)],
      ["of zeros", value.slice(0, from) + "0".repeat(value.length - from)],
      ["nothing but zeros", "0".repeat(value.length)],
      ["that of another secret", foreign.headers[name] ?? ""],
      ["a NUL", "\u0000"],
      ["control characters", "\u0001\u0002\r\n\u007f\u001b[0m"],
      ["not ASCII", "ü😀\ud800"],
      ["separators", ",=,;=t=,v1=,"],
      ["100 kB long", "a".repeat(100_000)],
      ["of 20 000 parts", `${value.slice(0, from)}${",v1=0".repeat(20_000)}`]
    ]
    return [
      { how: `the header ${name} missing`, delivery: { body: own.body, headers: rest } },
      ...values
        .filter(([, changed]) => changed !== value)
        .map(([how, changed]) => ({
          how: `the header ${name} ${how}`,
          delivery: { body: own.body, headers: { ...own.headers, [name]: changed } }
        }))
    ]
  })
  return [...inHeaders, ...(names.length === 0 ? signaturesInBody(own, foreign).flat() : [])]
}

/** Where the signatures are a part of the body: what can be wrong with each of them, in order. */
export const signaturesInBody = (own: Delivery, foreign: Delivery): ReadonlyArray<ReadonlyArray<Forgery>> =>
  differences(own.body, foreign.body).map(({ from, to }) =>
    [
      { how: "the signature in its body of zeros", by: Buffer.alloc(to - from, "0") },
      { how: "the signature in its body empty", by: Buffer.alloc(0) },
      { how: "the signature in its body cut by one character", by: own.body.subarray(from, to - 1) },
      { how: "the signature in its body that of another secret", by: foreign.body.subarray(from, to) }
    ].map(({ by, how }) => ({
      how,
      delivery: { body: Buffer.concat([own.body.subarray(0, from), by, own.body.subarray(to)]), headers: own.headers }
    }))
  )

/** Where two bodies of one length differ; what is a few equal bytes apart is one place. */
const differences = (
  one: Uint8Array,
  other: Uint8Array
): ReadonlyArray<{ readonly from: number; readonly to: number }> => {
  const found: Array<{ from: number; to: number }> = []
  for (const [place, byte] of one.entries()) {
    if (byte === other[place]) continue
    const last = found.at(-1)
    if (last !== undefined && place - last.to < 8) last.to = place + 1
    else found.push({ from: place, to: place + 1 })
  }
  return found
}

/** An old delivery that says to be a new one: its time is written anew, and its signature is not. */
export const withTimestamp = (old: Delivery, was: number, now: number): Delivery | null => {
  const forms = (at: number) => [String(at), String(Math.floor(at / 1000)), new Date(at).toISOString()]
  const rewrite = (text: string) =>
    forms(was).reduce((done, form, index) => done.replaceAll(form, forms(now)[index] ?? form), text)
  const headers = Object.fromEntries(Object.entries(old.headers).map(([name, value]) => [name, rewrite(value)]))
  return Object.entries(headers).some(([name, value]) => value !== old.headers[name])
    ? { body: old.body, headers }
    : null
}

/** Bodies without a valid signature, most of them unreadable. */
export const garbage = ({ headers }: Delivery): ReadonlyArray<Forgery> => {
  const bodies: ReadonlyArray<readonly [string, Uint8Array]> = [
    ["an empty body", new Uint8Array()],
    ["the body null", bytes("null")],
    ["the body []", bytes("[]")],
    ["the body {}", bytes("{}")],
    ["a body that is no JSON", bytes("<html>not yours</html>")],
    ["a body of other types", bytes('{"id":7,"type":[],"data":"","payment":null,"__proto__":{"status":"captured"}}')],
    ["a body that is no UTF-8", Uint8Array.of(0xff, 0xfe, 0x00, 0xc3, 0x28)],
    ["a body of 256 KiB", bytes("a".repeat(256 * 1024))],
    ["a body 100 000 levels deep", bytes("[".repeat(100_000))]
  ]
  return bodies.flatMap(([how, body]) => [
    { how: `${how}, under a signature of another`, delivery: { body, headers } },
    { how: `${how}, without headers`, delivery: { body, headers: {} } }
  ])
}

const commonStart = (one: string, other: string): number => {
  let length = 0
  while (length < one.length && one[length] === other[length]) length++
  return length
}

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)
