/**
 * One table of a vendor's error codes, and the one reader that turns an HTTP answer into an outcome by it.
 *
 * Codes decide, whatever 4xx status carries them, because few vendors publish the status of a code. A code that is not in the table
 * means what its status means (`HttpOutcome.ofStatus`). After a 5xx it is not known what was done before, whatever its code.
 *
 * A code belongs in one class only; `table` throws for one that stands in two.
 *
 * @example
 * ```ts
 * import { Codes, HttpOutcome, type ProviderHttp } from "@paymux/provider-kit"
 * import { Effect, Schema } from "effect"
 *
 * export const codes = Codes.table({
 *   declined: { card_declined: { code: "generic_decline", retry: "same_later" } },
 *   duplicate: ["order_exists"],
 *   accountNotEnabled: {
 *     feature_not_enabled: {
 *       about: "kind",
 *       help: "Ask Acme to enable direct payments for your account.",
 *       source: "Acme API reference, Errors: the request is rejected before a payment is made"
 *     }
 *   },
 *   credentials: ["account_closed"]
 * })
 *
 * const ErrorBody = Schema.Struct({ code: Schema.String })
 *
 * export const errorOutcome = (answer: ProviderHttp.Answer) =>
 *   Effect.flatMap(Effect.option(answer.decode(ErrorBody)), (body) =>
 *     Codes.outcome(codes, answer, body._tag === "Some" ? [body.value.code] : [])
 *   )
 * ```
 */
import {
  type AccountNotEnabled,
  accountNotEnabled,
  type DeclineCode,
  invalidRequest,
  misconfigured,
  Outcome,
  type ProviderError,
  type RetryClass
} from "@paymux/core"
import * as Effect from "effect/Effect"
import type { Answer } from "./HttpAnswer.ts"
import { ofStatus } from "./HttpOutcome.ts"

/** A code that says why the payment was refused. */
export interface Decline {
  readonly code: DeclineCode
  readonly retry: RetryClass
}

/** A code that says that the account may not take the payment. It is proof that nothing was done. */
export interface AccountFault {
  /** What is refused: see `AccountNotEnabled`. */
  readonly about: AccountNotEnabled["about"]
  /** One sentence that says what an operator does about it. */
  readonly help: string
  /** The vendor's document, or the report, that shows that nothing was done. */
  readonly source: string
}

/** The classes of a vendor's codes. An absent class has no code. */
export interface Definition {
  /** The payment was refused, and nothing was taken. Also codes that only a payment object or a webhook has. */
  readonly declined?: { readonly [code: string]: Decline }
  /** Nothing is decided yet: the outcome is unknown (`in_progress`). */
  readonly undecided?: ReadonlyArray<string>
  /** There was such a request before: the outcome of the first is unknown (`duplicate`). */
  readonly duplicate?: ReadonlyArray<string>
  /** The account may not take this kind of payment: the next provider is tried. */
  readonly accountNotEnabled?: { readonly [code: string]: AccountFault }
  /** The credentials are refused, or the account is closed or not active. */
  readonly credentials?: ReadonlyArray<string>
  /** The request is invalid, at every provider. */
  readonly request?: ReadonlyArray<string>
}

/** What one code means. */
export type Meaning =
  | ({ readonly class: "declined" } & Decline)
  | { readonly class: "undecided" | "duplicate" | "credentials" | "request" }
  | ({ readonly class: "account_not_enabled" } & AccountFault)

/** Made by `table`. */
export interface Table {
  readonly meanings: ReadonlyMap<string, Meaning>
}

/** Throws a `TypeError` for a code that stands in two classes. */
export const table = (definition: Definition): Table => {
  const rows: ReadonlyArray<readonly [string, Meaning]> = [
    ...entries(definition.declined).map(([code, decline]) => [code, { class: "declined", ...decline }] as const),
    ...entries(definition.accountNotEnabled).map(
      ([code, fault]) => [code, { class: "account_not_enabled", ...fault }] as const
    ),
    ...(["undecided", "duplicate", "credentials", "request"] as const).flatMap((each) =>
      (definition[each] ?? []).map((code) => [code, { class: each }] as const)
    )
  ]
  const meanings = new Map(rows)
  const twice = rows.find(([code, meaning]) => meanings.get(code) !== meaning)
  if (twice !== undefined) throw new TypeError(`The code "${twice[0]}" stands twice in a table of vendor codes.`)
  return { meanings }
}

/** The same table for requests that decline no payment, such as captures and inquiries: their declines mean nothing. */
export const withoutDeclines = ({ meanings }: Table): Table => ({
  meanings: new Map([...meanings].filter(([, meaning]) => meaning.class !== "declined"))
})

/** What the code means; `null`: it is not in the table. */
export const meaningOf = ({ meanings }: Table, code: string | null | undefined): Meaning | null =>
  code === null || code === undefined ? null : (meanings.get(code) ?? null)

/** The decline that the code stands for, as an outcome with the code; `null`: it is not a decline. */
export const declinedBy = (
  codes: Table,
  vendorCode: string | null | undefined,
  details: Pick<Outcome.Details, "reference"> = {}
): Outcome.Declined | null => {
  const meaning = meaningOf(codes, vendorCode)
  if (meaning?.class !== "declined" || vendorCode === null || vendorCode === undefined) return null
  return Outcome.declined({ code: meaning.code, retry: meaning.retry, vendorCode, ...details })
}

/** For `Capabilities.accountHelp`: what an operator does about each code. */
export const accountHelp = ({ meanings }: Table): { readonly [code: string]: string } =>
  Object.fromEntries(
    [...meanings].flatMap(([code, meaning]) => (meaning.class === "account_not_enabled" ? [[code, meaning.help]] : []))
  )

/**
 * What an answer that is no success means. `found`: the codes of its body, the most specific first; the first one that the
 * table knows decides. The first one is also the `vendorCode` if none is known: leave out what is not a short code.
 */
export const outcome = (
  codes: Table,
  answer: Answer,
  found: ReadonlyArray<string | null | undefined>,
  details: Pick<Outcome.Details, "reference"> = {}
): Effect.Effect<Outcome.Declined | Outcome.Unknown, ProviderError> => {
  const given = found.filter((code) => typeof code === "string")
  const known = isRefusal(answer) ? given.find((code) => codes.meanings.has(code)) : undefined
  const meaning = meaningOf(codes, known)
  return known === undefined || meaning === null ? ofStatus(answer, given[0]) : outcomeOf(meaning, known, details)
}

/** 429 is about the number of requests, whatever its code. */
const isRefusal = ({ status }: Answer): boolean => status >= 400 && status < 500 && status !== 429

const outcomeOf = (
  meaning: Meaning,
  vendorCode: string,
  details: Pick<Outcome.Details, "reference">
): Effect.Effect<Outcome.Declined | Outcome.Unknown, ProviderError> => {
  switch (meaning.class) {
    case "declined":
      return Effect.succeed(Outcome.declined({ code: meaning.code, retry: meaning.retry, vendorCode, ...details }))
    case "undecided":
      return Effect.succeed(Outcome.unknown({ reason: "in_progress", vendorCode, ...details }))
    case "duplicate":
      return Effect.succeed(Outcome.unknown({ reason: "duplicate", vendorCode, ...details }))
    case "account_not_enabled":
      return Effect.fail(accountNotEnabled(vendorCode, meaning.about))
    case "credentials":
      return Effect.fail(misconfigured(vendorCode))
    case "request":
      return Effect.fail(invalidRequest(vendorCode))
  }
}

const entries = <A>(of: { readonly [code: string]: A } | undefined): ReadonlyArray<readonly [string, A]> =>
  Object.entries(of ?? {})
