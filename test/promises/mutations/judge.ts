/** What is wrong with an answer, whatever was asked; nothing: `null`. */
import { problemCodes } from "@paymux/http"
import type { Reply } from "./Wire.ts"

const codes: ReadonlySet<unknown> = new Set(problemCodes)
const members = ["code", "detail", "errors", "request_id", "status", "title", "type"]
/** Where the key stands for another request. */
const reusedMembers = [...members, "payment_id"].sort()

/** Shoppers are shown pages, not problems. */
const isPage = (target: string): boolean => /^\/(?:return|sandbox\/pay)\//.test(target)

export const faultOf = ({ body, headers, status }: Reply, method: string, target: string): string | null => {
  if (!(status >= 200 && status < 500)) return `answered ${status}: ${body}`
  if (status < 400 || (isPage(target) && headers["content-type"]?.startsWith("text/html"))) return null
  if (headers["content-type"] !== "application/problem+json") return `${status} as ${headers["content-type"]}: ${body}`
  if (headers["cache-control"] !== "no-store") return `${status} may be kept by a cache`
  if (headers["idempotent-replayed"] !== undefined) return `${status} says that it is a replay`
  return headerFault(status, headers) ?? (method === "HEAD" ? null : bodyFault(body, status, headers))
}

const headerFault = (status: number, headers: Reply["headers"]): string | null => {
  if (status === 401 && headers["www-authenticate"] !== "Bearer") return "401 without WWW-Authenticate"
  if (status === 405 && headers["allow"] === undefined) return "405 without Allow"
  if (status === 429 && !/^[1-9]\d*$/.test(headers["retry-after"] ?? "")) return "429 without Retry-After"
  return null
}

const bodyFault = (body: string, status: number, headers: Reply["headers"]): string | null => {
  const problem = parsed(body)
  if (problem === null) return `${status} is no JSON: ${body}`
  const names = Object.keys(problem).filter((name) => name !== "trace_id")
  const expected = problem.code === "idempotency_key_reused" ? reusedMembers : members
  if (names.sort().join() !== expected.join()) return `${status} has the members ${names.join()}`
  const { code = "", detail, errors, request_id: id, title, type } = problem
  if (!codes.has(code) || type !== `/docs/problems/${code}`) return `${status} is of no known type: ${body}`
  if (problem["status"] !== status) return `${status} says ${String(problem["status"])}`
  if (typeof title !== "string" || typeof detail !== "string") return `${status} has no words: ${body}`
  if (!Array.isArray(errors) || !errors.every(isIssue)) return `${status} has strange errors: ${body}`
  if (headers["request-id"] !== undefined && headers["request-id"] !== id) return `${status} has two ids`
  return code.endsWith("_in_flight") && headers["retry-after"] === undefined ? `${code} without Retry-After` : null
}

interface Members {
  readonly [name: string]: unknown
  readonly code?: string
}

const parsed = (text: string): Members | null => {
  try {
    const value: unknown = JSON.parse(text)
    // Boundary: each member is looked at before it is used, `code` against the table.
    return typeof value === "object" && value !== null ? (value as Members) : null
  } catch {
    return null
  }
}

const isIssue = (issue: unknown): boolean => {
  if (typeof issue !== "object" || issue === null) return false
  const { message, pointer, ...others } = Object.fromEntries(Object.entries(issue))
  return typeof pointer === "string" && typeof message === "string" && Object.keys(others).length === 0
}
