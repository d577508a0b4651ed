import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as fc from "fast-check"
import { mnemonicToAccount } from "viem/accounts"
import { getAddress } from "viem/utils"
import { accountId, addressesOf, drawnAsSvg, readAccountId, transferUri } from "../../src/deposits/addresses.ts"

const words = "test test test test test test test test test test test junk"
const addressOf = addressesOf(mnemonicToAccount(words, { path: "m/44'/60'/0'" }).getHdKey().publicExtendedKey)

describe("addresses", () => {
  it("are those of any wallet of the same words, by the public key alone", () => {
    for (const path of ["0/0", "0/1", "0/77", "0/4000", "2/0", "1073741824/2147483647"] as const) {
      const wallet = mnemonicToAccount(words, { path: `m/44'/60'/0'/${path}` })
      assert.strictEqual(addressOf(path), wallet.address)
    }
    // Known of these words: the first account of every development node.
    assert.strictEqual(addressOf("0/0"), "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266")
  })

  it("have a name by CAIP-10 that is read back, and nothing else is", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 2 ** 40 }), fc.nat(200), (chainId, index) => {
        const account = { chainId, address: addressOf(`0/${index}`) }
        assert.deepStrictEqual(readAccountId(accountId(account)), account)
      }),
      { numRuns: 20 }
    )
    for (const text of [
      "",
      "eip155:1:0x12",
      `eip155:x:${addressOf("0/1")}`,
      `bip122:1:${addressOf("0/1")}`,
      addressOf("0/1")
    ]) {
      assert.isNull(readAccountId(text))
    }
  })

  it("are asked for by EIP-681", () => {
    const contract = getAddress("0x036CbD53842c5426634e7929541eC2318f3dCF7e").toLowerCase()
    const uri = transferUri(
      { chainId: 84_532, address: addressOf("0/0") },
      { contract: `0x${contract.slice(2)}` },
      12_500_000n
    )
    assert.strictEqual(
      uri,
      "ethereum:0x036CbD53842c5426634e7929541eC2318f3dCF7e@84532/transfer" +
        "?address=0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266&uint256=12500000"
    )
  })

  it.effect("are drawn as a picture", () =>
    Effect.gen(function* () {
      assert.match((yield* drawnAsSvg("ethereum:0x")) ?? "", /^data:image\/svg\+xml;base64,/)
    })
  )
})
