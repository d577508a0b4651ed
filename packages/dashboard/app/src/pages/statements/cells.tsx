/** What the tables of statements show in their cells. */
import { Link } from "@tanstack/react-router"
import type { ReactNode } from "react"
import { tenantPath, useTenant } from "../../session/session.ts"
import { Foreign } from "../../ui/Layout.tsx"
import { Money } from "../../ui/Money.tsx"
import type { Difference, Movement } from "./statementWords.ts"

export const Dash = () => <span className="text-muted">–</span>

export const MoneyOrDash = ({ money }: { readonly money: Movement["fee"] }) =>
  money === null ? <Dash /> : <Money amount={money.minorUnits} currency={money.currency} />

/** What left the account has a minus. */
export const SignedMoney = ({ amount, direction }: Pick<Movement, "amount" | "direction">) => (
  <Money amount={direction === "out" ? -amount.minorUnits : amount.minorUnits} currency={amount.currency} />
)

/** What the movement added to the balance, or took from it. */
export const NetMoney = ({ movement }: { readonly movement: Movement }) => {
  const { amount, direction, fee, net } = movement
  if (net === null) return <Dash />
  // Net amounts have no sign. A fee above the amount reverses the direction, as does a larger fee that is given back (negative).
  const isTurned =
    fee !== null &&
    fee.currency === amount.currency &&
    net.currency === amount.currency &&
    (direction === "in" ? fee.minorUnits : -fee.minorUnits) - amount.minorUnits === net.minorUnits
  const turned = direction === "in" ? "out" : "in"
  return <SignedMoney amount={net} direction={isTurned ? turned : direction} />
}

interface AccountLinkProps extends Pick<Difference, "account"> {
  /** Below the account and mode. */
  readonly path: string
  readonly children: ReactNode
}

/** A link to a page of the account that has the payment, which may be another one than that of the address. */
export const AccountLink = ({ account, children, path }: AccountLinkProps) => {
  const tenant = useTenant()
  return (
    <Link
      to={tenantPath({ ...tenant, account: account ?? tenant.account }, path)}
      search={{}}
      className="font-medium text-accent hover:underline"
    >
      {children}
    </Link>
  )
}

export const PaymentOf = ({ account, paymentId }: Pick<Difference, "account" | "paymentId">) => {
  const tenant = useTenant()
  if (paymentId === null) return <Dash />
  const id = (
    <code className="block truncate font-mono text-xs max-[1400px]:max-w-32 max-sm:max-w-20" title={paymentId}>
      {paymentId}
    </code>
  )
  // It is not in the database.
  if (account === null) return id
  return (
    <>
      <AccountLink account={account} path={`payments/${encodeURIComponent(paymentId)}`}>
        {id}
      </AccountLink>
      {account !== tenant.account && (
        <span className="block text-xs text-muted">
          Account <Foreign text={account} />
        </span>
      )}
    </>
  )
}
