/** What the adapter reports of a request that Coinbase refuses with a reply. */
import { type InquiryOutcome, isProviderError, type ProviderError, type ProviderOperation } from "@paymux/core"
import type { FakeAnswer } from "@paymux/testkit"
import { Effect } from "effect"
import { coinbase } from "../src/index.ts"
import { fake } from "../src/testing/fake.ts"
import { optionsOf } from "../src/testing/options.ts"
import { createOperation, laterOperation, running } from "./operations.ts"

export const connected = Effect.gen(function* () {
  const vendor = yield* fake.start({ mode: "test" })
  const { network } = vendor
  if (network === null) return yield* Effect.die(new Error("Coinbase is reached over a network"))
  return { vendor, network, instance: yield* running(coinbase(optionsOf(vendor))) }
})

type Call = "create" | "capture" | "cancel" | "refund" | "inquire"

/** Of a payment that can be captured. */
export const refused = (call: Call, reply: FakeAnswer, change: Partial<ProviderOperation> = {}) =>
  Effect.gen(function* () {
    const { instance, network } = yield* connected
    const created = yield* createOperation({ captureMethod: "manual", ...change })
    const reference = call === "create" ? undefined : (yield* instance.create(created)).reference
    const operation =
      call === "create"
        ? created
        : call === "inquire"
          ? { ...created, reference: reference ?? null }
          : yield* laterOperation(call, created, reference)
    yield* network.failNext({ executed: false, reply })
    return reported(yield* Effect.result(instance[call](operation)))
  }).pipe(Effect.scoped)

type Reported = { readonly success: InquiryOutcome } | { readonly failure: ProviderError }

/** Without classes: an outcome, or the reason of an error. */
const reported = (result: Reported): { readonly [name: string]: unknown } => {
  if ("success" in result) return { ...result.success }
  if (!isProviderError(result.failure)) throw new Error("it fails with an error of the contract")
  const { reason } = result.failure
  switch (reason._tag) {
    case "AccountNotEnabled":
      return { _tag: reason._tag, code: reason.code, about: reason.about }
    case "RateLimited":
      return { _tag: reason._tag }
    default:
      return { _tag: reason._tag, detail: reason.detail }
  }
}
