/** The statement of a real chain, against every transfer in its blocks. */
import { assert } from "@effect/vitest"
import type { ProviderContext, ProviderError } from "@paymux/core"
import type { StatementMovement, StatementQuery } from "@paymux/core/statement"
import { memoryContext } from "@paymux/test-suites"
import { Effect, Schema } from "effect"
import { getAddress } from "viem"
import {
  hastyFinality,
  down,
  inventing,
  otherHashes,
  otherTimes,
  smallRange,
  withoutLogs,
  withoutReceipts
} from "./chain/behaviors.ts"
import { chainId } from "./chain/anvil.ts"
import { makeDepositStore } from "../src/deposits/DepositStore.ts"
import { makeNodes } from "../src/nodes/Nodes.ts"
import { EvmOptionsSchema, settingsOf } from "../src/options.ts"
import { makeStatement } from "../src/statement/statement.ts"
import { xpub } from "./keys.ts"
import { bob, cashier } from "./chain/Chain.ts"
import { honest } from "./chain/proxy.ts"
import { dollars, everyNode, funded, mined, signer } from "./refunds.ts"
import { scenarios, tokenOf } from "./testEnvironment.ts"
import type { Overrides, TestEnvironment } from "./testEnvironment.ts"

const minute = 60_000

const stateOf = ({ store }: TestEnvironment, id: string): ProviderContext["state"] => ({
  ...memoryContext(id).state,
  get: (key) => Effect.orDie(store.providerState.get(id, key))
})

const optionsOf = ({ nodes, usdc }: TestEnvironment) => ({
  xpub,
  chains: { local: { chainId, rpcUrls: nodes.map(({ url }) => url), tokens: [tokenOf("USDC", usdc)] } }
})

/** An instance that reads the statement beside the engine, on the same state. */
const statementOf = Effect.fnUntraced(function* (environment: TestEnvironment, overrides: Overrides = {}) {
  const provider = environment.provider({ ...overrides, evm: { signer, ...overrides.evm } })
  const state = stateOf(environment, provider.id)
  const { statement } = yield* provider.make({ ...memoryContext(provider.id), state })
  return statement ?? assert.fail("there is no statement")
})

type Statement = Effect.Success<ReturnType<typeof statementOf>>

/** Up to the newest block, of which the last ones are not final. */
const whole = ({ chain }: TestEnvironment) =>
  Effect.map(
    Effect.promise(() => chain.client.getBlock()),
    ({ timestamp }) => ({ since: 0, until: Number(timestamp) * 1_000 + 1 })
  )

const pagesOf = (statement: Statement, time: Omit<StatementQuery, "cursor">) =>
  Effect.gen(function* () {
    const pages: Array<{ readonly cursor: string | null; readonly movements: ReadonlyArray<StatementMovement> }> = []
    let cursor: string | null = null
    do {
      const { movements, next }: Effect.Success<ReturnType<Statement>> = yield* statement({ ...time, cursor })
      pages.push({ cursor, movements })
      cursor = next
    } while (cursor !== null)
    return pages
  })

const movementsOf = (statement: Statement, time: Omit<StatementQuery, "cursor">) =>
  Effect.map(pagesOf(statement, time), (pages) => pages.flatMap(({ movements }) => movements))

const failureOf = (failing: Effect.Effect<unknown, ProviderError>) =>
  Effect.map(Effect.flip(failing), ({ reason }) => reason._tag)

/** In the words of a test: what was moved, for whom, and under which name. */
const shown = (movements: ReadonlyArray<StatementMovement>) =>
  movements.map(({ amount, operation, reference, type }) => [
    type,
    amount.minorUnits,
    amount.currency,
    operation,
    reference
  ])

const accountOf = (address: string) => `eip155:${chainId}:${getAddress(address)}`

scenarios("the statement of a chain", (scenario) => {
  scenario(
    "has each transfer to an address of ours and each refund, as the blocks have them, and no other",
    (environment) =>
      Effect.gen(function* () {
        const { chain, usdc } = environment
        const eurc = yield* chain.token("EURC", 6)
        const junk = yield* chain.token("JUNK", 6)
        const tokens = [tokenOf("USDC", usdc), tokenOf("EURC", eurc, "EUR")]
        const overrides = { chain: { tokens, wrongTokens: [junk.address] } }
        const engine = yield* funded(environment, overrides)
        const [exact, parts, more, other] = [
          yield* engine.create(),
          yield* engine.create(),
          yield* engine.create(),
          yield* engine.create()
        ]
        const idOf = ({ record }: typeof exact) => record.operations[0]?.id ?? assert.fail("no operation")
        yield* chain.pay(usdc, exact.address, dollars(50))
        yield* chain.pay(usdc, bob.address, dollars(7))
        yield* chain.payInOne(usdc, parts.address, [dollars(20), 29_999_999n])
        yield* chain.pay(usdc, parts.address, 9_999n)
        yield* chain.pay(usdc, more.address, 60_019_999n)
        yield* chain.pay(eurc, other.address, dollars(50))
        yield* chain.pay(junk, other.address, dollars(50))
        yield* chain.finalize
        yield* exact.becomes({ status: "succeeded" })
        yield* exact.refund(1_500)
        yield* mined(environment, engine, exact.record, "succeeded")
        const refunded = (yield* chain.transfersFrom(usdc, cashier.address)).at(-1)?.hash ?? null
        const movements = yield* movementsOf(yield* statementOf(environment, overrides), yield* whole(environment))
        assert.deepStrictEqual(shown(movements), [
          ["payment", 5_000, "USD", idOf(exact), accountOf(exact.address)],
          ["payment", 2_000, "USD", idOf(parts), accountOf(parts.address)],
          ["payment", 2_999, "USD", idOf(parts), accountOf(parts.address)],
          ["payment", 6_001, "USD", idOf(more), accountOf(more.address)],
          ["adjustment", 5_000, "EUR", null, accountOf(other.address)],
          ["refund", 1_500, "USD", null, refunded]
        ])
        for (const { bookedAt, id } of movements) {
          const [, hash = "", index] = id.split(":")
          const receipt = yield* Effect.promise(() =>
            chain.client.getTransactionReceipt({ hash: hash as `0x${string}` })
          )
          const { timestamp } = yield* Effect.promise(() => chain.client.getBlock({ blockNumber: receipt.blockNumber }))
          assert.isTrue(receipt.logs.some(({ logIndex }) => logIndex === Number(index)))
          assert.strictEqual(bookedAt, Number(timestamp) * 1_000)
        }
        assert.lengthOf(new Set(movements.map(({ id }) => id)), movements.length)
      })
  )

  scenario("has what is final, from the start of the time until before its end", (environment) =>
    Effect.gen(function* () {
      const { chain, usdc } = environment
      const engine = yield* environment.start()
      const [first, second] = [yield* engine.create(), yield* engine.create()]
      yield* chain.pay(usdc, first.address, dollars(50))
      yield* chain.wait(5)
      yield* chain.pay(usdc, second.address, dollars(50))
      const statement = yield* statementOf(environment)
      assert.isEmpty(yield* movementsOf(statement, yield* whole(environment)))
      yield* chain.finalize
      const time = yield* whole(environment)
      const [one, other] = yield* movementsOf(statement, time)
      if (one === undefined || other === undefined) return assert.fail("a transfer is missing")
      assert.isAbove(other.bookedAt, one.bookedAt)
      const idsIn = (since: number, until: number) =>
        Effect.map(movementsOf(statement, { since, until }), (found) => found.map(({ id }) => id))
      assert.deepStrictEqual(yield* idsIn(one.bookedAt, other.bookedAt), [one.id])
      assert.deepStrictEqual(yield* idsIn(one.bookedAt, other.bookedAt + 1), [one.id, other.id])
      assert.deepStrictEqual(yield* idsIn(one.bookedAt + 1, time.until), [other.id])
      assert.deepStrictEqual(yield* idsIn(other.bookedAt + 1, time.until), [])
      assert.deepStrictEqual(yield* idsIn(time.until, time.until + minute), [])
    })
  )

  scenario("is not complete while the chain is not final up to there, and is then read later", (environment) =>
    Effect.gen(function* () {
      const { chain, usdc } = environment
      const engine = yield* environment.start()
      const payment = yield* engine.create()
      yield* chain.pay(usdc, payment.address, dollars(50))
      const statement = yield* statementOf(environment)
      const { until } = yield* whole(environment)
      const inTime = { since: 0, until: until + 59 * minute }
      const tooLate = { since: 0, until: until + 61 * minute }
      assert.isEmpty(yield* movementsOf(statement, inTime))
      assert.strictEqual(yield* failureOf(movementsOf(statement, tooLate)), "RateLimited")
    })
  )

  scenario(
    "is the same in pages of few blocks, also for another process, and refuses any other cursor",
    (environment) =>
      Effect.gen(function* () {
        const { chain, usdc } = environment
        const engine = yield* environment.start()
        for (let n = 0; n < 3; n++) yield* chain.pay(usdc, (yield* engine.create()).address, dollars(50))
        yield* chain.finalize
        const time = yield* whole(environment)
        const expected = yield* movementsOf(yield* statementOf(environment), time)
        assert.lengthOf(expected, 3)
        const small = yield* statementOf(environment, { chain: { maxRange: 2 } })
        const pages = yield* pagesOf(small, time)
        assert.isAbove(pages.length, 3)
        assert.deepStrictEqual(
          pages.flatMap(({ movements }) => movements),
          expected
        )
        const restarted = yield* statementOf(environment, { chain: { maxRange: 2 } })
        for (const { cursor, movements } of pages) {
          assert.deepStrictEqual((yield* restarted({ ...time, cursor })).movements, movements)
        }
        const cursor = pages[1]?.cursor ?? assert.fail("there is one page")
        for (const damaged of ["", "0", "what", cursor.slice(0, 9), `${cursor}1`, cursor.replace(/^\d+/, "1")]) {
          assert.strictEqual(yield* failureOf(small({ ...time, cursor: damaged })), "InvalidRequest", damaged)
        }
        assert.strictEqual(yield* failureOf(small({ ...time, since: 1, cursor })), "InvalidRequest")
      })
  )

  for (const [lie, behavior] of [
    ["returns other hashes", otherHashes],
    ["returns other times", otherTimes],
    ["hides every log", withoutLogs],
    ["hides every receipt", withoutReceipts],
    ["does not answer", down]
  ] as const) {
    scenario(`is true where one node of three ${lie}`, (environment) =>
      Effect.gen(function* () {
        const { chain, nodes, usdc } = environment
        const engine = yield* environment.start()
        const payment = yield* engine.create()
        yield* chain.pay(usdc, payment.address, dollars(50))
        yield* chain.finalize
        yield* payment.becomes({ status: "succeeded" })
        const time = yield* whole(environment)
        const expected = yield* movementsOf(yield* statementOf(environment), time)
        assert.deepStrictEqual(
          expected.map(({ amount }) => amount.minorUnits),
          [5_000]
        )
        for (const node of nodes) {
          node.behave(behavior)
          assert.deepStrictEqual(yield* movementsOf(yield* statementOf(environment), time), expected)
          node.behave(honest)
        }
      })
    )
  }

  scenario("is complete where nodes return the logs of few blocks only", (environment) =>
    Effect.gen(function* () {
      const { chain, usdc } = environment
      const engine = yield* environment.start()
      for (let n = 0; n < 3; n++) yield* chain.pay(usdc, (yield* engine.create()).address, dollars(50))
      yield* chain.finalize
      everyNode(environment, smallRange(3, "block range is too large"))
      assert.lengthOf(yield* movementsOf(yield* statementOf(environment), yield* whole(environment)), 3)
      everyNode(environment, honest)
    })
  )

  scenario("has pages of few transfers, also within a block, and asks for no receipt twice", (environment) =>
    Effect.gen(function* () {
      const { chain, nodes, provider, usdc } = environment
      const engine = yield* environment.start()
      const [one, other] = [yield* engine.create(), yield* engine.create()]
      yield* chain.payInOne(usdc, one.address, [dollars(10), dollars(11), dollars(12), dollars(17)])
      yield* chain.pay(usdc, other.address, dollars(50))
      yield* chain.finalize
      yield* one.becomes({ status: "succeeded" })
      yield* other.becomes({ status: "succeeded" })
      yield* engine.end
      const settings = settingsOf("evm", Schema.decodeUnknownSync(EvmOptionsSchema)(optionsOf(environment)))
      const store = makeDepositStore(stateOf(environment, provider().id))
      const scanned = settings.chains.map((each) => ({ chain: each, nodes: makeNodes(each) }))
      const time = yield* whole(environment)
      for (const most of [1, 2, 3]) {
        for (const node of nodes) node.forget()
        const pages = yield* pagesOf(makeStatement({ most, scanned, signer: null, store }), time)
        assert.deepStrictEqual(
          pages.flatMap(({ movements }) => movements.map(({ amount }) => amount.minorUnits)),
          [1_000, 1_100, 1_200, 1_700, 5_000]
        )
        assert.isTrue(pages.every(({ movements }) => movements.length <= most))
        const receipts = nodes.reduce((sum, node) => sum + node.count("eth_getTransactionReceipt"), 0)
        assert.isAtMost(receipts, 2 * 5)
      }
    })
  )

  scenario("is not complete while the chain makes no blocks, which may have earlier times", (environment) =>
    Effect.gen(function* () {
      const { chain } = environment
      yield* chain.finalize
      everyNode(environment, hastyFinality)
      const statement = yield* statementOf(environment)
      const { until } = yield* whole(environment)
      assert.isEmpty(yield* movementsOf(statement, { since: 0, until: until + 59 * minute }))
      assert.strictEqual(
        yield* failureOf(movementsOf(statement, { since: 0, until: until + 61 * minute })),
        "RateLimited"
      )
      everyNode(environment, honest)
    })
  )

  scenario("needs no blocks that nodes have given up", (environment) =>
    Effect.gen(function* () {
      const { chain, usdc } = environment
      yield* chain.mine(40)
      yield* chain.wait(600)
      const engine = yield* environment.start()
      const payment = yield* engine.create()
      const first = Number(yield* chain.head)
      yield* chain.pay(usdc, payment.address, dollars(50))
      yield* chain.finalize
      everyNode(environment, (asked, ask) => {
        const [number] = asked.params
        const isOld = typeof number === "string" && number.startsWith("0x") && Number(number) < first - 20
        return asked.method === "eth_getBlockByNumber" && isOld ? { result: null } : ask(asked)
      })
      const { until } = yield* whole(environment)
      assert.lengthOf(yield* movementsOf(yield* statementOf(environment), { since: until - 5 * minute, until }), 1)
      everyNode(environment, honest)
    })
  )

  scenario("is read later where too few nodes answer, or none confirms what all report", (environment) =>
    Effect.gen(function* () {
      const { chain, nodes, usdc } = environment
      const engine = yield* environment.start()
      const payment = yield* engine.create()
      yield* chain.pay(usdc, payment.address, dollars(50))
      yield* chain.finalize
      const time = yield* whole(environment)
      for (const behavior of [down, withoutReceipts]) {
        for (const node of nodes.slice(1)) node.behave(behavior)
        assert.strictEqual(yield* failureOf(movementsOf(yield* statementOf(environment), time)), "RateLimited")
      }
      everyNode(environment, honest)
    })
  )

  scenario("has no transfer that one node invents, with its receipt", (environment) =>
    Effect.gen(function* () {
      const { chain, nodes, usdc } = environment
      const engine = yield* environment.start()
      const payment = yield* engine.create()
      const block = yield* chain.head
      yield* chain.finalize
      const transfer = { token: usdc.address, from: bob.address, to: payment.address, value: dollars(50), block }
      nodes[0].behave(inventing(transfer, "with a receipt"))
      assert.isEmpty(yield* movementsOf(yield* statementOf(environment), yield* whole(environment)))
      nodes[0].behave(honest)
    })
  )
})
