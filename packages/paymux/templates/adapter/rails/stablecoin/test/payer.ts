/** What Acme makes the payer of a stablecoin payment do: send the coins to an address of this payment. */
import type { LedgerPayment } from "@paymux/testkit"

/** How Acme's payers pay. */
export const flows = ["transfer"] as const

/** Throws where a request asks for what Acme does not take: the fake refuses it. */
export const awaitsPayer = ({ asset, network }: { readonly [name: string]: string | null }): boolean => {
  if (asset !== "USDC" || network !== "base") throw new Error("only USDC on Base is taken")
  return true
}

export const actionOf = (
  _method: { readonly [name: string]: string | null },
  { amount, id, status }: LedgerPayment
) => {
  if (status !== "pending") return null
  const address = `0x${Buffer.from(id).toString("hex").padStart(40, "0")}`
  return {
    type: "stablecoin_transfer",
    address,
    uri: `ethereum:${address}@8453`,
    amount: (amount.minorUnits / 100).toFixed(2),
    expires: null
  }
}
