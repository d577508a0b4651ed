/** A token called USDC, compiled and deployed, of which the customer and the wallet for refunds have a thousand each. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import solc from "solc"
import { createWalletClient, http, parseUnits, publicActions } from "viem"
import type { Abi, Hex } from "viem"
import { foundry } from "viem/chains"
import { cashier, chainUrl, customer, issuer } from "./wallets.ts"

export const deployToken = async () => {
  const client = createWalletClient({ account: issuer, chain: foundry, transport: http(chainUrl) }).extend(
    publicActions
  )
  const args = [[customer.address, cashier.address], parseUnits("1000", 6)]
  const hash = await client.deployContract({ ...compiled(), args })
  const { contractAddress } = await client.waitForTransactionReceipt({ hash, pollingInterval: 100 })
  if (!contractAddress) throw new Error("The token was not deployed")
  return contractAddress
}

interface Output {
  readonly contracts: {
    readonly "Token.sol": {
      readonly Token: { readonly abi: Abi; readonly evm: { readonly bytecode: { readonly object: string } } }
    }
  }
}

const compiled = (): { readonly abi: Abi; readonly bytecode: Hex } => {
  const content = readFileSync(join(import.meta.dirname, "Token.sol"), "utf8")
  const input = {
    language: "Solidity",
    sources: { "Token.sol": { content } },
    settings: { evmVersion: "paris", outputSelection: { "*": { "*": ["abi", "evm.bytecode.object"] } } }
  }
  const { contracts }: Output = JSON.parse(solc.compile(JSON.stringify(input)))
  const { abi, evm } = contracts["Token.sol"].Token
  return { abi, bytecode: `0x${evm.bytecode.object}` }
}
