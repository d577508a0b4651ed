import { assert } from "@effect/vitest"
import { MemoryStore } from "@paymux/testkit/memory-store"
import { Effect } from "effect"
import { down, failing, only, stuckAt, withoutBalances, withoutLogs } from "./chain/behaviors.ts"
import { honest } from "./chain/proxy.ts"
import type { Behavior } from "./chain/proxy.ts"
import { until } from "./payments.ts"
import { becomesInTime, looked, overtaken, scenarios, timePasses } from "./testEnvironment.ts"
import type { TestEnvironment } from "./testEnvironment.ts"

const fifty = 50_000_000n

/** The scanner's own question is for every recipient; who is about to close a payment asks for one. */
const scannerBroken =
  (closing: Behavior = (asked, ask) => ask(asked)): Behavior =>
  (asked, ask) => {
    if (asked.method !== "eth_getLogs") return ask(asked)
    const { topics }: { readonly topics?: ReadonlyArray<unknown> } = Object(asked.params[0])
    return topics?.[2] === undefined || topics[2] === null ? failing("busy")(asked, ask) : closing(asked, ask)
  }

/** A payment that the database loses, `units` that come to its address, and the same request again. */
const lostAndRepeated = Effect.fnUntraced(function* (environment: TestEnvironment, units: bigint) {
  const { chain, store, usdc } = environment
  const before = yield* environment.start({ store: MemoryStore.make(), secret: "one" })
  const { address } = yield* before.create({ key: "order 1" })
  yield* before.end
  yield* chain.pay(usdc, address, units)
  yield* chain.finalize
  const after = yield* environment.start({ store, secret: "one" })
  const payment = yield* after.create({ key: "order 1" })
  assert.strictEqual(payment.address, address)
  return { after, payment }
})

scenarios("the end of a payer's time", (scenario) => {
  scenario("unpaid: it fails, and what comes later is a late success", (environment) =>
    Effect.gen(function* () {
      const { chain, usdc } = environment
      const engine = yield* environment.start()
      const payment = yield* engine.create()
      yield* becomesInTime(environment, payment, { status: "failed", code: "customer_timeout" }, "10 minutes")
      yield* timePasses(environment, "20 days", "5 days")
      yield* chain.pay(usdc, payment.address, fifty)
      yield* chain.finalize
      yield* payment.becomes({ status: "succeeded", late: true, captured: 5_000, reviews: [] })
      assert.deepStrictEqual(yield* payment.events, ["payment.pending", "payment.failed", "payment.succeeded"])
    })
  )

  scenario("seen in time and final after it: it is not closed, and not late", (environment) =>
    Effect.gen(function* () {
      const { chain, usdc } = environment
      const engine = yield* environment.start()
      const payment = yield* engine.create()
      yield* timePasses(environment, "29 minutes", "10 minutes")
      yield* chain.pay(usdc, payment.address, fifty)
      yield* payment.becomes({ status: "pending", reason: "awaiting_finality" })
      yield* timePasses(environment, "10 minutes", "1 minute")
      yield* chain.finalize
      yield* payment.becomes({ status: "succeeded", late: false })
      assert.deepStrictEqual(yield* payment.events, ["payment.pending", "payment.succeeded"])
    })
  )

  scenario(
    "paid before the database lost the payment: the repeated request is not closed, and in review",
    (environment) =>
      Effect.gen(function* () {
        const { after, payment: paid } = yield* lostAndRepeated(environment, fifty)
        const unpaid = yield* after.create({ key: "order 2" })
        yield* becomesInTime(environment, unpaid, { status: "failed", code: "customer_timeout" }, "10 minutes")
        yield* becomesInTime(environment, paid, { status: "pending", reviews: ["close_failed"] }, "10 minutes")
      })
  )

  scenario("fractions of a cent, to a payment with a key and to one without: both fail", (environment) =>
    Effect.gen(function* () {
      const { chain, usdc } = environment
      const engine = yield* environment.start({ secret: "one" })
      const payments = [yield* engine.create({ key: "order 1" }), yield* engine.create()]
      for (const { address } of payments) yield* chain.pay(usdc, address, 1n)
      yield* chain.finalize
      yield* looked(environment)
      for (const payment of payments) {
        yield* becomesInTime(
          environment,
          payment,
          { status: "failed", code: "customer_timeout", reviews: [] },
          "10 minutes"
        )
      }
    })
  )

  for (const [paid, expected] of [
    [9_999n, { status: "failed", code: "customer_timeout", reviews: [] }],
    [10_000n, { status: "pending", reviews: ["close_failed"] }]
  ] as const) {
    scenario(
      `${paid} base units before the database lost the payment, and one after it: ${expected.status}`,
      (environment) =>
        Effect.gen(function* () {
          const { chain, usdc } = environment
          const { after, payment } = yield* lostAndRepeated(environment, paid)
          yield* chain.pay(usdc, payment.address, 1n)
          yield* overtaken(environment, after)
          yield* becomesInTime(environment, payment, expected, "10 minutes")
        })
    )
  }

  const noBalance = only("eth_call", failing("busy"))
  for (const [how, ofNodes] of [
    ["one has it, one has none, one fails", [honest, withoutBalances, noBalance]],
    ["one has none, two fail", [noBalance, withoutBalances, noBalance]],
    ["one has it, one fails, one is behind", [honest, noBalance, "behind"]],
    ["one has it, two read from servers that are behind", [honest, "read from behind", "read from behind"]]
  ] as const) {
    scenario(`the balance of a repeated request, ${how}: it is not closed until enough of them agree`, (environment) =>
      Effect.gen(function* () {
        const { chain, nodes } = environment
        const lost = yield* chain.head
        const { payment } = yield* lostAndRepeated(environment, fifty)
        const behind = stuckAt(lost)
        for (const [index, behavior] of ofNodes.entries()) {
          nodes[index]?.behave(
            behavior === "behind" ? behind : behavior === "read from behind" ? only("eth_call", behind) : behavior
          )
        }
        yield* timePasses(environment, "40 minutes", "10 minutes")
        yield* until(Effect.sync(() => nodes.some((node) => node.count("eth_call") > 0)))
        yield* timePasses(environment, "5 minutes", "1 minute")
        yield* payment.becomes({ status: "pending", reviews: [] })
        assert.isTrue(
          (yield* payment.now).operations.some(({ kind }) => kind === "cancel"),
          "it was to be closed"
        )
        for (const node of nodes) node.behave(honest)
        yield* becomesInTime(environment, payment, { status: "pending", reviews: ["close_failed"] }, "1 minute")
        assert.notInclude(yield* payment.events, "payment.failed")
      })
    )
  }

  scenario("the balance of a repeated request that is not paid: it is closed when a quorum has none", (environment) =>
    Effect.gen(function* () {
      const { nodes } = environment
      const engine = yield* environment.start({ secret: "one" })
      const payment = yield* engine.create({ key: "order 1" })
      for (const node of [nodes[1], nodes[2]]) node.behave(noBalance)
      yield* timePasses(environment, "40 minutes", "10 minutes")
      yield* until(Effect.sync(() => nodes.some((node) => node.count("eth_call") > 0)))
      yield* timePasses(environment, "5 minutes", "1 minute")
      yield* payment.becomes({ status: "pending", reviews: [] })
      nodes[1].behave(honest)
      yield* becomesInTime(environment, payment, { status: "failed", code: "customer_timeout" }, "1 minute")
    })
  )

  for (const liar of [0, 1, 2]) {
    scenario(
      `paid, and not seen by the scanner: who closes it looks for himself, though node ${liar + 1} hides it`,
      (environment) =>
        Effect.gen(function* () {
          const { chain, nodes, usdc } = environment
          const engine = yield* environment.start()
          const payment = yield* engine.create()
          for (const [index, node] of nodes.entries())
            node.behave(scannerBroken(index === liar ? withoutLogs : undefined))
          yield* chain.pay(usdc, payment.address, fifty)
          yield* timePasses(environment, "40 minutes", "10 minutes")
          yield* timePasses(environment, "5 minutes", "1 minute")
          assert.deepStrictEqual(yield* payment.events, ["payment.pending"])
          assert.isTrue(
            (yield* payment.now).operations.some(({ kind }) => kind === "cancel"),
            "it was to be closed"
          )
          for (const node of nodes) node.behave((asked, ask) => ask(asked))
          yield* chain.finalize
          yield* timePasses(environment, "3 minutes", "1 minute")
          yield* payment.becomes({ status: "succeeded", captured: 5_000, reviews: [] })
          assert.deepStrictEqual(yield* payment.events, ["payment.pending", "payment.succeeded"])
        })
    )
  }

  scenario("the nodes are away: it is closed only when they have said that nothing came", (environment) =>
    Effect.gen(function* () {
      const { nodes } = environment
      const engine = yield* environment.start()
      const payment = yield* engine.create()
      for (const node of nodes) node.behave(down)
      yield* timePasses(environment, "40 minutes", "5 minutes")
      assert.deepStrictEqual(yield* payment.events, ["payment.pending"])
      for (const node of nodes) node.behave((asked, ask) => ask(asked))
      yield* becomesInTime(environment, payment, { status: "failed", code: "customer_timeout" }, "20 minutes")
    })
  )

  scenario("canceled by the merchant: what comes all the same is looked at", (environment) =>
    Effect.gen(function* () {
      const { chain, usdc } = environment
      const engine = yield* environment.start()
      const payment = yield* engine.create()
      yield* payment.cancel
      yield* payment.becomes({ status: "canceled" })
      yield* chain.pay(usdc, payment.address, fifty)
      yield* chain.finalize
      yield* payment.becomes({ status: "canceled", reviews: ["late_success"] })
    })
  )

  scenario("what was seen cannot be canceled, and pays", (environment) =>
    Effect.gen(function* () {
      const { chain, usdc } = environment
      const engine = yield* environment.start()
      const payment = yield* engine.create()
      yield* chain.pay(usdc, payment.address, fifty)
      yield* payment.becomes({ status: "pending", reason: "awaiting_finality" })
      yield* Effect.exit(payment.cancel)
      yield* payment.becomes({ status: "pending", reason: "awaiting_finality" })
      yield* chain.finalize
      yield* payment.becomes({ status: "succeeded" })
      yield* overtaken(environment, engine)
      assert.deepStrictEqual(yield* payment.events, ["payment.pending", "payment.succeeded"])
    })
  )
})
