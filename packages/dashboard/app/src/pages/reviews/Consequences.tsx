/** What follows from a resolution, as the server derives it from the change that it would write. */
import type { ReactNode } from "react"
import { Foreign } from "../../ui/Layout.tsx"
import { amountText } from "../../ui/amounts.ts"
import { wordOf } from "../../ui/Status.tsx"
import { Time } from "../../ui/Time.tsx"
import type { Consequences } from "./reviewWords.ts"

export const ConsequenceList = ({ consequences }: { readonly consequences: Consequences }) => {
  const { automatic, currency, events, opened, operations, status } = consequences
  return (
    <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1.5 text-sm">
      <Line title="Payment status">
        {status.before === status.after
          ? `Stays ${wordOf(status.after).toLowerCase()}`
          : `${wordOf(status.before)} → ${wordOf(status.after).toLowerCase()}`}
      </Line>
      {amountLines(consequences).map(([title, text]) => (
        <Line key={title} title={title}>
          {text}
        </Line>
      ))}
      <Line title="Events sent">
        {events.length === 0
          ? "None"
          : events.map((type) => (
              <code key={type} className="block text-xs leading-5 break-all">
                {type}
              </code>
            ))}
      </Line>
      {operations.map(({ amount, id, kind, provider, status: its }) => (
        <Line key={id} title={wordOf(kind)}>
          {money(amount, currency)} at <Foreign text={provider} />: {wordOf(its.before).toLowerCase()} →{" "}
          {wordOf(its.after).toLowerCase()}
        </Line>
      ))}
      {opened.map(({ amount, currency: its, reason, review }) => (
        <Line key={review} title="Review opens">
          {wordOf(reason)}, {money(amount, its)}
        </Line>
      ))}
      {automatic.map(({ action, amount, at, provider }) => (
        <Line key={`${action} ${provider} ${at}`} title="Automatic">
          {action === "inquire" ? "Inquiry" : `${wordOf(action)} of ${money(amount, currency)}`} at{" "}
          <Foreign text={provider} />
          {at === null ? (
            ", with its next report, if it supports that"
          ) : (
            <>
              , <Time at={at} />
            </>
          )}
        </Line>
      ))}
    </dl>
  )
}

const Line = ({ children, title }: { readonly title: string; readonly children: ReactNode }) => (
  <>
    <dt className="text-muted">{title}</dt>
    <dd className="min-w-0">{children}</dd>
  </>
)

const money = (amount: number, currency: string): string => `${amountText(amount, currency)} ${currency}`

const amountLines = ({ amount, captured, currency, overpaid, received, refunded }: Consequences) => [
  ["Requested", money(amount, currency)] as const,
  ...(
    [
      ["Captured", captured],
      ["Refunded", refunded],
      ["In excess", overpaid]
    ] as const
  ).flatMap(([title, { after, before }]) =>
    before === after ? [] : [[title, `${money(before, currency)} → ${money(after, currency)}`] as const]
  ),
  ...(received === null ? [] : [["Received", money(received, currency)] as const])
]
