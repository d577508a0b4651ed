/** Switches of account and mode. Always visible, because actions apply there. */
import { useNavigate } from "@tanstack/react-router"
import { Check, ChevronsUpDown } from "lucide-react"
import { useSession, useTenant } from "../session/session.ts"
import type { Tenant } from "../session/session.ts"
import { Refused } from "../ui/Button.tsx"
import { Menu, MenuItem } from "../ui/Menu.tsx"

/** Leads to the home page: an object of one account does not exist in another. */
const useSwitchTo = () => {
  const navigate = useNavigate()
  return ({ account, mode }: Tenant) => void navigate({ to: "/$account/$mode", params: { account, mode } })
}

export const AccountSwitch = () => {
  const { accounts } = useSession()
  const tenant = useTenant()
  const switchTo = useSwitchTo()
  const names = [...new Set(accounts.map(({ account }) => account))]
  const modeOf = (account: string) =>
    accounts.find((each) => each.account === account && each.mode === tenant.mode)?.mode ?? "test"
  if (names.length < 2) return <p className="truncate px-2 font-semibold">{tenant.account}</p>
  return (
    <Menu
      label="Accounts"
      align="start"
      trigger={
        <button
          type="button"
          aria-label={`Account ${tenant.account}: switch`}
          className="flex w-full min-w-0 items-center justify-between gap-1 rounded-md px-2 py-1 font-semibold hover:bg-hover"
        >
          <span className="truncate">{tenant.account}</span>
          <ChevronsUpDown size={14} aria-hidden className="shrink-0 text-muted" />
        </button>
      }
    >
      {names.map((account) => (
        <MenuItem key={account} onSelect={() => switchTo({ account, mode: modeOf(account) })}>
          <Check size={14} aria-hidden className={account === tenant.account ? "" : "invisible"} />
          {account}
        </MenuItem>
      ))}
    </Menu>
  )
}

export const ModeSwitch = () => {
  const { accounts, needsTotp } = useSession()
  const tenant = useTenant()
  const switchTo = useSwitchTo()
  const closed = (mode: "test" | "live") =>
    mode === "live" && needsTotp
      ? "Set up two-factor authentication to open live mode."
      : `You have no access to ${mode} mode of this account.`
  const modes = accounts.filter(({ account }) => account === tenant.account).map(({ mode }) => mode)
  return (
    <div role="group" aria-label="Mode" className="flex rounded-md border border-line bg-canvas p-0.5 text-xs">
      {(["test", "live"] as const).map((mode) => {
        const isOpen = modes.includes(mode)
        const button = (
          <button
            type="button"
            aria-pressed={mode === tenant.mode}
            aria-disabled={!isOpen || undefined}
            onClick={() => isOpen && switchTo({ account: tenant.account, mode })}
            className={`flex-1 rounded px-2 py-1 font-medium aria-disabled:cursor-not-allowed aria-disabled:opacity-50 ${selected(mode, mode === tenant.mode)}`}
          >
            {mode === "live" ? "Live" : "Test"}
          </button>
        )
        return (
          <Refused key={mode} refusal={isOpen ? null : closed(mode)}>
            {button}
          </Refused>
        )
      })}
    </div>
  )
}

const selected = (mode: "test" | "live", isSelected: boolean): string => {
  if (!isSelected) return "text-muted hover:text-ink"
  return mode === "live" ? "bg-warn-soft text-live" : "bg-accent-soft text-accent"
}
