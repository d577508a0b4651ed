import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import type { InquiryOutcome, ProviderOperation } from "@paymux/core"
import { books, withNotifier } from "./Books.ts"
import { card, collect, operation, stablecoin, start } from "./Harness.ts"

const memory = withNotifier(books[0].layer)
const scenario = (name: string) => ({ sandbox_scenario: name })
const approving = { email: "payer@example.com", phone: "+919999999999", name: null, address: null }

/** What the answer comes to, in one word. */
const word = (answer: InquiryOutcome): string => {
  switch (answer._tag) {
    case "Declined":
      return `declined ${answer.code}`
    case "Pending":
      return `pending ${answer.awaitingFinality ? "finality" : (answer.nextAction?.type ?? "-")}`
    case "NotExecuted":
    case "Unknown":
      return answer.reason
    default:
      return answer._tag.toLowerCase()
  }
}

interface Row {
  readonly given: string
  readonly provider: string
  readonly change: Partial<ProviderOperation>
  /** The reply; `null`: it never comes. */
  readonly reply: string | null
  /** What an inquiry finds after ten seconds, and what was reported by then. */
  readonly later: string
  readonly notified: ReadonlyArray<string>
  readonly captured: ReadonlyArray<number>
}

const row = (
  given: string,
  provider: string,
  change: Partial<ProviderOperation>,
  [reply, later, notified, captured]: [string | null, string, ReadonlyArray<string>, ReadonlyArray<number>]
): Row => ({ given, provider: `sandbox_${provider}`, change, reply, later, notified, captured })

const rows: ReadonlyArray<Row> = [
  // without a trigger: a payer who approves after two seconds
  row("nothing", "upi_a", {}, ["pending upi_intent", "succeeded", ["succeeded"], [10_000]]),
  row("the QR flow", "upi_a", { method: { rail: "upi", flow: "qr", vpa: null } }, [
    "pending upi_qr",
    "succeeded",
    ["succeeded"],
    [10_000]
  ]),
  row("any UPI id", "upi_b", { method: collect("asha@bank") }, ["pending wait", "succeeded", ["succeeded"], [10_000]]),
  row("a card without details", "card_a", { method: card() }, [
    "pending redirect",
    "succeeded",
    ["succeeded"],
    [10_000]
  ]),
  row("a card without details, captured later", "card_a", { method: card(), captureMethod: "manual" }, [
    "pending redirect",
    "authorized",
    ["authorized"],
    []
  ]),
  row("a stablecoin without details", "stablecoin_a", { method: stablecoin }, [
    "pending stablecoin_transfer",
    "succeeded",
    ["detected", "succeeded"],
    [10_000]
  ]),

  // phone
  row("the approving phone", "upi_a", { customer: approving }, ["succeeded", "succeeded", [], [10_000]]),
  row("the approving phone", "card_b", { customer: approving, method: card() }, [
    "succeeded",
    "succeeded",
    [],
    [10_000]
  ]),
  row("the approving phone", "stablecoin_b", { customer: approving, method: stablecoin }, [
    "succeeded",
    "succeeded",
    [],
    [10_000]
  ]),

  // UPI ids
  row("success@paymux", "upi_a", { method: collect("success@paymux") }, ["succeeded", "succeeded", [], [10_000]]),
  row("Success@PayMux", "upi_a", { method: collect("Success@PayMux") }, ["succeeded", "succeeded", [], [10_000]]),
  row("failure@paymux", "upi_a", { method: collect("failure@paymux") }, [
    "declined generic_decline",
    "declined generic_decline",
    [],
    []
  ]),
  row("pending@paymux", "upi_a", { method: collect("pending@paymux") }, ["pending wait", "pending wait", [], []]),
  row("timeout@paymux", "upi_b", { method: collect("timeout@paymux") }, [null, "succeeded", [], [10_000]]),

  // card tokens
  row("tok_success", "card_a", { method: card("tok_success") }, ["succeeded", "succeeded", [], [10_000]]),
  row("tok_success, captured later", "card_a", { method: card("tok_success"), captureMethod: "manual" }, [
    "authorized",
    "authorized",
    [],
    []
  ]),
  row("tok_declined", "card_a", { method: card("tok_declined") }, [
    "declined generic_decline",
    "declined generic_decline",
    [],
    []
  ]),
  row("tok_insufficient_funds", "card_a", { method: card("tok_insufficient_funds") }, [
    "declined insufficient_funds",
    "declined insufficient_funds",
    [],
    []
  ]),
  row("tok_3ds", "card_a", { method: card("tok_3ds") }, ["pending redirect", "pending redirect", [], []]),
  row("tok_timeout", "card_b", { method: card("tok_timeout") }, [null, "succeeded", [], [10_000]]),
  row("an unknown token", "card_a", { method: card("pm_123") }, [
    "declined invalid_number",
    "declined invalid_number",
    [],
    []
  ]),
  row("a token named like a member of every object", "card_a", { method: card("toString") }, [
    "declined invalid_number",
    "declined invalid_number",
    [],
    []
  ]),

  // transfers
  row("exact", "stablecoin_a", { method: stablecoin, metadata: { sandbox_transfer: "exact" } }, [
    "pending stablecoin_transfer",
    "succeeded",
    ["detected", "succeeded"],
    [10_000]
  ]),
  row("under", "stablecoin_a", { method: stablecoin, metadata: { sandbox_transfer: "under" } }, [
    "pending stablecoin_transfer",
    "succeeded",
    ["detected", "succeeded"],
    [5_000]
  ]),
  row("over", "stablecoin_a", { method: stablecoin, metadata: { sandbox_transfer: "over" } }, [
    "pending stablecoin_transfer",
    "succeeded",
    ["detected", "succeeded"],
    [10_000]
  ]),
  row("wrong_asset", "stablecoin_a", { method: stablecoin, metadata: { sandbox_transfer: "wrong_asset" } }, [
    "pending stablecoin_transfer",
    "succeeded",
    ["detected", "succeeded"],
    []
  ]),
  row("reorg", "stablecoin_a", { method: stablecoin, metadata: { sandbox_transfer: "reorg" } }, [
    "pending stablecoin_transfer",
    "pending stablecoin_transfer",
    ["detected", "retracted"],
    []
  ]),
  row("a transfer on another rail", "upi_a", { metadata: { sandbox_transfer: "under" } }, [
    "pending upi_intent",
    "succeeded",
    ["succeeded"],
    [10_000]
  ]),

  // scenarios
  row("primary_down", "upi_a", { metadata: scenario("primary_down") }, ["not_sent", "notfound", [], []]),
  row("primary_down", "upi_b", { metadata: scenario("primary_down") }, [
    "pending upi_intent",
    "succeeded",
    ["succeeded"],
    [10_000]
  ]),
  row("primary_timeout", "card_a", { method: card("tok_success"), metadata: scenario("primary_timeout") }, [
    null,
    "succeeded",
    [],
    [10_000]
  ]),
  row("primary_timeout", "card_b", { method: card("tok_success"), metadata: scenario("primary_timeout") }, [
    "succeeded",
    "succeeded",
    [],
    [10_000]
  ]),
  row("primary_reset", "upi_a", { metadata: scenario("primary_reset") }, ["reset", "succeeded", [], [10_000]]),
  row("primary_reset", "card_b", { method: card("tok_success"), metadata: scenario("primary_reset") }, [
    "succeeded",
    "succeeded",
    [],
    [10_000]
  ]),
  row("primary_5xx", "upi_a", { metadata: scenario("primary_5xx") }, ["server_error", "notfound", [], []]),
  row("primary_5xx", "upi_b", { metadata: scenario("primary_5xx"), method: collect("success@paymux") }, [
    "succeeded",
    "succeeded",
    [],
    [10_000]
  ]),
  row("late_success", "card_b", { method: card("tok_success"), metadata: scenario("late_success") }, [
    "declined processing_error",
    "succeeded",
    ["succeeded"],
    [10_000]
  ]),
  row("all_down", "card_a", { method: card("tok_success"), metadata: scenario("all_down") }, [
    "not_sent",
    "notfound",
    [],
    []
  ]),
  row("all_down", "card_b", { method: card("tok_success"), metadata: scenario("all_down") }, [
    "not_sent",
    "notfound",
    [],
    []
  ]),
  row("an unknown scenario", "card_a", { method: card("tok_declined"), metadata: scenario("toString") }, [
    "declined generic_decline",
    "declined generic_decline",
    [],
    []
  ]),

  // precedence: scenario, token or UPI id or transfer, phone
  row(
    "a scenario and a token and a phone",
    "card_a",
    {
      customer: approving,
      method: card("tok_declined"),
      metadata: scenario("primary_5xx")
    },
    ["server_error", "notfound", [], []]
  ),
  row("a token and a phone", "card_a", { customer: approving, method: card("tok_declined") }, [
    "declined generic_decline",
    "declined generic_decline",
    [],
    []
  ]),
  row("a UPI id and a phone", "upi_a", { customer: approving, method: collect("failure@paymux") }, [
    "declined generic_decline",
    "declined generic_decline",
    [],
    []
  ]),
  row(
    "a transfer and a phone",
    "stablecoin_a",
    {
      customer: approving,
      method: stablecoin,
      metadata: { sandbox_transfer: "reorg" }
    },
    ["pending stablecoin_transfer", "pending stablecoin_transfer", ["detected", "retracted"], []]
  )
]

describe("a simulated provider, by what it is given", () => {
  for (const { captured, change, given, later, provider, reply, notified } of rows) {
    it.effect(`${given} at ${provider}: ${reply ?? "no reply"}, then ${later}`, () =>
      Effect.gen(function* () {
        const sandbox = yield* start
        const asked = operation(1, change)
        let replied: string | null = null
        yield* Effect.forkScoped(
          Effect.map(sandbox.at(provider).create(asked), (answer) => {
            replied = word(answer)
          })
        )
        yield* TestClock.adjust(1)
        assert.strictEqual(replied, reply)
        yield* TestClock.adjust("10 seconds")
        assert.strictEqual(replied, reply)
        assert.deepStrictEqual(sandbox.kinds(), notified)
        assert.deepStrictEqual(
          (yield* sandbox.ledger.movements(asked.paymentId)).map(({ minorUnits }) => minorUnits),
          captured
        )
        assert.strictEqual(word(yield* sandbox.inquire(provider, asked)), later)
      }).pipe(Effect.provide(memory))
    )
  }

  it.effect("the payer approves after two seconds, not before, and is notified then", () =>
    Effect.gen(function* () {
      const sandbox = yield* start
      yield* sandbox.at("sandbox_upi_a").create(operation(1))
      yield* TestClock.adjust(1_999)
      assert.deepStrictEqual(sandbox.kinds(), [])
      assert.strictEqual(word(yield* sandbox.inquire("sandbox_upi_a", operation(1))), "pending upi_intent")
      yield* TestClock.adjust(1)
      assert.deepStrictEqual(
        sandbox.emitted.map(({ occurredAt, source }) => ({ occurredAt, source })),
        [{ occurredAt: 2_000, source: "observed" }]
      )
    }).pipe(Effect.provide(memory))
  )

  it.effect("under and wrong_asset claim another amount than asked, over claims the amount asked", () =>
    Effect.gen(function* () {
      const sandbox = yield* start
      const names = ["under", "over", "wrong_asset"]
      for (const [n, name] of names.entries()) {
        const asked = operation(n, { method: stablecoin, metadata: { sandbox_transfer: name } })
        yield* sandbox.at("sandbox_stablecoin_a").create(asked)
      }
      yield* TestClock.adjust("3 seconds")
      const claims = sandbox.emitted.flatMap(({ outcome }) =>
        outcome._tag === "Detected"
          ? [`detected ${outcome.amount?.minorUnits} ${outcome.asset}`]
          : outcome._tag === "Succeeded"
            ? [`succeeded ${outcome.amount?.minorUnits}`]
            : []
      )
      assert.sameMembers(claims, [
        "detected 5000 USDC",
        "detected 11000 USDC",
        "detected 10000 WETH",
        "succeeded 5000",
        "succeeded 10000",
        "succeeded 0"
      ])
    }).pipe(Effect.provide(memory))
  )
})
