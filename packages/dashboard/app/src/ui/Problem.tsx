/** What went wrong, calmly: what is known, and what can be done. */
import type { ReactNode } from "react"
import { ApiProblem, ConnectionLost, isProblem } from "../api/problems.ts"
import { Button } from "./Button.tsx"

interface ProblemNoteProps {
  readonly error: unknown
  /** Of a read: sends it again. */
  readonly onRetry?: () => void
  /** Of an action: whether it acts once however often it is sent. Default: it does not. */
  readonly repeatable?: boolean
}

export const ProblemNote = ({ error, onRetry, repeatable = false }: ProblemNoteProps) => (
  <Note tone="bad" role="alert">
    <p className="font-medium">{titleOf(error, onRetry !== undefined)}</p>
    <p>{detailOf(error, onRetry !== undefined, repeatable)}</p>
    {error instanceof ApiProblem && error.problem.errors.length > 0 && (
      <ul className="list-disc pl-5">
        {error.problem.errors.slice(0, 10).map(({ message, pointer }) => (
          <li key={`${pointer} ${message}`}>
            <code className="text-xs break-all">{pointer}</code> {message}
          </li>
        ))}
      </ul>
    )}
    {error instanceof ApiProblem && error.problem.request_id !== "" && (
      <p className="text-xs">
        Request <code className="break-all">{error.problem.request_id}</code>
      </p>
    )}
    {onRetry !== undefined && <Button onClick={onRetry}>Try again</Button>}
  </Note>
)

const titleOf = (error: unknown, isRead: boolean): string => {
  if (isRead && isProblem(error, "rate_limited")) return "The server is busy"
  if (error instanceof ApiProblem) return error.problem.title
  return error instanceof ConnectionLost ? "Connection lost" : "This page has a fault"
}

const detailOf = (error: unknown, isRead: boolean, repeatable: boolean): string => {
  if (isRead && isProblem(error, "rate_limited"))
    return "This page could not be loaded, because payments have priority."
  if (error instanceof ApiProblem) return error.problem.detail
  if (!(error instanceof ConnectionLost)) return error instanceof Error ? error.message : String(error)
  if (isRead) return "The server does not answer. The page continues when it is back."
  return repeatable
    ? "No answer arrived, so the outcome is unknown. Send it again: it acts once."
    : "No answer arrived, so the outcome is unknown. Reload before you try again."
}

const tones = {
  bad: "border-bad/40 bg-bad-soft text-bad",
  warn: "border-warn/40 bg-warn-soft text-warn",
  good: "border-good/40 bg-good-soft text-good",
  info: "border-line bg-side text-ink"
} as const

interface NoteProps {
  readonly tone: keyof typeof tones
  readonly children: ReactNode
  readonly role?: "alert" | "status"
}

export const Note = ({ children, role, tone }: NoteProps) => (
  <div role={role} className={`flex flex-col items-start gap-2 rounded-lg border px-3 py-2.5 text-sm ${tones[tone]}`}>
    {children}
  </div>
)
