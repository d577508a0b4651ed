/**
 * A provider's whole answer: status, headers and body, read to its end within the deadline. A body has at most 1 MiB, unless
 * the client allows more.
 *
 * The body holds client secrets and personal data, so it is private to the value: logging or inspecting an `Answer`
 * shows its status and headers only.
 */
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type * as SchemaIssue from "effect/SchemaIssue"
import * as Headers from "effect/http/Headers"
import { SentOutcomeUnknown } from "./HttpFailure.ts"

export class Answer {
  readonly status: number
  readonly headers: Headers.Headers
  readonly #body: Uint8Array
  readonly #host: string
  readonly #reusedConnection: boolean

  constructor(parts: {
    readonly status: number
    readonly headers: Headers.Headers
    readonly body: Uint8Array
    readonly host: string
    readonly reusedConnection: boolean
  }) {
    this.status = parts.status
    this.headers = parts.headers
    this.#body = parts.body
    this.#host = parts.host
    this.#reusedConnection = parts.reusedConnection
  }

  /** The value of a header, by any case of its name. */
  header(name: string): string | undefined {
    return this.headers[name.toLowerCase()]
  }

  get bytes(): Uint8Array {
    return this.#body
  }

  /** The body as text; `unreadable` where it is not UTF-8. */
  get text(): Effect.Effect<string, SentOutcomeUnknown> {
    return this.#read((body) => utf8.decode(body))
  }

  /** The body as JSON; `unreadable` where it is not. Numbers are JavaScript numbers: amounts in them are rounded. */
  get json(): Effect.Effect<unknown, SentOutcomeUnknown> {
    return this.#read((body) => JSON.parse(utf8.decode(body)))
  }

  /**
   * The body as JSON in which every number is the text the vendor wrote (`170.00` is `"170.00"`), for vendors that send
   * amounts as decimal number literals. Read amounts from it with `Amount.minorFromMajor`.
   */
  get jsonWithNumberText(): Effect.Effect<unknown, SentOutcomeUnknown> {
    return this.#read((body) => JSON.parse(utf8.decode(body), numberText))
  }

  /**
   * The JSON body as `schema` reads it; fields that the schema does not name are ignored. A body of another shape is
   * `unexpected_shape`, never a failure of the payment: the provider did answer, and we do not know what it said.
   */
  decode<A>(schema: Schema.Decoder<A>): Effect.Effect<A, SentOutcomeUnknown> {
    return Effect.flatMap(this.json, this.#as(schema))
  }

  /** As `decode`, over `jsonWithNumberText`. */
  decodeWithNumberText<A>(schema: Schema.Decoder<A>): Effect.Effect<A, SentOutcomeUnknown> {
    return Effect.flatMap(this.jsonWithNumberText, this.#as(schema))
  }

  /** How long `Retry-After` asks to wait from now, in both of its forms (RFC 9110 §10.2.3). None where absent or unreadable. */
  get retryAfter(): Effect.Effect<Option.Option<Duration.Duration>> {
    const value = this.header("retry-after")
    if (value === undefined) return Effect.succeed(Option.none())
    return Effect.map(Clock.currentTimeMillis, (now) =>
      Result.getSuccess(Headers.parseRetryAfter(value)).pipe(
        Option.map((retryAfter) => Headers.retryAfterDelay(retryAfter, now)),
        // Some hundreds of digits are more milliseconds than a number can be.
        Option.filter((wait) => Number.isFinite(Duration.toMillis(wait)))
      )
    )
  }

  #as<A>(schema: Schema.Decoder<A>) {
    return (json: unknown): Effect.Effect<A, SentOutcomeUnknown> =>
      Effect.mapError(Schema.decodeUnknownEffect(schema)(json), (error) =>
        this.#unknown({ reason: "unexpected_shape", at: places(error.issue) })
      )
  }

  #read<A>(parse: (body: Uint8Array) => A): Effect.Effect<A, SentOutcomeUnknown> {
    return Effect.suspend(() => {
      const encoding = this.header("content-encoding") ?? "identity"
      if (encoding !== "identity") return Effect.fail(this.#unknown({ reason: "unreadable" }))
      return Effect.try({ try: () => parse(this.#body), catch: () => this.#unknown({ reason: "unreadable" }) })
    })
  }

  #unknown(why: { readonly reason: SentOutcomeUnknown["reason"]; readonly at?: ReadonlyArray<string> }) {
    return new SentOutcomeUnknown({
      ...why,
      host: this.#host,
      reusedConnection: this.#reusedConnection,
      status: this.status
    })
  }
}

const utf8 = new TextDecoder("utf-8", { fatal: true })

// The third parameter is ECMAScript's "JSON.parse source text access" (Node 21 and later), not yet in TypeScript's library.
const numberText = (_key: string, value: unknown, context?: { readonly source?: string }) =>
  typeof value === "number" ? (context?.source ?? String(value)) : value

/** Where an issue lies, as paths of keys: the formatted issue would quote values of the body. */
const places = (issue: SchemaIssue.Issue, path = "$"): ReadonlyArray<string> => {
  switch (issue._tag) {
    case "Pointer":
      return places(
        issue.issue,
        issue.path.reduce((at: string, key) => `${at}.${String(key)}`, path)
      )
    case "Filter":
    case "Encoding":
      return places(issue.issue, path)
    case "Composite":
    case "AnyOf":
      return issue.issues.length === 0 ? [path] : issue.issues.flatMap((inner) => places(inner, path))
    case "OneOf":
    case "MissingKey":
    case "UnexpectedKey":
    case "InvalidType":
    case "InvalidValue":
    case "Forbidden":
      return [path]
    default:
      return issue satisfies never
  }
}
