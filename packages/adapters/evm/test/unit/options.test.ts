import { assert, describe, it } from "@effect/vitest"
import { ProviderOptionsInvalid } from "@paymux/core"
import { mnemonicToAccount } from "viem/accounts"
import { evm, localSigner } from "../../src/index.ts"
import type { ChainOptions, EvmOptions } from "../../src/index.ts"

const words = "test test test test test test test test test test test junk"
const key = mnemonicToAccount(words, { path: "m/44'/60'/0'" }).getHdKey()
const xpub = key.publicExtendedKey
const usdc = { asset: "USDC", contract: "0x036CbD53842c5426634e7929541eC2318f3dCF7e", decimals: 6, currency: "USD" }
const secretUrl = "https://node.example/v2/hush"
const chain: ChainOptions = { chainId: 84_532, rpcUrls: [secretUrl], tokens: [usdc] }

const problemsOf = (options: EvmOptions): ReadonlyArray<string> => {
  try {
    evm(options)
  } catch (thrown) {
    if (thrown instanceof ProviderOptionsInvalid) return thrown.problems
    throw thrown
  }
  return []
}
const problemsOfChain = (change: Partial<ChainOptions>) =>
  problemsOf({ xpub, chains: { base: { ...chain, ...change } } })

describe("options", () => {
  it("that are right are taken, and tell what can be done", () => {
    const { capabilities, id, mode } = evm({ xpub, chains: { base: chain } })
    assert.deepStrictEqual({ id, mode }, { id: "evm", mode: "test" })
    assert.deepStrictEqual(capabilities.methods.stablecoin?.assets, [{ asset: "USDC", network: "base" }])
    assert.deepStrictEqual(capabilities.methods.stablecoin?.currencies, ["USD"])
    assert.isUndefined(capabilities.operations.refund)
    const signer = localSigner(`0x${"1".repeat(64)}`)
    assert.isTrue(evm({ id: "evm_two", xpub, chains: { base: chain }, signer }).capabilities.operations.refund?.partial)
  })

  it("never show a key or a URL when they are refused", () => {
    const xprv = key.privateExtendedKey
    for (const options of [
      { xpub: xprv, chains: { base: chain } },
      { xpub: `${xpub.slice(0, -1)}1`, chains: { base: chain } },
      { xpub, chains: { base: { ...chain, rpcUrls: [secretUrl, secretUrl] } } },
      { xpub, chains: { base: { ...chain, rpcUrls: [`ftp://${secretUrl.slice(8)}`] } } }
    ]) {
      const problems = problemsOf(options).join()
      assert.isNotEmpty(problems)
      assert.notInclude(problems, "hush")
      assert.notInclude(problems, xprv.slice(4, 20))
      assert.notInclude(problems, xpub.slice(4, 20))
    }
  })

  it("a private extended key is called by its name", () => {
    assert.match(
      problemsOf({ xpub: key.privateExtendedKey, chains: { base: chain } }).join(),
      /^xpub: is a private key/
    )
  })

  for (const [what, change, place] of [
    ["a coin that is not redeemed at par", { tokens: [{ ...usdc, currency: "EUR" }] }, "tokens.0"],
    ["a coin of no known par", { tokens: [{ ...usdc, asset: "DAI" }] }, "tokens.0"],
    ["no token", { tokens: [] }, "tokens"],
    ["the same contract as right and as wrong", { wrongTokens: [usdc.contract] }, "twice"],
    [
      "a contract with a typing error",
      { tokens: [{ ...usdc, contract: usdc.contract.replace("C", "c") }] },
      "checksum"
    ],
    ["no node", { rpcUrls: [] }, "rpcUrls"],
    ["more agreement than there are nodes", { quorum: 2 }, "quorum"],
    [
      "so little agreement that two groups could each have their own",
      { rpcUrls: ["https://a.example", "https://b.example"], quorum: 1 },
      "quorum"
    ],
    ["no time between two looks", { pollEvery: 0 }, "pollEvery"],
    ["a time that is none", { pollEvery: "soon" }, "pollEvery"]
  ] as const) {
    it(`refuses ${what}`, () => {
      assert.include(problemsOfChain(change).join(), place)
    })
  }

  it("test chains and live ones do not mix", () => {
    const live = { ...chain, chainId: 8453 }
    assert.include(problemsOf({ xpub, chains: { base: live, other: chain } }).join(), "test chains")
    assert.strictEqual(evm({ xpub, chains: { base: live } }).mode, "live")
  })

  it("a name that is none is not shown: it may be a URL with a key", () => {
    const problems = problemsOf({ xpub, chains: { "https://a.example/hush": chain } }).join()
    assert.include(problems, "chains.0")
    assert.notInclude(problems, "hush")
  })

  it("a chain is there once, and at least one is", () => {
    assert.include(problemsOf({ xpub, chains: { base: chain, other: chain } }).join(), "84532 is there twice")
    assert.include(problemsOf({ xpub, chains: {} }).join(), "at least one")
  })

  it("a signer's key that is none is refused without showing it", () => {
    assert.throws(() => localSigner("0xhush"), /^(?!.*hush)/)
    assert.throws(() => localSigner(undefined))
  })
})
