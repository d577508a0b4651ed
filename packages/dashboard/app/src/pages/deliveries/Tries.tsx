import { useGet } from "../../api/client.ts"
import type { Schemas } from "../../api/client.ts"
import { useTenant } from "../../session/session.ts"
import { Card, Empty, Foreign, Section, Skeleton } from "../../ui/Layout.tsx"
import { ProblemNote } from "../../ui/Problem.tsx"
import { Status } from "../../ui/Status.tsx"
import { Time } from "../../ui/Time.tsx"
import type { Delivery } from "./deliveryColumns.tsx"
import { Answer, resultText } from "./deliveryResult.tsx"

type Attempt = Schemas["WebhookAttempt"]

export const Tries = ({ delivery }: { readonly delivery: Delivery }) => {
  const { data, error, refetch } = useGet(
    "/dashboard/api/{account}/{mode}/events/{id}/attempts",
    { path: { ...useTenant(), id: delivery.eventId }, query: { endpointId: delivery.endpointId } },
    { refetchInterval: 3_000 }
  )
  return (
    <Section title="Tries" description="Latest first, with the beginning of each response as text.">
      {data === undefined &&
        (error === null ? (
          <TriesSkeleton count={delivery.attempts} />
        ) : (
          <ProblemNote error={error} onRetry={() => void refetch()} />
        ))}
      {data?.data.length === 0 && (
        <Empty title="No try yet">
          <p>{delivery.status === "pending" ? "It is sent in a moment." : "It ended before anything was sent."}</p>
        </Empty>
      )}
      {data !== undefined && data.data.length > 0 && (
        <ol aria-label="Tries" className="flex flex-col gap-3">
          {data.data.toReversed().map((attempt) => (
            <li key={attempt.attempt}>
              <Try attempt={attempt} />
            </li>
          ))}
        </ol>
      )}
    </Section>
  )
}

/** As high as what comes, so that the request below stays where it is. */
const TriesSkeleton = ({ count }: { readonly count: number }) => (
  <div role="status" aria-label="Loading" className="flex flex-col gap-3">
    {Array.from({ length: Math.max(1, count) }, (_, line) => (
      <Skeleton key={line} className="h-32 w-full" />
    ))}
  </div>
)

const Try = ({ attempt: { answer, attempt, duration, endedAt, error, status } }: { readonly attempt: Attempt }) => {
  const isAccepted = error === null && status !== null && status >= 200 && status < 300
  return (
    <Card>
      <div className="flex flex-wrap items-baseline gap-x-4 gap-y-1 pb-2 text-sm">
        <h3 className="font-medium">Try {attempt}</h3>
        <Status word={isAccepted ? "delivered" : "failed"} />
        <Foreign text={resultText({ status, error }) ?? "No response"} />
        <span className="ml-auto flex gap-4 text-muted">
          <span className="numbers">{duration} ms</span>
          <Time at={endedAt} />
        </span>
      </div>
      {status === null ? <p className="text-sm text-muted">No response.</p> : <Answer text={answer} />}
    </Card>
  )
}
