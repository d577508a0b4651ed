/**
 * Tries the Cashfree adapter on Cashfree's own sandbox: `pnpm sandbox cashfree`, with `CASHFREE_CLIENT_ID` and
 * `CASHFREE_CLIENT_SECRET` of the sandbox in the environment. Payments by intent and QR code need the S2S flag. The sandbox
 * has no payer: each of these payments' end is simulated, and the page of a link is closed.
 */
import type { Currency, IdempotencyKey, InquiryOutcome, OperationId, PaymentId, ProviderOperation } from "@paymux/core"
import { Clock, Effect, Redacted } from "effect"
import { randomUUID } from "node:crypto"
import { cashfree, simulatePayment, type Simulation } from "../../packages/adapters/cashfree/src/index.ts"

const { CASHFREE_CLIENT_ID: clientId = "", CASHFREE_CLIENT_SECRET: clientSecret = "" } = process.env

const refused = (): string | null => {
  const keys = Object.entries({ CASHFREE_CLIENT_ID: clientId, CASHFREE_CLIENT_SECRET: clientSecret })
  const missing = keys.filter(([, value]) => value === "").map(([name]) => name)
  if (missing.length > 0) return `Not run: ${missing.join(" and ")} of Cashfree's sandbox not in the environment.`
  // Stricter than the adapter: what has no mark of the sandbox may be of production.
  return clientId.startsWith("TEST") && clientSecret.startsWith("cfsk_ma_test_")
    ? null
    : "Not run: these are not marked as keys of the sandbox (client id TEST…, client secret cfsk_ma_test_…)."
}

const program = Effect.gen(function* () {
  const instance = cashfree({ environment: "sandbox", clientId, clientSecret, s2s: true })
  const { cancel, create, inquire, refund } = yield* instance.make({
    id: instance.id,
    publicUrl: "https://pay.example",
    checkpoint: () => Effect.void,
    state: {
      get: () => Effect.succeed(null),
      compareAndSet: () => Effect.succeed(true),
      next: () => Effect.succeed(1)
    },
    emit: () => Effect.void
  })
  if (cancel === undefined || inquire === undefined || refund === undefined) {
    return yield* Effect.die(new Error("they are declared"))
  }

  const results: Array<boolean> = []
  const check = (what: string, holds: boolean, seen: InquiryOutcome) => {
    results.push(holds)
    console.log(`${holds ? "as expected" : "DIFFERS    "}  ${what}: ${JSON.stringify(seen)}`)
  }

  /** Asked until it is decided, a minute at most. */
  const decided = Effect.fnUntraced(function* (operation: ProviderOperation) {
    for (let tries = 0; ; tries++) {
      const found: InquiryOutcome = yield* inquire(operation)
      if (found._tag !== "Pending" || tries === 20) return found
      yield* Effect.sleep("3 seconds")
    }
  })
  const simulated = (orderId: string, outcome: Pick<Simulation, "status" | "errorCode">) =>
    simulatePayment({ clientId, clientSecret: Redacted.make(clientSecret), orderId, ...outcome })

  const linked = yield* newOperation("hosted", 17_050)
  const opened = yield* create(linked)
  check("a page of 170.50 is shown", opened._tag === "Pending" && opened.nextAction?.type === "redirect", opened)
  const reference = opened.reference ?? null
  const { key } = yield* newOperation("hosted", 17_050)
  const same = yield* create({ ...linked, key })
  check("sent again under another key, it is the same page", same.reference === reference, same)
  const left = yield* cancel(yield* laterOperation("cancel", { ...linked, reference }, 17_050))
  check("and closed", left._tag === "Succeeded", left)
  const ended = yield* inquire({ ...linked, reference })
  check("and found closed", ended._tag === "Canceled", ended)

  const paid = yield* newOperation("intent", 17_050)
  const shown = yield* create(paid)
  check("an intent of 170.50 is shown", shown._tag === "Pending" && shown.nextAction?.type === "upi_intent", shown)
  const again = yield* create({ ...paid, reference: shown.reference ?? null })
  check("sent again, it is the same order", again.reference === shown.reference, again)
  yield* simulated(paid.id, { status: "SUCCESS" })
  const success = yield* decided(paid)
  check("and is paid", success._tag === "Succeeded" && success.amount?.minorUnits === 17_050, success)

  const part = yield* laterOperation("refund", paid, 1_005)
  const given = yield* refund(part)
  check("10.05 of it is given back", given._tag === "Succeeded" || given._tag === "Pending", given)
  const found = yield* inquire(part)
  check("and found again", found._tag === given._tag || found._tag === "Succeeded", found)

  const failed = yield* newOperation("qr", 100)
  const code = yield* create(failed)
  check("a code of 1.00 is shown", code._tag === "Pending" && code.nextAction?.type === "upi_qr", code)
  yield* simulated(failed.id, { status: "FAILED", errorCode: "ISSUER_NOT_AVAILABLE" })
  const failure = yield* decided(failed)
  check("and fails", failure._tag === "Declined", failure)

  const closed = yield* newOperation("intent", 100)
  check("another is shown", true, yield* create(closed))
  const closing = yield* laterOperation("cancel", closed, 100)
  const answer = yield* cancel(closing)
  check("and closed", answer._tag === "Succeeded" || answer._tag === "Pending", answer)
  const nothing = yield* inquire(yield* newOperation("intent", 100))
  check("of what was never sent nothing is known", nothing._tag === "NotFound", nothing)
  if (results.includes(false)) process.exitCode = 1
})

const newOperation = (flow: "intent" | "qr" | "hosted", minorUnits: number): Effect.Effect<ProviderOperation> =>
  Effect.map(Clock.currentTimeMillis, (now) => ({
    id: `op_${unique()}` as OperationId,
    kind: "create",
    paymentId: `pay_${unique()}` as PaymentId,
    amount: { minorUnits, currency: "INR" as string as Currency.Currency },
    key: randomUUID() as string as IdempotencyKey,
    reference: null,
    original: null,
    reason: null,
    method: { rail: "upi", flow, vpa: null },
    captureMethod: "automatic",
    customer: { email: "test@example.com", phone: "+919999999999", name: null, address: null },
    client: null,
    description: null,
    metadata: {},
    returnUrl: null,
    deadlineAt: now + 30_000,
    createdAt: now
  }))

const laterOperation = (kind: "cancel" | "refund", created: ProviderOperation, minorUnits: number) =>
  Effect.map(newOperation("intent", minorUnits), (made): ProviderOperation => ({
    ...made,
    kind,
    original: { reference: created.reference ?? created.id, key: created.key, amount: created.amount }
  }))

const unique = (): string => randomUUID().replaceAll("-", "").slice(0, 26)

const why = refused()
if (why === null) await Effect.runPromise(Effect.scoped(program))
else console.log(why)
