/** Opens a payout by its id: the statements of some providers name payouts, and do not contain the transfers. */
import { useNavigate } from "@tanstack/react-router"
import type { FormEvent } from "react"
import { tenantPath, useTenant } from "../../session/session.ts"
import { Button } from "../../ui/Button.tsx"
import { Field, Input } from "../../ui/Field.tsx"

interface FindPayoutProps {
  /** Below the account and mode: where a payout is shown. */
  readonly path: string
}

export const FindPayout = ({ path }: FindPayoutProps) => {
  const tenant = useTenant()
  const navigate = useNavigate()
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const payout = new FormData(event.currentTarget).get("payout")
    if (typeof payout !== "string" || payout.trim() === "") return
    void navigate({ to: tenantPath(tenant, path), search: { payout: payout.trim() } })
  }
  return (
    <form onSubmit={submit} className="flex flex-wrap items-end gap-2">
      <Field label="Payout id" className="min-w-56">
        <Input name="payout" required maxLength={512} autoComplete="off" />
      </Field>
      <Button type="submit">Open payout</Button>
    </form>
  )
}
