/** Everything that happened to a payment, oldest first. */
import { useInfiniteQuery } from "@tanstack/react-query"
import { ChevronRight } from "lucide-react"
import { useEffect, useRef } from "react"
import { call } from "../../../api/client.ts"
import { useTenant } from "../../../session/session.ts"
import { Button } from "../../../ui/Button.tsx"
import { Details, Section, SkeletonLines } from "../../../ui/Layout.tsx"
import { ProblemNote } from "../../../ui/Problem.tsx"
import type { Tone } from "../../../ui/Status.tsx"
import { Time } from "../../../ui/Time.tsx"
import { lineOf } from "./timelineText.tsx"
import type { TimelineItem } from "./timelineText.tsx"
import { RoutingExplanation } from "./RoutingExplanation.tsx"

const pageSize = "100"
const timelinePath = "/dashboard/api/{account}/{mode}/payments/{id}/timeline"

export const Timeline = ({ id, version }: { readonly id: string; readonly version: number }) => {
  const { data, error, fetchNextPage, hasNextPage, isFetchingNextPage, refetch } = useTimeline(id, version)
  const items = data?.pages.flatMap((page) => page.data)
  if (items === undefined) {
    return (
      <Section title="Timeline">
        {error === null ? <SkeletonLines lines={8} /> : <ProblemNote error={error} onRetry={() => void refetch()} />}
      </Section>
    )
  }
  return (
    <Section title="Timeline">
      <ol className="flex flex-col">
        {items.map((item, index) => (
          <TimelineEntry key={keyOf(item, index)} item={item} payment={id} />
        ))}
      </ol>
      {error !== null && <ProblemNote error={error} onRetry={() => void refetch()} />}
      {hasNextPage && (
        <div>
          <Button busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            Show more
          </Button>
        </div>
      )}
    </Section>
  )
}

const useTimeline = (id: string, version: number) => {
  const path = { ...useTenant(), id }
  const query = useInfiniteQuery({
    queryKey: [timelinePath, { path }],
    queryFn: async ({ pageParam, signal }) => {
      const { data } = await call.GET(timelinePath, {
        params: { path, query: { limit: pageSize, ...(pageParam !== "" && { after: pageParam }) } },
        signal
      })
      if (data === undefined) throw new Error("The timeline has no body.")
      return data
    },
    initialPageParam: "",
    getNextPageParam: ({ next }) => next
  })
  const { refetch } = query
  const shown = useRef(version)
  useEffect(() => {
    if (shown.current === version) return
    shown.current = version
    void refetch()
  }, [version, refetch])
  return query
}

/** Items are only ever added at the end, but for reports that arrive in the same millisecond. */
const keyOf = (item: TimelineItem, index: number): string => `${index} ${item.at} ${item.kind}`

const dots: { readonly [tone in Tone]: string } = {
  good: "bg-good",
  bad: "bg-bad",
  warn: "bg-warn",
  quiet: "bg-edge",
  accent: "bg-accent"
}

const TimelineEntry = ({ item, payment }: { readonly item: TimelineItem; readonly payment: string }) => {
  const { fields, label, title, tone } = lineOf(item)
  return (
    <li className="relative border-l border-line pl-5">
      <span
        aria-hidden
        className={`absolute top-3 -left-[4.5px] size-2 rounded-full ring-4 ring-canvas ${dots[tone]}`}
      />
      <details className="group rounded-md open:bg-side">
        <summary className="flex cursor-pointer list-none items-start gap-2 rounded-md px-2 py-1.5 text-sm hover:bg-hover">
          <ChevronRight size={14} aria-hidden className="mt-1 shrink-0 text-muted group-open:rotate-90" />
          <span className="flex min-w-0 flex-1 flex-wrap items-baseline gap-x-3">
            <span className="w-32 shrink-0 text-xs text-muted">{label}</span>
            <span className="min-w-0 flex-1 basis-48 break-words">
              <bdi>{title}</bdi>
            </span>
          </span>
          <span className="shrink-0 text-xs text-muted">
            <Time at={item.at} />
          </span>
        </summary>
        <div className="flex flex-col gap-3 px-8 pt-1 pb-3">
          <Details entries={fields} />
          {item.kind === "routed" && <RoutingExplanation payment={payment} />}
        </div>
      </details>
    </li>
  )
}
