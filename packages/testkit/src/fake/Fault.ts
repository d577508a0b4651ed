/** How one request to a fake goes wrong. */

/**
 * What the client sees instead of the vendor's answer.
 *
 * - `reset`: the connection is reset before a byte of the answer
 * - `reset_in_body`: reset in the middle of the answer
 * - `half_body`: the connection is closed in good order in the middle of the answer
 * - `never`: nothing, for ever
 * - `drip`: the head of an answer, then a byte every 20 ms, for ever
 * - `not_http`: bytes that are no HTTP
 * - otherwise this answer
 */
export type FaultyReply = "reset" | "reset_in_body" | "half_body" | "never" | "drip" | "not_http" | FakeAnswer

export interface Fault {
  /** Whether the vendor does what it was asked, before the reply goes wrong. */
  readonly executed: boolean
  readonly reply: FaultyReply
}

/** An answer of a fake. `json` and `text` exclude each other; without either the body is empty. */
export interface FakeAnswer {
  readonly status: number
  readonly headers?: { readonly [name: string]: string }
  readonly json?: unknown
  readonly text?: string
}

/** For people: `reset after it was executed`. */
export const describeFault = ({ executed, reply }: Fault): string =>
  `${describeReply(reply)} ${executed ? "after it was executed" : "and nothing was executed"}`

const describeReply = (reply: FaultyReply): string => {
  if (typeof reply !== "string") return describeAnswer(reply)
  switch (reply) {
    case "reset":
      return "connection reset before the answer"
    case "reset_in_body":
      return "connection reset in the middle of the answer"
    case "half_body":
      return "connection closed in the middle of the answer"
    case "never":
      return "no answer"
    case "drip":
      return "an answer that never ends"
    case "not_http":
      return "an answer that is not HTTP"
  }
}

/** For people: `answered 500 with an empty body`. */
export const describeAnswer = ({ headers, json, status, text }: FakeAnswer): string => {
  const body = text ?? (json === undefined ? "an empty body" : JSON.stringify(json))
  const more =
    headers === undefined
      ? ""
      : ` (${Object.entries(headers)
          .map((pair) => pair.join(": "))
          .join(", ")})`
  return `answered ${status}${more} with ${body.length > 80 ? `${body.slice(0, 80)}…` : body}`
}
