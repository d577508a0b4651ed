/** Splits a text into what must be the same, and what may differ from run to run: ids, secrets, digests and times. */

export type Token =
  | { readonly kind: "text"; readonly text: string }
  /** Compared by the distance from the start of the recording. `at`: ms UTC. */
  | { readonly kind: "time"; readonly text: string; readonly at: number }
  /** Equal where the same one stands in the same places. `of`: its prefix, or its form. */
  | { readonly kind: "id"; readonly text: string; readonly of: string }

/** The first that matches decides. */
const forms = {
  iso: /\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,6})?)?(?:Z|\+00(?::00)?| UTC)?/,
  httpDate: /(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT/,
  milliseconds: /(?<![\w.])1[6-9]\d{11}(?!\w)/,
  uuid: /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/,
  /** Secrets and keys, the last characters of a key, tokens of pages and sessions, cursors: each where it always stands. */
  secret: /whsec_[A-Za-z0-9+/]{20,}=*/,
  apiKey: /pmx_(?:[a-z0-9]+_)?(?:test|live)_(?:…[A-Za-z0-9]{4}(?![A-Za-z0-9])|[A-Za-z0-9]{20,})/,
  key: /key_[A-Za-z0-9]{20}(?![A-Za-z0-9])/,
  token:
    /(?<=\/(?:pay|return)\/[\w-]{20,60}\/|(?:open|join|reset)#|nonce="|'nonce-|paymux\w*=|"(?:token|next_cursor|cursor|next|last4)":")[\w.~+/-]+=*/,
  /** Ids of ours and of vendors: after a prefix; in hexadecimal; or mixed as no word is. */
  prefixed: /(?<![A-Za-z0-9])(?:[a-z0-9]{2,8}_){1,2}(?=[0-9a-z]*\d)[0-9a-z]{20,40}(?:_[0-9a-f]{8})?(?![A-Za-z0-9])/,
  hex: /(?<![A-Za-z0-9])(?:0x|(?=[0-9a-f]*\d)(?=\d*[a-f]))[0-9a-f]{24,}(?![A-Za-z0-9])/,
  /** Numbers of rows, as `recordGroup` writes them. */
  row: /row of [a-z]+ #\d+/,
  /** 16 random bytes: one in forty has no digit. */
  sixteen: /(?<=^|")(?=(?:[\w-]*?[A-Z]){4})[\w-]{22}(?="|$)/,
  opaque: /(?<![\w+/-])(?=[\w+/-]*\d)(?=[\w+/-]*[A-Z])(?=[\w+/-]*[a-z])[\w+/-]{20,}={0,2}(?![\w+/-])/
} as const

type Form = keyof typeof forms

const any = new RegExp(
  Object.entries(forms)
    .map(([name, form]) => `(?<${name}>${form.source})`)
    .join("|"),
  "g"
)

/** A number or a date farther from the recording is content, such as a filter of a list. */
const nearby = 400 * 86_400_000

export const tokensOf = (text: string, startedAt: number): ReadonlyArray<Token> => {
  const tokens: Array<Token> = []
  let end = 0
  for (const match of text.matchAll(any)) {
    const token = tokenOf(match, startedAt)
    if (token === null) continue
    if (match.index > end) tokens.push({ kind: "text", text: text.slice(end, match.index) })
    tokens.push(token)
    end = match.index + match[0].length
  }
  if (end < text.length) tokens.push({ kind: "text", text: text.slice(end) })
  return tokens
}

const tokenOf = ({ 0: text, groups = {} }: RegExpMatchArray, startedAt: number): Token | null => {
  // Boundary: the names of the groups are those of the forms.
  const form = Object.keys(groups).find((name) => groups[name] !== undefined) as Form
  const at = timeOf(form, text)
  if (at !== null) return Math.abs(at - startedAt) < nearby ? { kind: "time", text, at } : null
  return { kind: "id", text, of: form === "prefixed" ? text.replace(/_[^_]*\d.*$/, "") : form }
}

/** `null`: the form is not one of times. */
const timeOf = (form: Form, text: string): number | null => {
  switch (form) {
    case "iso":
      return Date.parse(`${text.slice(0, 10)}T${text.slice(11).replace(/[Z+ ].*$/, "")}Z`)
    case "httpDate":
      return Date.parse(text)
    case "milliseconds":
      return Number(text)
    default:
      return null
  }
}
