import type { OperationKind, PaymentId, ProviderOperation } from "@paymux/core"
import { Effect } from "effect"
import type { ConformanceCheck } from "../ConformanceCheck.ts"
import type { ConformanceContext, TestHarness } from "../ConformanceContext.ts"
import { laterBy } from "../otherTime.ts"
import type { Sample } from "../samples.ts"
import { laterKind } from "./laterKinds.ts"
import { answeredTag, effects } from "./ledgerTruth.ts"

export const lostCommit: ConformanceCheck = {
  id: "lost-commit",
  title: "a request that is repeated after its commit was lost has one effect",
  why:
    "After a restore, or a failover to a standby that was behind, the database has lost its last commits, and the vendor has " +
    "acted on them. The client repeats its request under its key. The engine sends it with the same `id` and `key`, an hour " +
    "later, for a payment with another id. If the vendor treats it as another request, the payer pays twice.",
  howToFix:
    "Make the request of the operation's content, `id` and `key` only. Do not send `paymentId`, or a time that is computed " +
    "from `createdAt` or `deadlineAt`, if the vendor compares the body of a repeat with the first. If the vendor refuses the " +
    "repeat, answer `Unknown`, and let the inquiry find the first by `operation.id`.",
  check: (context) =>
    Effect.gen(function* () {
      if (isIdentified(context, "create")) {
        for (const sample of context.samples) yield* Effect.scoped(create(context, sample))
      }
      for (const kind of ["capture", "refund"] as const) {
        if (isIdentified(context, kind)) yield* Effect.scoped(later(context, kind))
      }
    })
}

/** Whether the vendor knows a repeat by its key or by our reference. */
const isIdentified = ({ capabilities }: ConformanceContext, kind: OperationKind): boolean => {
  const by = capabilities.operations[kind]?.idempotency?.by
  return by === "header" || by === "body" || by === "reference"
}

const create = Effect.fnUntraced(function* (context: ConformanceContext, sample: Sample) {
  const harness = yield* context.begin()
  const operation = yield* harness.create(sample)
  yield* harness.send(operation)
  yield* isRepeated(harness, operation, `a ${sample.name} create`)
})

const later = Effect.fnUntraced(function* (context: ConformanceContext, kind: "capture" | "refund") {
  const found = yield* laterKind(context, kind)
  if (found === null) return
  const { harness, made } = found
  const operation = yield* harness.later(kind, made)
  yield* harness.send(operation)
  yield* isRepeated(harness, operation, `a ${kind}`)
})

/** Another instance, which remembers nothing, sends it an hour later. */
const isRepeated = Effect.fnUntraced(function* (harness: TestHarness, operation: ProviderOperation, name: string) {
  const done = yield* effects(harness)
  const instance = yield* harness.at(harness.vendor)
  const repeated = afterLoss(operation)
  const seen = yield* laterBy(hour, instance.send(repeated))
  const tried = `${name}, and the same request again an hour later, as after a lost commit`
  const effect = yield* effects(harness)
  yield* harness.expect(effect === done, { tried, expected: `done once at the vendor: ${done}`, seen: effect })
  const tag = answeredTag(seen)
  yield* harness.expect(tag !== null && !failures.has(tag), {
    tried,
    expected: "the result of the first, or Unknown: nothing that says it was not done",
    seen
  })
  if (tag !== "Unknown" || instance.operations.inquire === undefined) return
  const found = yield* laterBy(hour, instance.inquire(instance.again(repeated, seen)))
  yield* harness.expect(!failures.has(answeredTag(found) ?? "Unknown"), {
    tried: `${tried}; then an inquiry`,
    expected: "the first: it was done",
    seen: found
  })
})

const afterLoss = (operation: ProviderOperation): ProviderOperation => ({
  ...operation,
  paymentId: `pay_${globalThis.crypto.randomUUID().replaceAll("-", "").slice(0, 26)}` as PaymentId,
  reference: null,
  createdAt: operation.createdAt + hour,
  deadlineAt: operation.deadlineAt + hour
})

const failures = new Set(["Declined", "NotExecuted", "NotFound", "Canceled", "Expired"])

/** ms */
const hour = 3_600_000
