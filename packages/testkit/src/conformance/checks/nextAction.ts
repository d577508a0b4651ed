import { flow, type NextAction } from "@paymux/core"
import { Clock, Effect } from "effect"
import type { ConformanceCheck } from "../ConformanceCheck.ts"
import type { Sample } from "../samples.ts"
import type { Ending, TestHarness, ConformanceContext } from "../ConformanceContext.ts"

export const nextAction: ConformanceCheck = {
  id: "next-action",
  title: "a payment that waits for its payer has a next action",
  why:
    "A create that is Pending waits for its payer. Without a `nextAction` the merchant has nothing to show: no page, " +
    "no link, no address. The payment waits until it expires, and the sale is lost.",
  howToFix:
    "Return `Outcome.pending({ reference, nextAction })` with the vendor's data: `redirect` for a page, `upi_intent` " +
    "or `upi_qr` for UPI, `stablecoin_transfer` for a transfer. Return it also when the same operation is sent again " +
    "under its key.",
  exempt: ({ capabilities: { methods } }) =>
    methods.upi === undefined && methods.stablecoin === undefined && methods.card?.flows.hosted === undefined
      ? "no declared flow has a step of the payer's"
      : null,
  check: (context) =>
    Effect.forEach(context.samples, (sample) => Effect.scoped(shown(context, sample)), { discard: true })
}

const shown = Effect.fnUntraced(function* (context: ConformanceContext, sample: Sample) {
  const types = wanted(sample)
  if (types === null) return
  const harness = yield* context.begin()
  const operation = yield* harness.create(sample, { scripted: "wait" })
  const first = yield* harness.send(operation)
  yield* hasAction(harness, types, `a ${sample.name} create whose payer has not acted yet`, first)
  const by = context.capabilities.operations.create.idempotency?.by
  if (by !== "header" && by !== "body") return
  const again = yield* (yield* harness.restart).send(harness.again(operation, first))
  yield* hasAction(harness, types, `the same ${sample.name} create, sent again`, again)
})

const hasAction = Effect.fnUntraced(function* (
  harness: TestHarness,
  types: ReadonlyArray<NextAction["type"]>,
  tried: string,
  seen: Ending
) {
  if (seen._tag === "Answered" && seen.answer._tag !== "Pending") return
  const action = seen._tag === "Answered" && seen.answer._tag === "Pending" ? seen.answer.nextAction : undefined
  const isOpen = action?.expiresAt === null || (action?.expiresAt ?? 0) > (yield* Clock.currentTimeMillis)
  yield* harness.expect(action !== undefined && types.includes(action.type) && isUsable(action) && isOpen, {
    tried,
    expected: `Pending with a nextAction ${types.join(" or ")} that can be followed, and has not expired`,
    seen
  })
})

/** `null`: nothing that the payer must see. */
const wanted = ({ method }: Sample): ReadonlyArray<NextAction["type"]> | null => {
  switch (flow(method)) {
    case "intent":
      return ["upi_intent", "redirect"]
    case "qr":
      return ["upi_qr"]
    case "collect":
    case "token":
      return null
    case "hosted":
      return ["redirect"]
    case "transfer":
      return ["stablecoin_transfer", "redirect"]
  }
}

const isUsable = (action: NextAction): boolean => {
  switch (action.type) {
    case "redirect":
      return /^https?:/.test(action.url) && URL.canParse(action.url)
    case "upi_intent":
      return /^[a-z][a-z0-9+.-]*:/i.test(action.uri)
    case "upi_qr":
      return (action.payload ?? action.image ?? "") !== ""
    case "stablecoin_transfer":
      return (
        action.address !== "" && action.uri !== "" && /^\d+(\.\d+)?$/.test(action.amount) && Number(action.amount) > 0
      )
    case "wait":
      return true
  }
}
