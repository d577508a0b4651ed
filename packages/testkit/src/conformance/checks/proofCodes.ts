/** Codes that a vendor answers with, and whether they prove that nothing was executed. */
import type { OperationKind } from "@paymux/core"
import { Effect } from "effect"
import type { Sample } from "../samples.ts"
import type { Ending, TestHarness, ConformanceContext } from "../ConformanceContext.ts"
import { requestsOfCreate } from "./faults.ts"
import { laterKind } from "./laterKinds.ts"

/** Of no vendor. */
export const inventedCode = "conformance_unheard_of"

/** Only where the fake can say them: `proof` of its definition. */
export const proofs = Effect.fnUntraced(function* (context: ConformanceContext, kind: OperationKind) {
  for (const code of context.capabilities.operations[kind]?.proof ?? []) {
    yield* Effect.scoped(proof(context, kind, code, true))
    yield* Effect.scoped(proof(context, kind, inventedCode, false))
  }
})

/** A vendor of two requests may have it for one of them: a code proves something if any answers it so. */
const proof = Effect.fnUntraced(function* (
  context: ConformanceContext,
  kind: OperationKind,
  code: string,
  isDeclared: boolean
) {
  const [sample] = context.samples
  if (sample === undefined) return
  const requests = kind === "create" ? yield* requestsOfCreate(context, sample) : 1
  let unproven: { readonly harness: TestHarness; readonly ending: Ending } | null = null
  for (let request = requests - 1; request >= 0; request--) {
    const subject = yield* operationOf(context, kind, sample)
    const network = subject?.harness.vendor.network
    if (subject === null || network?.proof === undefined) return
    const { operation, harness } = subject
    yield* network.failNext({ executed: false, reply: network.proof(code) }, request)
    const ending = yield* harness.send(operation)
    if (!isDeclared) yield* isNoProof(harness, kind, ending)
    else if (isProof(ending, code)) return
    else unproven = { harness, ending }
  }
  if (unproven === null) return
  yield* unproven.harness.broken({
    tried: `a ${kind} that the vendor answers with "${code}", which is declared as proof that nothing was executed`,
    expected: `NotExecuted { reason: "proof_code", vendorCode: "${code}" }`,
    seen: unproven.ending
  })
})

const operationOf = Effect.fnUntraced(function* (context: ConformanceContext, kind: OperationKind, sample: Sample) {
  if (kind === "create") {
    const harness = yield* context.begin()
    return { harness, operation: yield* harness.create(sample) }
  }
  const found = yield* laterKind(context, kind)
  return found === null ? null : { harness: found.harness, operation: yield* found.harness.later(kind, found.made) }
})

const isProof = (ending: Ending, code: string): boolean =>
  ending._tag === "Answered" &&
  ending.answer._tag === "NotExecuted" &&
  ending.answer.reason === "proof_code" &&
  ending.answer.vendorCode === code

const isNoProof = (harness: TestHarness, kind: OperationKind, ending: Ending) =>
  harness.expect(
    ending._tag === "Failed" ||
      (ending._tag === "Answered" && ending.answer._tag !== "NotExecuted" && ending.answer._tag !== "Declined"),
    {
      tried: `a ${kind} that the vendor answers with "${inventedCode}", which is not declared as proof`,
      expected: "Unknown: no response said that nothing was executed",
      seen: ending
    }
  )
