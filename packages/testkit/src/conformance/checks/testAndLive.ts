import type { ProviderMode } from "@paymux/core"
import { Effect } from "effect"
import type { Vendor, VendorNetwork } from "../../fake/Vendor.ts"
import type { ConformanceCheck } from "../ConformanceCheck.ts"
import type { Ending, TestHarness, ConformanceContext } from "../ConformanceContext.ts"
import { describeReceived, expectOf, receive } from "./receiving.ts"
import { laterKinds } from "./laterKinds.ts"
import { leakIn } from "./leaks.ts"

export const testAndLive: ConformanceCheck = {
  id: "test-and-live",
  title: "the credentials determine test or live mode, and the modes never mix",
  why:
    "The engine sends test payments to test instances, and live payments to live instances. An instance with the " +
    "wrong mode takes real money for a test, or ships goods for test money. A refused key is not a decline of the " +
    "payer.",
  howToFix:
    "Derive `mode` from the credentials, as the vendor marks them. Fail with `misconfigured` for 401, and for 403 " +
    "without a code that is about something else, also in an inquiry. Read keys only from the options, and verify " +
    "webhooks only with the secrets of this instance.",
  check: (context) =>
    Effect.gen(function* () {
      for (const mode of modes) yield* Effect.scoped(knowsItsMode(context, mode))
      for (const mode of modes) {
        yield* Effect.scoped(otherCredentials(context, mode))
        yield* Effect.scoped(otherWebhooks(context, mode))
      }
      yield* carriesItsOwn(context)
    })
}

const modes = ["test", "live"] as const

const knowsItsMode = Effect.fnUntraced(function* (context: ConformanceContext, mode: ProviderMode) {
  const { expect, provider, vendor } = yield* context.begin(mode)
  // Without a network there may be no credentials: what only simulates is always a test.
  yield* expect(provider.mode === mode || (vendor.network === null && provider.mode === "test"), {
    tried: `an instance with ${mode} credentials`,
    expected: `the mode "${mode}"`,
    seen: `the mode "${provider.mode}"`
  })
})

const otherCredentials = Effect.fnUntraced(function* (context: ConformanceContext, mode: ProviderMode) {
  const [sample] = context.samples
  const harness = yield* context.begin(mode)
  const { network } = harness.vendor
  if (network === null || sample === undefined) return
  const other = yield* harness.at(network.withOtherCredentials)
  const tried = (what: string) => `${what} at a ${mode} account, with credentials of the other mode`
  const operation = yield* other.create(sample)
  yield* misconfigured(other, tried("a create"), yield* other.send(operation))
  const taken = yield* harness.vendor.payments
  yield* harness.expect(taken.length === 0, {
    tried: tried("a create"),
    expected: "nothing is executed",
    seen: `${taken.length} payments at the vendor`
  })
  if (other.operations.inquire !== undefined)
    yield* knowsNothing(other, tried("an inquiry"), yield* other.inquire(operation))
  if (mode === "test") yield* laterOperations(context, tried)
})

const laterOperations = Effect.fnUntraced(function* (context: ConformanceContext, tried: (what: string) => string) {
  for (const { kind, made, harness } of yield* laterKinds(context)) {
    if (harness.vendor.network === null) continue
    const other = yield* harness.at(harness.vendor.network.withOtherCredentials)
    const before = JSON.stringify(yield* harness.vendor.payments)
    yield* misconfigured(other, tried(`a ${kind}`), yield* other.send(yield* harness.later(kind, made)))
    yield* harness.expect(JSON.stringify(yield* harness.vendor.payments) === before, {
      tried: tried(`a ${kind}`),
      expected: "nothing is executed",
      seen: "the vendor's ledger changed"
    })
  }
})

const misconfigured = ({ expect }: TestHarness, tried: string, seen: Ending) =>
  expect(seen._tag === "Failed" && seen.error.reason._tag === "Misconfigured", {
    tried,
    expected: 'a ProviderError { _tag: "Misconfigured" }',
    seen
  })

/** A definite answer would settle a payment that was never looked at. */
const knowsNothing = ({ expect }: TestHarness, tried: string, seen: Ending) =>
  expect(seen._tag === "Failed" || (seen._tag === "Answered" && seen.answer._tag === "Unknown"), {
    tried,
    expected: 'a ProviderError { _tag: "Misconfigured" } or Unknown: the question was not answered',
    seen
  })

const otherWebhooks = Effect.fnUntraced(function* (context: ConformanceContext, mode: ProviderMode) {
  const [sample] = context.samples
  const harness = yield* context.begin(mode)
  const { webhooks } = harness.vendor
  if (webhooks === null || sample === undefined) return
  yield* harness.paid(sample)
  const events = (yield* webhooks.events).slice(0, 1)
  const other = mode === "test" ? "live" : "test"
  const delivery = yield* webhooks.deliver(events, { mode: other })
  const received = yield* receive(harness, delivery)
  yield* expectOf(harness, delivery, received._tag === "Refused", {
    tried: `a webhook of the ${other} account, at a ${mode} instance`,
    expected: "WebhookRefused",
    seen: describeReceived(received)
  })
})

/** Which secret belongs to which mode does not matter here: none may be seen in both. */
const carriesItsOwn = Effect.fnUntraced(function* (context: ConformanceContext) {
  const inTest = yield* Effect.scoped(secretsCarried(context, "test"))
  const inLive = yield* Effect.scoped(secretsCarried(context, "live"))
  const both = inTest.find((secret) => inLive.includes(secret))
  if (both === undefined) return
  yield* Effect.scoped(
    Effect.flatMap(context.begin("live"), ({ broken }) =>
      broken({
        tried: "a create and what follows, by a test instance and by a live one",
        expected: "each request carries credentials of its own mode only",
        seen: `the requests of both carry the secret "${both.slice(0, 4)}…"`
      })
    )
  )
})

const secretsCarried = Effect.fnUntraced(function* (context: ConformanceContext, mode: ProviderMode) {
  const harness = yield* context.begin(mode)
  const { network } = harness.vendor
  if (network === null) return []
  for (const sample of context.samples) {
    const operation = yield* harness.create(sample)
    const seen = yield* harness.send(operation)
    if (harness.operations.inquire !== undefined) yield* harness.inquire(harness.again(operation, seen))
  }
  const carried = yield* textOf(network)
  const onlyOnce = network.secrets.filter((secret, _, all) => all.indexOf(secret) === all.lastIndexOf(secret))
  return onlyOnce.filter((secret) => leakIn(carried, [{ kind: "a secret", text: secret }]) !== null)
})

const textOf = ({ requests }: VendorNetwork<Vendor>): Effect.Effect<string> =>
  Effect.map(requests, (seen) =>
    seen.map(({ body, headers, path }) => [path, ...Object.values(headers), body].join("\n")).join("\n")
  )
