import type { Schemas } from "../../api/client.ts"
import type { Column } from "../../lists/List.tsx"
import { TenantLink } from "../../session/TenantLink.tsx"
import { Foreign } from "../../ui/Layout.tsx"
import { decimalText } from "../../ui/numbers.ts"
import { Status } from "../../ui/Status.tsx"
import type { Tone } from "../../ui/Status.tsx"
import { Time } from "../../ui/Time.tsx"

export type LoggedRequest = Schemas["LoggedRequest"]

export const requestPath = ({ id }: LoggedRequest): string => `requests/${encodeURIComponent(id)}`

const toneOf = (status: number): Tone => {
  if (status >= 500) return "bad"
  return status >= 400 ? "warn" : "good"
}

export const HttpStatus = ({ status }: { readonly status: number }) => (
  <span className="numbers">
    <Status tone={toneOf(status)} word={String(status)} />
  </span>
)

export const durationText = (ms: number | string): string => `${decimalText(Number(ms), Number(ms) < 10 ? 1 : 0)} ms`

const replayedText = "Replayed"

/** `nameOf`: of an API key. */
export const requestColumns = (nameOf: (keyId: string) => string): ReadonlyArray<Column<LoggedRequest>> => [
  { title: "Status", cell: ({ status }) => <HttpStatus status={status} /> },
  {
    title: "Request",
    cell: (request) => (
      <TenantLink path={requestPath(request)} className="font-mono text-xs hover:underline">
        <span className="font-semibold">{request.method}</span> <Foreign text={request.path} />
      </TenantLink>
    )
  },
  {
    title: "Problem",
    cell: ({ problem, replayed }) => (
      <span className="text-muted">{problem === null ? (replayed ? replayedText : "–") : problem}</span>
    ),
    hideBelow: "sm"
  },
  {
    title: "Key",
    cell: ({ keyId }) => (
      <span className="block truncate">
        <Foreign text={nameOf(keyId)} />
      </span>
    ),
    hideBelow: "lg"
  },
  {
    title: "Duration",
    align: "right",
    cell: ({ durationMs }) => <span className="numbers whitespace-nowrap">{durationText(durationMs)}</span>,
    hideBelow: "md"
  },
  { title: "Time", align: "right", cell: ({ at }) => <Time at={at} /> }
]
