/** A status: a small dot and a word. */
const tones = {
  good: "bg-good",
  bad: "bg-bad",
  warn: "bg-warn",
  quiet: "bg-edge",
  accent: "bg-accent"
} as const

export type Tone = keyof typeof tones

/** Of payments, attempts, refunds, deliveries, breakers, keys and endpoints. */
const toneOf: { readonly [status: string]: Tone } = {
  succeeded: "good",
  delivered: "good",
  active: "good",
  enabled: "good",
  closed: "good",
  matched: "good",
  done: "good",
  ok: "good",
  failed: "bad",
  dead: "bad",
  open: "bad",
  error: "bad",
  pending: "warn",
  unknown: "warn",
  half_open: "warn",
  warning: "warn",
  retrying: "warn",
  in_review: "warn",
  authorized: "accent",
  running: "accent"
}

export const Status = ({ tone, word }: { readonly word: string; readonly tone?: Tone }) => (
  <span className="inline-flex items-center gap-1.5 whitespace-nowrap">
    <span aria-hidden className={`size-2 rounded-full ${tones[tone ?? toneOf[word] ?? "quiet"]}`} />
    {wordOf(word)}
  </span>
)

/** `half_open` → `Half open`. */
export const wordOf = (code: string): string => {
  const words = code.replaceAll("_", " ")
  return words.charAt(0).toUpperCase() + words.slice(1)
}
