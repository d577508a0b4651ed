/**
 * The customer pays: `pay.ts <payment id or uri> [amount]`. The amount is in coins; without it, it is what the uri asks for.
 * A payment id is looked up with the key in `KEY`.
 */
import { Paymux } from "@paymux/client"
import { createWalletClient, erc20Abi, getAddress, http, parseUnits, publicActions } from "viem"
import { foundry } from "viem/chains"
import { chainUrl, customer } from "./wallets.ts"

const uriOf = async (id: string): Promise<string> => {
  const baseUrl = process.env["PAYMUX_URL"] ?? "http://127.0.0.1:4310"
  const paymux = new Paymux({ apiKey: process.env["KEY"] ?? "", baseUrl })
  const { next_action: next } = await paymux.payments.get(id)
  if (next?.type !== "stablecoin_transfer") throw new Error(`${id} does not ask for a transfer`)
  return next.uri
}

const [what = "", amount] = process.argv.slice(2)
const uri = what.startsWith("ethereum:") ? what : await uriOf(what)
// EIP-681: ethereum:<token>@<chain id>/transfer?address=<receiver>&uint256=<base units>
const [, token = "", chainId, query] = /^ethereum:(0x\w{40})@(\d+)\/transfer\?(.+)$/.exec(uri) ?? []
const asked = new URLSearchParams(query)
if (Number(chainId) !== foundry.id) throw new Error(`This wallet is of chain ${foundry.id} and of no other`)

const wallet = createWalletClient({ account: customer, chain: foundry, transport: http(chainUrl) }).extend(
  publicActions
)
const hash = await wallet.writeContract({
  address: getAddress(token),
  abi: erc20Abi,
  functionName: "transfer",
  args: [
    getAddress(asked.get("address") ?? ""),
    amount === undefined ? BigInt(asked.get("uint256") ?? "") : parseUnits(amount, 6)
  ]
})
const { blockNumber } = await wallet.waitForTransactionReceipt({ hash, pollingInterval: 100 })
process.stdout.write(`${hash} in block ${blockNumber}\n`)
