import {
  type Evidence,
  type InquiryOutcome,
  Outcome,
  type Provider,
  type ProviderError,
  type ProviderOperation
} from "@paymux/core"
import { Effect } from "effect"
import { type Bug, withOperations } from "../Bug.ts"

type Kind = "capture" | "refund" | "inquire"
type Call = (operation: ProviderOperation) => Effect.Effect<InquiryOutcome, ProviderError>

/** The provider with other successes of these calls. */
const succeeding = (
  provider: Provider,
  kinds: ReadonlyArray<Kind>,
  change: (answer: Outcome.Succeeded, operation: ProviderOperation) => InquiryOutcome
): Provider =>
  withOperations(provider, (operations) =>
    Object.fromEntries(
      kinds.flatMap((kind) => {
        const call: Call | undefined = operations[kind]
        if (call === undefined) return []
        const changed: Call = (operation) =>
          Effect.map(call(operation), (answer) => (answer._tag === "Succeeded" ? change(answer, operation) : answer))
        return [[kind, changed]]
      })
    )
  )

/** The provider whose webhooks say something else. */
const posting = (provider: Provider, change: (evidence: Evidence) => Evidence): Provider =>
  withOperations(provider, ({ webhook }) =>
    webhook === undefined
      ? {}
      : {
          webhook: (body, headers, receivedAt) =>
            Effect.map(webhook(body, headers, receivedAt), (reported) => reported.map(change))
        }
  )

const declaring = (provider: Provider, kind: "capture" | "refund", reports: "movement" | "total"): Provider => {
  const { operations } = provider.capabilities
  return {
    ...provider,
    capabilities: { ...provider.capabilities, operations: { ...operations, [kind]: { ...operations[kind], reports } } }
  }
}

const alone = (answer: Outcome.Succeeded, { amount }: ProviderOperation) => Outcome.succeeded({ ...answer, amount })
const named = (answer: Outcome.Succeeded, { id }: ProviderOperation) => Outcome.succeeded({ ...answer, reference: id })

const withAmount = (evidence: Evidence, minorUnits: number): Evidence =>
  "amount" in evidence.outcome && evidence.outcome.amount !== null
    ? { ...evidence, outcome: { ...evidence.outcome, amount: { ...evidence.outcome.amount, minorUnits } } }
    : evidence

const reported = ({ outcome }: Evidence): number => ("amount" in outcome ? (outcome.amount?.minorUnits ?? 0) : 0)

/** All that was refunded by now, in place of each refund's own amount. */
const refundedInAll = (provider: Provider): Provider => {
  const refunds = new Map<string, number>()
  return posting(provider, (evidence) => {
    if (evidence.outcome._tag !== "RefundSucceeded") return evidence
    refunds.set(evidence.outcome.reference ?? "", reported(evidence))
    return withAmount(
      evidence,
      [...refunds.values()].reduce((sum, each) => sum + each, 0)
    )
  })
}

/** What was captured since the last webhook, in place of all that the charge has captured. */
const latestCapture = (provider: Provider): Provider => {
  let before = 0
  return posting(provider, (evidence) => {
    if (evidence.outcome._tag !== "Captured") return evidence
    const all = reported(evidence)
    const latest = withAmount(evidence, all > before ? all - before : all)
    before = all
    return latest
  })
}

export const reportsBugs: ReadonlyArray<Bug> = [
  {
    check: "reports",
    name: "declares totals of captures and reports each of them alone",
    adapter: "acme",
    plant: (provider) => succeeding(provider, ["capture"], alone)
  },
  {
    check: "reports",
    name: "declares captures to be movements and reports totals",
    adapter: "acme",
    plant: (provider) => declaring(succeeding(provider, ["capture", "inquire"], named), "capture", "movement")
  },
  {
    check: "reports",
    name: "declares captures to be movements and reports them under the reference of the charge",
    adapter: "acme",
    plant: (provider) => declaring(succeeding(provider, ["capture"], alone), "capture", "movement")
  },
  {
    check: "reports",
    name: "declares totals of captures and reports them under references of their own",
    adapter: "acme",
    plant: (provider) => succeeding(provider, ["capture"], named)
  },
  {
    check: "reports",
    name: "reports refunds without a reference",
    adapter: "acme",
    plant: (provider) =>
      succeeding(provider, ["refund"], ({ amount }) => Outcome.succeeded({ ...(amount !== undefined && { amount }) }))
  },
  {
    check: "reports",
    name: "finds a refund under the reference of its order",
    adapter: "northbank",
    plant: (provider) =>
      succeeding(provider, ["inquire"], (answer, { original }) =>
        original === null ? answer : Outcome.succeeded({ ...answer, reference: original.reference ?? "none" })
      )
  },
  {
    check: "reports",
    name: "finds a refund under another reference than its reply has",
    adapter: "acme",
    plant: (provider) =>
      succeeding(provider, ["inquire"], (answer, operation) =>
        operation.kind === "refund" ? named(answer, operation) : answer
      )
  },
  {
    check: "reports",
    name: "reports all that was refunded in the webhook of each refund",
    adapter: "acme",
    plant: refundedInAll
  },
  {
    check: "reports",
    name: "reports the latest capture alone in the webhook of the charge",
    adapter: "acme",
    plant: latestCapture
  }
]
