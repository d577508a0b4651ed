/** Finds in a text what must not be there, also where it is encoded. */

export interface Hidden {
  /** For people: `the card token`. */
  readonly kind: string
  readonly text: string
}

/** `the card token ("tok_…") as base64`; `null`: nothing of it is in the text. */
export const leakIn = (text: string, hidden: ReadonlyArray<Hidden>): string | null => {
  const spaced = text.replaceAll(/\s+/g, " ")
  const decoded = decodedIn(text)
  for (const { kind, text: secret } of hidden) {
    for (const { form, is } of formsOf(secret)) {
      if (text.includes(is) || spaced.includes(is)) return `${kind} (${abbreviated(secret)})${form}`
    }
    if (decoded.includes(secret)) return `${kind} (${abbreviated(secret)}), encoded as base64`
  }
  return null
}

/** The same text, which may be printed. */
export const masked = (text: string, hidden: ReadonlyArray<Hidden>): string =>
  hidden.reduce(
    (done, { text: secret }) =>
      [secret, base64(secret), base64(`${secret}:`)].reduce(
        (rest, form) => rest.replaceAll(form, `${form.slice(0, 4)}…`),
        done
      ),
    text
  )

const abbreviated = (secret: string): string => `"${secret.slice(0, 4)}…"`

const formsOf = (secret: string): ReadonlyArray<{ readonly is: string; readonly form: string }> => {
  const bytes = Buffer.from(secret, "utf8")
  const hex = bytes.toString("hex")
  return [
    { is: secret, form: "" },
    { is: encodeURIComponent(secret), form: ", percent-encoded" },
    { is: hex, form: ", as hex" },
    // As Node shows a Buffer and a Uint8Array.
    { is: hex.replaceAll(/(..)(?!$)/g, "$1 "), form: ", as bytes" },
    { is: [...bytes].join(", "), form: ", as bytes" }
  ]
}

/** Whatever may be base64, decoded: a secret alone, or with its name before it as in `Authorization: Basic`. */
const decodedIn = (text: string): string =>
  (text.match(/[A-Za-z0-9+/_-]{8,}={0,2}/g) ?? [])
    .map((word) => Buffer.from(word, "base64").toString("utf8"))
    .join("\n")

const base64 = (text: string): string => Buffer.from(text, "utf8").toString("base64").replace(/=+$/, "")
