import { Effect } from "effect"
import { describeFault, type Fault } from "../../fake/Fault.ts"
import type { Law } from "../Law.ts"
import type { Sample } from "../samples.ts"
import type { Stand, Trial } from "../Trial.ts"
import { requestsOfCreate, someNoAnswers } from "./faults.ts"

export const oneEffect: Law = {
  id: "one-effect",
  title: "the same operation has one effect, however often it is sent",
  why:
    "After a lost reply, a timeout or a crash the engine sends the same operation again, under the same key. If the " +
    "vendor takes it for a new one, the payer pays twice.",
  mend:
    "Send `operation.key` as the vendor's idempotency key: format it, never make another. Where the vendor has no keys, " +
    "name the payment by `operation.id` so that a second one is refused, or declare `lookup` and look before you send.",
  exempt: ({ capabilities }) =>
    (capabilities.operations.create.idempotency?.by ?? "none") === "none"
      ? "it declares no idempotency, so the engine sends nothing twice"
      : null,
  check: (trial) =>
    Effect.gen(function* () {
      for (const sample of trial.samples) {
        yield* Effect.scoped(sentTwice(trial, sample))
        const requests = yield* requestsOfCreate(trial, sample)
        for (let request = 0; request < requests; request++) {
          for (const fault of someNoAnswers) yield* Effect.scoped(sentAgain(trial, sample, fault, request))
        }
      }
    })
}

const sentTwice = Effect.fnUntraced(function* (trial: Trial, sample: Sample) {
  const stand = yield* trial.begin()
  const operation = yield* stand.create(sample)
  const first = yield* stand.send(operation)
  yield* stand.send(stand.again(operation, first))
  yield* one(trial, stand, `a ${sample.name} create, and the same operation again`)
})

const sentAgain = Effect.fnUntraced(function* (trial: Trial, sample: Sample, fault: Fault, request: number) {
  const stand = yield* trial.begin()
  const operation = yield* stand.create(sample)
  yield* stand.vendor.network?.failNext(fault, request) ?? Effect.void
  const first = yield* stand.send(operation)
  yield* (yield* stand.restart).send(stand.again(operation, first))
  yield* one(
    trial,
    stand,
    `a ${sample.name} create, its request ${request + 1}: ${describeFault(fault)}; then the same operation again`
  )
})

const one = Effect.fnUntraced(function* ({ capabilities }: Trial, stand: Stand, tried: string) {
  const { length } = yield* stand.vendor.payments
  // A duplicate that was refused is inquired about: what did not come about then is sent no more.
  const least = capabilities.operations.create.idempotency?.by === "reference" ? 0 : 1
  yield* stand.expect(length === 1 || length === least, {
    tried,
    expected: "one payment at the vendor",
    seen: `${length} payments`
  })
})
