/**
 * USDC on a chain of this machine, with tokens that are worth nothing. The chain begins anew with every start, and the
 * database with it: addresses of a chain that is gone would wait for ever.
 *
 * `PAY_WITHIN="15 seconds"` gives payers less time than 30 minutes.
 */
import { evm } from "@paymux/evm"
import type { PaymuxOptions } from "paymux"
import { rmSync } from "node:fs"
import { startAnvil } from "./anvil.ts"
import { deployToken } from "./token.ts"
import { cashier, chainPort, chainUrl } from "./wallets.ts"

await startAnvil(chainPort)
for (const file of ["", "-shm", "-wal"]) rmSync(`stablecoin.db${file}`, { force: true })

export default {
  database: "sqlite:stablecoin.db",
  providers: [
    evm({
      // Public: addresses can be made of it, and nothing can be spent. It is m/44'/60'/1' of the words in wallets.ts.
      xpub: "xpub6Ce9NcJvTk372KjsGfWqbcex5DumjpNquQLApoeQUavSCjEc823BV1tb4rXUuPuht8h2hSxkg2EXUaKUJmniJvRZAELxypsCzBFdtosmV76",
      chains: {
        local: {
          chainId: 31337,
          // Elsewhere these are three operators, of whom two have to agree. Here it is one node under three names.
          rpcUrls: [`${chainUrl}/?node=1`, `${chainUrl}/?node=2`, `${chainUrl}/?node=3`],
          tokens: [{ asset: "USDC", contract: await deployToken(), decimals: 6, currency: "USD" }],
          pollEvery: "1 second"
        }
      },
      payWithin: process.env["PAY_WITHIN"] ?? "30 minutes",
      signer: cashier
    })
  ],
  webhooks: { allow: ["127.0.0.1"] }
} satisfies PaymuxOptions<"evm">
