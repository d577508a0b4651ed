import { ExternalLink } from "lucide-react"
import type { Schemas } from "../../../api/client.ts"
import { serverUrl } from "../../../place.ts"
import { TenantLink } from "../../../session/TenantLink.tsx"
import { useTenant } from "../../../session/session.ts"
import { Id } from "../../../ui/Copy.tsx"
import { Details } from "../../../ui/Layout.tsx"
import { Money } from "../../../ui/Money.tsx"
import { Status, wordOf } from "../../../ui/Status.tsx"
import { Time } from "../../../ui/Time.tsx"
import { Waiting } from "./Step.tsx"

type Payment = Schemas["Payment"]

interface PaidStepProps {
  /** The newest. */
  readonly payment: Payment | null
  /** The newest that was paid. */
  readonly paid: Payment | null
}

export const PaidStep = ({ paid, payment }: PaidStepProps) => {
  const { mode } = useTenant()
  const shown = paid ?? payment
  if (shown === null) return <p className="text-muted">The payment appears here as soon as it arrives.</p>
  const isOpen = shown.status === "pending"
  return (
    <>
      <Details
        entries={[
          ["Payment", <Id key="id" id={shown.id} />],
          ["Amount", <Money key="amount" amount={shown.amount} currency={shown.currency} />],
          ["Status", <Status key="status" word={shown.status} />],
          ...(shown.failure === null ? [] : [["Failure", wordOf(shown.failure.code)] as const]),
          ["Created", <Time key="created" at={shown.created_at} />]
        ]}
      />
      <p className="flex flex-wrap items-center gap-x-4 gap-y-1">
        {isOpen && isOwnPage(shown.hosted_url) && (
          <a
            href={shown.hosted_url ?? undefined}
            target="_blank"
            rel="noreferrer"
            className="inline-flex items-center gap-1 font-medium text-accent hover:underline"
          >
            {mode === "test" ? "Open its payment page and approve it" : "Open its payment page"}
            <ExternalLink size={13} aria-hidden />
            <span className="sr-only">(in a new tab)</span>
          </a>
        )}
        <TenantLink path={`payments/${encodeURIComponent(shown.id)}`}>See all of the payment</TenantLink>
      </p>
      {isOpen && (
        <Waiting>
          {mode === "test"
            ? "Waiting for the payer. A simulated payer may approve without you, within seconds."
            : "Waiting for the payer …"}
        </Waiting>
      )}
      {(shown.status === "failed" || shown.status === "canceled") && (
        <p className="text-muted">This payment was not paid. Send the request again.</p>
      )}
    </>
  )
}

/** The page is one of this server, or of the address that providers reach it by. */
const isOwnPage = (url: string | null): boolean =>
  url !== null && (url.startsWith("https://") || url.startsWith(`${serverUrl}/`))
