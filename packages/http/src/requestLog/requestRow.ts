/** A logged request as it is stored: what it has in common with many others, and its own row. */
import type { Tenant } from "@paymux/core"
import { redactText } from "@paymux/core/telemetry"
import { problem } from "../problems/Problem.ts"
import { documentedFields, maskedBody } from "./maskedBody.ts"
import type { NotedProblem, RequestNote } from "../request/RequestNote.ts"

/** How a request was answered, beside what was noted of it. */
export interface AnsweredRequest {
  readonly method: string
  /** As the router has it: `/v1/payments/:id`. */
  readonly route: string
  /** As it was sent: without the base path, with the query. */
  readonly url: string
  readonly status: number
  readonly microseconds: number
  /** Of what was created. */
  readonly location: string | undefined
  readonly replayed: boolean
}

/**
 * What many requests have in common. It is a row of its own, to which theirs refer: so they are short, and one index serves
 * every filter.
 */
export interface RequestKind extends Tenant {
  readonly keyId: string
  readonly method: string
  readonly route: string
  readonly status: number
  /** The code of the problem; empty: none. */
  readonly problem: string
  readonly replayed: boolean
}

export const kindOf = ({ principal, problem }: LoggedNote, answered: AnsweredRequest): RequestKind => ({
  account: principal.account,
  livemode: principal.livemode,
  keyId: principal.keyId,
  method: answered.method,
  route: answered.route,
  status: answered.status,
  problem: problem?.code ?? "",
  replayed: answered.replayed
})

/** Of an authenticated request. */
export type LoggedNote = RequestNote & { readonly principal: NonNullable<RequestNote["principal"]> }

export interface RequestRow {
  readonly id: string
  readonly microseconds: number
  readonly payment: string | null
  readonly refund: string | null
  /** JSON. */
  readonly request: string | null
  /** JSON. */
  readonly response: string | null
}

export const rowOf = (note: LoggedNote, { location, microseconds, url }: AnsweredRequest): RequestRow => {
  // An id of another form may be anything that a client put there, so it is not kept.
  const addresses = `${withoutQuery(url)} ${location ?? ""}`
  return {
    id: note.id,
    microseconds,
    payment: note.paymentId ?? paymentIn.exec(addresses)?.[1] ?? null,
    refund: refundIn.exec(addresses)?.[1] ?? null,
    request: note.body === undefined ? null : maskedBody(JSON.parse(decoder.decode(note.body))),
    response: note.problem === null ? null : shownProblem(note.problem)
  }
}

const decoder = new TextDecoder()

const withoutQuery = (url: string): string => (url.includes("?") ? url.slice(0, url.indexOf("?")) : url)

/** As `isPaymentId` and `isRefundId` of core, in a path. */
const paymentIn = /\/payments\/(pay_[0-7][0-9a-hjkmnp-tv-z]{25}(?:_[a-z][0-9a-z]{0,7})?)(?![^/?# ])/
const refundIn = /\/refunds\/(re_[0-7][0-9a-hjkmnp-tv-z]{25}(?:_[a-z][0-9a-z]{0,7})?)(?![^/?# ])/

/** Only of a problem. Another response is the payment or refund itself, which is kept with all its events. */
const shownProblem = (noted: NotedProblem): string => {
  const { code, detail, errors } = problem(noted.code, { ...noted, requestId: "" })
  return JSON.stringify({
    code,
    detail,
    errors: errors.map(({ message, pointer }) => ({ pointer: shownPointer(pointer), message }))
  })
}

/**
 * Says which field was unknown. Names are the integration's words: a value that stands in place of one is masked, and so are
 * all names in metadata.
 */
const shownPointer = (pointer: string): string => {
  const [own = "", inMetadata] = pointer.split(/(?<=\/metadata)\//, 2)
  const names = own.split("/").map((name) => (isShown(name) ? name : "[name]"))
  return [...names, ...(inMetadata === undefined ? [] : ["[name]"])].join("/")
}

const isShown = (name: string): boolean =>
  documentedFields.has(name) ||
  name === "" ||
  /^\d{1,4}$/.test(name) ||
  (/^[A-Za-z][A-Za-z0-9_.-]{0,39}$/.test(name) && !/\d{5}/.test(name) && redactText(name) === name)
