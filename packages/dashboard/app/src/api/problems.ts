/** What a call may fail with. */
import type { components } from "./generated/ControlApi.ts"

export type Problem = components["schemas"]["Problem"]
type ProblemCode = Problem["code"]

/** The server refused the request; `problem` says why. */
export class ApiProblem extends Error {
  readonly status: number
  readonly problem: Problem
  readonly retryAfterSeconds: number | null

  constructor(status: number, problem: Problem, retryAfterSeconds: number | null) {
    super(problem.detail)
    this.name = "ApiProblem"
    this.status = status
    this.problem = problem
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/** No answer arrived. What was requested may have been done. */
export class ConnectionLost extends Error {
  constructor(options: ErrorOptions) {
    super("The connection to the server was lost.", options)
    this.name = "ConnectionLost"
  }
}

export const isProblem = (error: unknown, ...codes: ReadonlyArray<ProblemCode>): error is ApiProblem =>
  error instanceof ApiProblem && codes.includes(error.problem.code)

/** Whether the same request may succeed if it is sent again. One that was refused with 429 has been sent again: see `patiently`. */
export const isTransient = (error: unknown): boolean =>
  error instanceof ConnectionLost || (error instanceof ApiProblem && error.status >= 500)

/** The message at a field of the request, by its pointer (`/name`), or `undefined`. */
export const problemAt = (error: unknown, pointer: string): string | undefined =>
  error instanceof ApiProblem ? error.problem.errors.find((each) => each.pointer === pointer)?.message : undefined

/** The response of a refusal. A proxy in front of the server answers without a problem. */
export const problemOf = async (response: Response): Promise<ApiProblem> => {
  const retryAfter = Number(response.headers.get("retry-after") ?? Number.NaN)
  const body: unknown = await response.json().catch(() => null)
  return new ApiProblem(
    response.status,
    isProblemBody(body) ? body : unnamed(response.status),
    Number.isNaN(retryAfter) ? null : retryAfter
  )
}

const isProblemBody = (body: unknown): body is Problem =>
  typeof body === "object" && body !== null && "code" in body && "errors" in body

const unnamed = (status: number): Problem => ({
  type: "about:blank",
  code: "internal",
  status,
  title: `The server answered ${status}.`,
  detail: `The server answered ${status}, without saying why. A proxy in front of it may have sent this.`,
  errors: [],
  request_id: ""
})
