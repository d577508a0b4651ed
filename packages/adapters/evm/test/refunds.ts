/** A wallet to refund from, and how a refund gets on. */
import { assert } from "@effect/vitest"
import type { PaymentRecord } from "@paymux/core"
import { Effect } from "effect"
import { toHex } from "viem"
import { localSigner } from "../src/index.ts"
import { cashier } from "./chain/Chain.ts"
import type { Behavior } from "./chain/proxy.ts"
import type { Asking } from "./payments.ts"
import { timePasses } from "./testEnvironment.ts"
import type { Overrides, Running, TestEnvironment } from "./testEnvironment.ts"

export const dollars = (amount: number): bigint => BigInt(amount) * 1_000_000n
export const signer = localSigner(toHex(cashier.getHdKey().privateKey ?? new Uint8Array()))

/** The wallet has a thousand dollars. */
export const funded = Effect.fnUntraced(function* (environment: TestEnvironment, overrides: Overrides = {}) {
  yield* environment.chain.mint(environment.usdc, cashier.address, dollars(1_000))
  return yield* environment.start({ ...overrides, evm: { signer, ...overrides.evm } })
})

export const paid = Effect.fnUntraced(function* (
  { chain, usdc }: TestEnvironment,
  engine: Running,
  asking: Asking = {}
) {
  const payment = yield* engine.create(asking)
  yield* chain.pay(usdc, payment.address, dollars(50))
  yield* chain.finalize
  yield* payment.becomes({ status: "succeeded" })
  return payment
})

/** What is sent gets into blocks, and time passes for each inquiry, until the latest refund is decided. */
export const mined = Effect.fnUntraced(function* (
  environment: TestEnvironment,
  engine: Running,
  record: PaymentRecord,
  status: string
) {
  const payment = engine.again(record)
  for (let turn = 0; turn < 40; turn++) {
    yield* environment.chain.finalize
    yield* timePasses(environment, "20 seconds", "20 seconds")
    if (!(yield* payment.seen).refunds.includes("pending")) break
  }
  assert.strictEqual((yield* payment.seen).refunds.at(-1), status)
})

export const everyNode = (environment: TestEnvironment, behavior: Behavior) => {
  for (const node of environment.nodes) node.behave(behavior)
}

export const given = ({ chain, usdc }: TestEnvironment) => chain.transfersFrom(usdc, cashier.address)
