import { assert, describe, it } from "@effect/vitest"
import { Cause, Effect, Exit } from "effect"
import { TestClock } from "effect/testing"
import type { NextAction, Outcome } from "@paymux/core"
import { SandboxControl, SandboxLedger, sandboxProviders, SandboxNotifier } from "@paymux/sandbox"
import { books, unmigrated, withNotifier } from "./Books.ts"
import { card, collect, currency, later, operation, stablecoin, start, upi } from "./Harness.ts"

const memory = withNotifier(books[0].layer)

const actionOf = (answer: Outcome.SendOutcome): NextAction | null =>
  answer._tag === "Pending" ? (answer.nextAction ?? null) : null

describe("sandboxProviders", () => {
  it.effect("are two for each rail, primary first, and all test instances", () =>
    Effect.gen(function* () {
      const providers = sandboxProviders({
        ledger: yield* SandboxLedger,
        notifier: yield* SandboxNotifier,
        control: yield* SandboxControl
      })
      assert.deepStrictEqual(
        providers.map(({ id, mode }) => `${id} ${mode}`),
        [
          "sandbox_upi_a test",
          "sandbox_upi_b test",
          "sandbox_card_a test",
          "sandbox_card_b test",
          "sandbox_stablecoin_a test",
          "sandbox_stablecoin_b test"
        ]
      )
      for (const { capabilities } of providers) {
        assert.deepStrictEqual(capabilities.operations.create.idempotency, { by: "header", lifetime: "24 hours" })
      }
      assert.deepStrictEqual(providers[0]?.capabilities.methods.upi, {
        currencies: ["INR"],
        flows: { intent: {}, qr: {}, collect: {} },
        amounts: [{ currency: "INR", max: "100000.00" }]
      })
    }).pipe(Effect.provide(memory))
  )

  it.effect("an intent is a UPI link with payee, decimal amount and an escaped note", () =>
    Effect.gen(function* () {
      const sandbox = yield* start
      const answer = yield* sandbox
        .at("sandbox_upi_a")
        .create(
          operation(1, { amount: { minorUnits: 10_005, currency: currency("INR") }, description: "Tea & cake=1" })
        )
      const action = actionOf(answer)
      const uri = new URL(action?.type === "upi_intent" ? action.uri : "missing:")
      assert.strictEqual(`${uri.protocol}//${uri.host}`, "upi://pay")
      assert.deepInclude(Object.fromEntries(uri.searchParams), {
        pa: "sandbox@paymux",
        am: "100.05",
        cu: "INR",
        tn: "Tea & cake=1"
      })
      assert.isAtMost(uri.searchParams.get("tr")?.length ?? 0, 35)
    }).pipe(Effect.provide(memory))
  )

  it.effect("a note that ends in half a character is still a link", () =>
    Effect.gen(function* () {
      const sandbox = yield* start
      const description = "\ud83c\udf75".repeat(60) + "\ud83c"
      const answer = yield* sandbox.at("sandbox_upi_a").create(operation(1, { description }))
      assert.strictEqual(actionOf(answer)?.type, "upi_intent")
      const cut = yield* sandbox.at("sandbox_upi_a").create(operation(2, { description: "\ud83c" }))
      assert.strictEqual(actionOf(cut)?.type, "upi_intent")
    }).pipe(Effect.provide(memory))
  )

  it.effect("a stablecoin without details is USDC on base, with an address of its own and an EIP-681 link", () =>
    Effect.gen(function* () {
      const sandbox = yield* start
      const create = sandbox.at("sandbox_stablecoin_a").create
      const dollars = { minorUnits: 1_250, currency: currency("USD") }
      const action = actionOf(yield* create(operation(1, { method: stablecoin, amount: dollars })))
      const other = actionOf(yield* create(operation(2, { method: stablecoin, amount: dollars })))
      assert(action?.type === "stablecoin_transfer" && other?.type === "stablecoin_transfer")
      assert.match(action.address, /^0x[0-9a-f]{40}$/)
      assert.notStrictEqual(action.address, other.address)
      assert.strictEqual(action.amount, "12.50")
      assert.strictEqual(
        action.uri,
        `ethereum:0x036CbD53842c5426634e7929541eC2318f3dCF7e@84532/transfer?address=${action.address}&uint256=12500000`
      )
    }).pipe(Effect.provide(memory))
  )

  it.effect("amounts are written with the decimals of their currency", () =>
    Effect.gen(function* () {
      const sandbox = yield* start
      const amounts = [
        ["JPY", 1_250, "1250", "1250000000"],
        ["KWD", 1_250, "1.250", "1250000"],
        ["USD", 5, "0.05", "50000"]
      ] as const
      for (const [n, [code, minorUnits, text, base]] of amounts.entries()) {
        const asked = operation(n, { method: stablecoin, amount: { minorUnits, currency: currency(code) } })
        const action = actionOf(yield* sandbox.at("sandbox_stablecoin_b").create(asked))
        assert(action?.type === "stablecoin_transfer")
        assert.strictEqual(action.amount, text)
        assert.match(action.uri, new RegExp(`uint256=${base}$`))
      }
    }).pipe(Effect.provide(memory))
  )

  it.effect("a hosted page is under the server's own address", () =>
    Effect.gen(function* () {
      const sandbox = yield* start
      const answer = yield* sandbox.at("sandbox_card_b").create(operation(1, { method: card() }))
      assert.deepStrictEqual(actionOf(answer), {
        type: "redirect",
        url: `https://pay.example/sandbox/pay/sandbox_card_b/${answer.reference}`,
        expiresAt: null
      })
    }).pipe(Effect.provide(memory))
  )

  it.effect("a card token for each provider is judged by the provider it belongs to", () =>
    Effect.gen(function* () {
      const sandbox = yield* start
      const method = { ...card(), tokens: { sandbox_card_a: "tok_declined", sandbox_card_b: "tok_success" } }
      assert.strictEqual((yield* sandbox.at("sandbox_card_a").create(operation(1, { method })))._tag, "Declined")
      assert.strictEqual((yield* sandbox.at("sandbox_card_b").create(operation(2, { method })))._tag, "Succeeded")
    }).pipe(Effect.provide(memory))
  )

  it.effect("a provider that is set down refuses the connection, and answers no inquiry, until it is set up", () =>
    Effect.gen(function* () {
      const sandbox = yield* start
      const asked = operation(1, { method: collect("success@paymux") })
      sandbox.control.setDown("sandbox_upi_a", true)
      const refused = yield* sandbox.at("sandbox_upi_a").create(asked)
      assert.deepInclude(refused, { _tag: "NotExecuted", reason: "not_sent" })
      assert.strictEqual((yield* sandbox.inquire("sandbox_upi_a", asked))._tag, "Unknown")
      assert.strictEqual((yield* sandbox.at("sandbox_upi_b").create(asked))._tag, "Succeeded")
      sandbox.control.setDown("sandbox_upi_a", false)
      assert.strictEqual((yield* sandbox.at("sandbox_upi_a").create(asked))._tag, "Succeeded")
    }).pipe(Effect.provide(memory))
  )
})

for (const { layer, name } of books) {
  const provided = Effect.provide(withNotifier(layer))

  describe(`the book ${name}`, () => {
    it.effect("the same key answers the first result, and the money is taken once", () =>
      Effect.gen(function* () {
        const sandbox = yield* start
        const asked = operation(1, { method: card("tok_success") })
        const first = yield* sandbox.at("sandbox_card_a").create(asked)
        yield* TestClock.adjust("1 minute")
        const again = yield* Effect.all(
          [1, 2, 3].map(() => sandbox.at("sandbox_card_a").create(asked)),
          { concurrency: "unbounded" }
        )
        for (const answer of again) assert.deepStrictEqual(answer, first)
        assert.strictEqual((yield* sandbox.ledger.movements(asked.paymentId)).length, 1)
      }).pipe(provided)
    )

    it.effect(
      "keys are counted for each provider: sent to two of them, the money is taken twice and the book says so",
      () =>
        Effect.gen(function* () {
          const sandbox = yield* start
          const asked = operation(1, { method: card("tok_success") })
          yield* sandbox.at("sandbox_card_a").create(asked)
          yield* sandbox.at("sandbox_card_b").create(asked)
          const taken = yield* sandbox.ledger.movements(asked.paymentId)
          assert.deepStrictEqual(
            taken.map(({ kind, minorUnits, provider }) => `${provider} ${kind} ${minorUnits}`),
            ["sandbox_card_a capture 10000", "sandbox_card_b capture 10000"]
          )
        }).pipe(provided)
    )

    it.effect("a key that stands for another amount is answered as a duplicate, and takes nothing", () =>
      Effect.gen(function* () {
        const sandbox = yield* start
        const asked = operation(1, { method: card("tok_success") })
        yield* sandbox.at("sandbox_card_a").create(asked)
        const other = { ...asked, amount: { minorUnits: 1, currency: currency("INR") } }
        assert.deepInclude(yield* sandbox.at("sandbox_card_a").create(other), {
          _tag: "Unknown",
          reason: "duplicate"
        })
        assert.strictEqual((yield* sandbox.ledger.movements(asked.paymentId)).length, 1)
      }).pipe(provided)
    )

    it.effect("a writer that has seen an older entry changes nothing, and moves no money", () =>
      Effect.gen(function* () {
        const sandbox = yield* start
        const asked = operation(1, { method: card("tok_3ds") })
        yield* sandbox.at("sandbox_card_a").create(asked)
        const [entry] = yield* sandbox.ledger.findByPayment(asked.paymentId)
        assert(entry !== undefined)
        const canceled = {
          entry: { ...entry, state: "canceled", revision: entry.revision + 1 },
          movements: []
        } as const
        const capture = {
          provider: entry.provider,
          key: "late",
          operationId: null,
          paymentId: entry.paymentId,
          kind: "capture",
          minorUnits: 10_000,
          currency: entry.amount.currency,
          at: 1
        } as const
        assert.isTrue(yield* sandbox.ledger.advance(entry, canceled))
        assert.isFalse(
          yield* sandbox.ledger.advance(entry, {
            entry: { ...entry, state: "approved", revision: entry.revision + 1 },
            movements: [capture]
          })
        )
        assert.deepStrictEqual(yield* sandbox.ledger.findByPayment(asked.paymentId), [canceled.entry])
        assert.deepStrictEqual(yield* sandbox.ledger.movements(asked.paymentId), [])
      }).pipe(provided)
    )

    it.effect("reports each event once, regardless of the number of inquiries", () =>
      Effect.gen(function* () {
        const sandbox = yield* start
        const asked = operation(1, { method: upi })
        yield* sandbox.at("sandbox_upi_a").create(asked)
        yield* Effect.repeat(Effect.andThen(sandbox.inquire("sandbox_upi_a", asked), TestClock.adjust("500 millis")), {
          times: 10
        })
        yield* TestClock.adjust("1 hour")
        assert.deepStrictEqual(sandbox.kinds(), ["succeeded"])
        assert.strictEqual((yield* sandbox.ledger.movements(asked.paymentId)).length, 1)
      }).pipe(provided)
    )

    it.effect("a hold is captured at most once, in part or whole, and never over its amount", () =>
      Effect.gen(function* () {
        const sandbox = yield* start
        const { capture, create } = sandbox.at("sandbox_card_a")
        assert(capture !== undefined)
        const asked = operation(1, { method: card("tok_success"), captureMethod: "manual" })
        yield* create(asked)
        const of = (name: string, minorUnits: number) => capture(later(asked, "capture", name, minorUnits))
        assert.strictEqual((yield* Effect.flip(of("too-much", 10_001))).reason._tag, "InvalidRequest")
        const first = yield* of("part", 6_000)
        assert.deepStrictEqual(yield* of("part", 6_000), first)
        assert.strictEqual((yield* Effect.flip(of("rest", 4_000))).reason._tag, "InvalidRequest")
        assert.deepStrictEqual(
          (yield* sandbox.ledger.movements(asked.paymentId)).map(({ minorUnits }) => minorUnits),
          [6_000]
        )
      }).pipe(provided)
    )

    it.effect("refunds that run at the same time never exceed what was taken", () =>
      Effect.gen(function* () {
        const sandbox = yield* start
        const { create, refund } = sandbox.at("sandbox_card_a")
        assert(refund !== undefined)
        const asked = operation(1, { method: card("tok_success") })
        yield* create(asked)
        const exits = yield* Effect.all(
          ["r1", "r2", "r3"].map((name) => Effect.exit(refund(later(asked, "refund", name, 5_000)))),
          { concurrency: "unbounded" }
        )
        assert.strictEqual(exits.filter(Exit.isSuccess).length, 2)
        const refunds = (yield* sandbox.ledger.movements(asked.paymentId)).filter(({ kind }) => kind === "refund")
        assert.strictEqual(refunds.length, 2)
      }).pipe(provided)
    )

    it.effect("a canceled hold cannot be captured, and an inquiry says so", () =>
      Effect.gen(function* () {
        const sandbox = yield* start
        const { cancel, capture, create } = sandbox.at("sandbox_card_a")
        assert(cancel !== undefined && capture !== undefined)
        const asked = operation(1, { method: card("tok_success"), captureMethod: "manual" })
        yield* create(asked)
        yield* cancel(later(asked, "cancel", "c"))
        assert.strictEqual((yield* sandbox.inquire("sandbox_card_a", asked))._tag, "Canceled")
        const refused = yield* Effect.flip(capture(later(asked, "capture", "k")))
        assert.strictEqual(refused.reason._tag, "InvalidRequest")
      }).pipe(provided)
    )

    it.effect("a UPI link that is canceled takes no money any more; one that was paid cannot be canceled", () =>
      Effect.gen(function* () {
        const sandbox = yield* start
        const { cancel, create } = sandbox.at("sandbox_upi_a")
        assert(cancel !== undefined)
        const [open, paid] = [operation(1, { method: upi }), operation(2, { method: upi })]
        yield* create(open)
        yield* cancel(later(open, "cancel", "c1"))
        yield* create(paid)
        yield* TestClock.adjust("1 minute")
        const refused = yield* Effect.flip(cancel(later(paid, "cancel", "c2")))
        assert.strictEqual(refused.reason._tag, "InvalidRequest")
        const moved = (asked: typeof open) =>
          Effect.map(sandbox.ledger.movements(asked.paymentId), (all) => all.map(({ kind }) => kind))
        assert.deepStrictEqual([yield* moved(open), yield* moved(paid)], [["cancel"], ["capture"]])
        assert.strictEqual((yield* sandbox.inquire("sandbox_upi_a", open))._tag, "Canceled")
      }).pipe(provided)
    )
  })
}

describe("a book that cannot be written", () => {
  it.effect("makes the provider answer a server error, after which the outcome is unknown", () =>
    Effect.gen(function* () {
      const sandbox = yield* start
      const exit = yield* Effect.exit(sandbox.at("sandbox_upi_a").create(operation(1)))
      assert(Exit.isSuccess(exit), Exit.isFailure(exit) ? Cause.pretty(exit.cause) : "")
      assert.deepInclude(exit.value, { _tag: "Unknown", reason: "server_error" })
    }).pipe(Effect.provide(withNotifier(unmigrated)))
  )
})
