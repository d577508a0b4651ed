/** The stored form of a request: its kind, which it shares with other requests, and its own row. */
import { redactText } from "@paymux/core/telemetry"
import { problem } from "../problems/Problem.ts"
import { documentedFields, maskedBody } from "./maskedBody.ts"
import type { NotedProblem, RequestNote } from "../request/RequestNote.ts"

/** A request and the result of its response, without the note of the request. */
export interface AnsweredRequest {
  readonly method: string
  /** The pattern of the route: `/v1/payments/:id`. */
  readonly route: string
  /** The path and the query of the request, without the base path. */
  readonly url: string
  readonly status: number
  readonly microseconds: number
  /** The `Location` header of the response: the path of the object that the request created. */
  readonly location: string | undefined
  readonly replayed: boolean
}

/**
 * The columns that many requests share. They are in a row of their own, which keeps the rows of requests short, and one
 * index serves all filters. `problem`: the code of the problem; empty: no problem.
 */
export const kindOf = ({ principal, problem }: LoggedNote, { method, replayed, route, status }: AnsweredRequest) => ({
  account: principal.account,
  livemode: principal.livemode,
  key_id: principal.keyId,
  method,
  status,
  problem: problem?.code ?? "",
  replayed,
  route
})

export type RequestKind = ReturnType<typeof kindOf>

/** The note of a request that was authenticated. */
export type LoggedNote = RequestNote & { readonly principal: NonNullable<RequestNote["principal"]> }

/**
 * The values of a row after its kind: id, microseconds, payment, refund, and the JSON of the request and of the
 * response.
 */
export const rowOf = (note: LoggedNote, { location, microseconds, url }: AnsweredRequest) => {
  // Ids are taken only from well-formed paths. A malformed id may contain any data of the client, so it is not stored.
  const addresses = `${url.split("?", 1)[0]} ${location ?? ""}`
  return [
    note.id,
    microseconds,
    note.paymentId ?? paymentIn.exec(addresses)?.[1] ?? null,
    refundIn.exec(addresses)?.[1] ?? null,
    note.body === undefined ? null : maskedBody(JSON.parse(decoder.decode(note.body))),
    note.problem === null ? null : shownProblem(note.problem)
  ]
}

const decoder = new TextDecoder()

/** The pattern of ids in a path, in the format of `isPaymentId` and `isRefundId` of core. */
const paymentIn = /\/payments\/(pay_[0-7][0-9a-hjkmnp-tv-z]{25}(?:_[a-z][0-9a-z]{0,7})?)(?![^/?# ])/
const refundIn = /\/refunds\/(re_[0-7][0-9a-hjkmnp-tv-z]{25}(?:_[a-z][0-9a-z]{0,7})?)(?![^/?# ])/

/**
 * Serializes a problem as stored in the log. Successful responses are not stored, because they are payments or refunds,
 * whose data is stored anyway.
 */
const shownProblem = (noted: NotedProblem): string => {
  const { code, detail, errors } = problem(noted.code, { ...noted, requestId: "" })
  return JSON.stringify({
    code,
    detail,
    errors: errors.map(({ message, pointer }) => ({ pointer: shownPointer(pointer), message }))
  })
}

/** Masks names in the JSON pointer of a fault: every name that may be a misplaced value, and all names in metadata. */
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
