/** What is done to a value, and to its text, so that it is hardly what was documented any more. */
import * as fc from "fast-check"

/** One change, at the place that `at` picks among all places of the value. */
export interface Change {
  readonly at: number
  readonly kind: "replace" | "remove" | "add" | "wrap" | "list" | "lengthen" | "text" | "rename"
  readonly value: unknown
  readonly key: string
}

/** Values that have broken some parser, database or check before, at the edges of every type. */
const awkward: ReadonlyArray<unknown> = [
  null,
  true,
  false,
  0,
  -0,
  -1,
  1.5,
  1e21,
  -1e-7,
  9_007_199_254_740_991,
  9_007_199_254_740_992,
  "",
  " ",
  "\t\n",
  "0",
  "100",
  "NaN",
  "null",
  "undefined",
  "\u0000",
  "a\u0000b",
  "\ud800",
  "\udfff\ud800",
  "\ufeff",
  "\u202e\u200b",
  "é".normalize("NFD"),
  "١٢٣",
  "💳".repeat(20),
  "'; DROP TABLE payments; --",
  "${jndi:ldap://x}",
  "<script>alert(1)</script>",
  "../../etc/passwd",
  "%00%0d%0aX: y",
  "a".repeat(201),
  "a".repeat(501),
  "a".repeat(2_001),
  "a@b@c",
  "+91",
  "+919999999999 ",
  "javascript:alert(1)",
  "https://10.0.0.1/",
  "https://[::1]/",
  "https://user:pass@example.com/",
  "2026-02-30T00:00:00Z",
  "4242424242424242",
  "4242 4242 4242 4242",
  4_242_424_242_424_242,
  [],
  {},
  [[]],
  [null],
  { a: { b: { c: {} } } },
  { toJSON: "x", constructor: "y", toString: "z" }
]

const keys: ReadonlyArray<string> = [
  "",
  " ",
  "amount",
  "Amount",
  "amount ",
  "constructor",
  "toString",
  "hasOwnProperty",
  "__proto__",
  "prototype",
  "cvv",
  "number",
  "card_number",
  "id",
  "account",
  "livemode",
  "status",
  "\u0000",
  "k".repeat(41),
  "4242424242424242",
  "$where",
  "a.b",
  "a[b]",
  "~0/~1"
]

export const awkwardValue: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...awkward) },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
  { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 30 }) }
)

export const change = (fitting: fc.Arbitrary<unknown>): fc.Arbitrary<Change> =>
  fc.record({
    at: fc.nat({ max: 1_000 }),
    kind: fc.constantFrom(
      "replace",
      "replace",
      "replace",
      "remove",
      "add",
      "wrap",
      "list",
      "lengthen",
      "text",
      "rename"
    ),
    value: fc.oneof({ weight: 3, arbitrary: awkwardValue }, { weight: 1, arbitrary: fitting }),
    key: fc.oneof(fc.constantFrom(...keys), fc.string({ maxLength: 45 }))
  })

type Path = ReadonlyArray<string | number>
type Box = { readonly [key: string]: unknown } | ReadonlyArray<unknown>

const isBox = (value: unknown): value is Box => typeof value === "object" && value !== null

const pathsOf = (value: unknown, path: Path = []): ReadonlyArray<Path> => [
  path,
  ...(Array.isArray(value)
    ? value.flatMap((inner, index) => pathsOf(inner, [...path, index]))
    : isBox(value)
      ? Object.entries(value).flatMap(([key, inner]) => pathsOf(inner, [...path, key]))
      : [])
]

/** The value with all changes made, one after the other. */
export const changed = (value: unknown, changes: ReadonlyArray<Change>): unknown =>
  changes.reduce<unknown>((before, each) => {
    const paths = pathsOf(before)
    return at(before, paths[each.at % paths.length] ?? [], (inner) => applied(inner, each), each)
  }, value)

const at = (value: unknown, path: Path, apply: (inner: unknown) => unknown, { key, kind }: Change): unknown => {
  const [first, ...rest] = path
  if (first === undefined) return kind === "remove" || kind === "rename" ? value : apply(value)
  const isLast = rest.length === 0
  if (Array.isArray(value)) {
    if (isLast && kind === "remove") return value.filter((_, index) => index !== first)
    return value.map((inner, index) => (index === first ? at(inner, rest, apply, unremoved(kind, key)) : inner))
  }
  if (!isBox(value)) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, inner]): ReadonlyArray<readonly [string, unknown]> => {
      if (name !== first) return [[name, inner]]
      if (isLast && kind === "remove") return []
      if (isLast && kind === "rename") return [[key, inner]]
      return [[name, at(inner, rest, apply, { at: 0, kind, value: null, key })]]
    })
  )
}

/** An item of a list has no name to change. */
const unremoved = (kind: Change["kind"], key: string): Change => ({ at: 0, kind, value: null, key })

const applied = (inner: unknown, { key, kind, value }: Change): unknown => {
  switch (kind) {
    case "replace":
    case "remove":
    case "rename":
      return value
    case "add":
      if (Array.isArray(inner)) return [...inner, value]
      return isBox(inner) ? Object.fromEntries([...Object.entries(inner), [key, value]]) : value
    case "wrap":
      return Object.fromEntries([[key, inner]])
    case "list":
      return [inner, inner]
    case "lengthen":
      return typeof inner === "string" ? inner.repeat(300).slice(0, 3_000) : [inner]
    case "text":
      return typeof inner === "string" ? Number(inner) : (JSON.stringify(inner) ?? "")
  }
}

/** What is done to the bytes of a body. */
export type Damage = (bytes: Buffer) => Buffer

export const damage: fc.Arbitrary<Damage> = fc
  .tuple(
    fc.nat(),
    fc.constantFrom("cut", "flip", "drop", "double", "insert", "before", "after", "twice", "deep", "raw"),
    fc.oneof(
      fc.constantFrom(
        "{}",
        ",",
        "/* */",
        "\ufeff",
        "\u0000",
        '"amount":1,',
        '"__proto__":{},',
        "NaN",
        "Infinity",
        "1e400",
        "9007199254740993",
        "\\ud800",
        "'",
        "0x10",
        "+1",
        "01",
        "undefined"
      ),
      fc.string({ unit: "binary", minLength: 1, maxLength: 6 })
    )
  )
  .map(
    ([place, kind, text]) =>
      (bytes) =>
        damaged(bytes, bytes.length === 0 ? 0 : place % bytes.length, kind, Buffer.from(text))
  )

const damaged = (bytes: Buffer, at: number, kind: string, text: Buffer): Buffer => {
  switch (kind) {
    case "cut":
      return bytes.subarray(0, at)
    case "flip":
      return Buffer.from(bytes.map((byte, index) => (index === at ? byte ^ (1 << (at % 8)) : byte)))
    case "drop":
      return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1)])
    case "double":
      return Buffer.concat([bytes.subarray(0, at), bytes.subarray(Math.max(0, at - 5))])
    case "insert":
      return Buffer.concat([bytes.subarray(0, at), text, bytes.subarray(at)])
    case "before":
      return Buffer.concat([text, bytes])
    case "after":
      return Buffer.concat([bytes, text])
    case "twice":
      return Buffer.concat([bytes.subarray(0, 1), text, bytes.subarray(1)])
    case "deep":
      return Buffer.from("[".repeat(at + 40) + "]".repeat(at + 40))
    default:
      return Buffer.concat([bytes, Buffer.alloc(at * 300, " ")])
  }
}
