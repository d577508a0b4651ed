/**
 * Tries the Razorpay adapter on Razorpay's own test mode: `pnpm sandbox razorpay`, with `RAZORPAY_KEY_ID` (`rzp_test_…`)
 * and `RAZORPAY_KEY_SECRET` in the environment. The account needs the S2S API with UPI intent.
 *
 * The simulator there decides by the amount, in paise: 201, 204, 302 and 402 fail, each by its reason; others succeed.
 */
import type { Currency, IdempotencyKey, InquiryOutcome, OperationId, PaymentId, ProviderOperation } from "@paymux/core"
import { Clock, Effect } from "effect"
import { randomUUID } from "node:crypto"
import { razorpay } from "../../packages/adapters/razorpay/src/index.ts"

const { RAZORPAY_KEY_ID: keyId = "", RAZORPAY_KEY_SECRET: keySecret = "" } = process.env

const refused = (): string | null => {
  const missing = Object.entries({ RAZORPAY_KEY_ID: keyId, RAZORPAY_KEY_SECRET: keySecret })
  const names = missing.filter(([, value]) => value === "").map(([name]) => name)
  if (names.length > 0) return `Not run: ${names.join(" and ")} of a Razorpay test account not in the environment.`
  return keyId.startsWith("rzp_test_") ? null : "Not run: RAZORPAY_KEY_ID is no key of the test mode (rzp_test_…)."
}

const program = Effect.gen(function* () {
  const instance = razorpay({ keyId, keySecret, webhookSecrets: ["unused"] })
  const { create, inquire, refund } = yield* instance.make({
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
  if (inquire === undefined || refund === undefined) return yield* Effect.die(new Error("they are declared"))

  /** Asked until it is decided, a minute at most. */
  const decided = Effect.fnUntraced(function* (operation: ProviderOperation) {
    for (let tries = 0; ; tries++) {
      const found: InquiryOutcome = yield* inquire(operation)
      if (found._tag !== "Pending" || tries === 20) return found
      yield* Effect.sleep("3 seconds")
    }
  })

  const results: Array<boolean> = []
  const check = (what: string, holds: boolean, seen: InquiryOutcome) => {
    results.push(holds)
    console.log(`${holds ? "as expected" : "DIFFERS    "}  ${what}: ${JSON.stringify(seen)}`)
  }

  for (const [minorUnits, code] of Object.entries(failures)) {
    const operation = yield* newOperation(Number(minorUnits))
    const shown = yield* create(operation)
    check(`an intent of ${minorUnits} paise is shown`, shown._tag === "Pending", shown)
    const found = yield* decided({ ...operation, reference: shown.reference ?? null })
    check(`and fails by ${code}`, found._tag === "Declined" && found.code === code, found)
  }

  const operation = yield* newOperation(10_000)
  const shown = yield* create(operation)
  check("an intent of ₹100 is shown", shown._tag === "Pending", shown)
  const again = yield* create(operation)
  check("sent again, it is on the same order", again.reference === shown.reference, again)
  const reference = shown.reference ?? null
  const paid = yield* decided({ ...operation, reference })
  check("and succeeds", paid._tag === "Succeeded" && paid.amount?.minorUnits === 10_000, paid)
  if (paid._tag === "Succeeded") {
    const part = yield* newOperation(2_500, { kind: "refund", original: { ...operation, reference } })
    const given = yield* refund(part)
    check("a part of it is given back", given._tag === "Succeeded" || given._tag === "Pending", given)
    const second = yield* refund(part)
    check("once, though it is sent twice", second.reference === given.reference, second)
    const found = yield* inquire({ ...part, reference: null })
    check("and is found by its receipt", found.reference === given.reference, found)
  }
  return results.every(Boolean)
})

const failures: { readonly [minorUnits: number]: string } = {
  201: "insufficient_funds",
  204: "incorrect_pin",
  302: "customer_canceled",
  402: "do_not_honor"
}

const newOperation = (minorUnits: number, change: Partial<ProviderOperation> = {}) =>
  Effect.map(Clock.currentTimeMillis, (now): ProviderOperation => {
    // Boundary: ids and amounts as the engine makes them.
    const name = randomUUID().replaceAll("-", "").slice(0, 26)
    return {
      id: `op_${name}` as OperationId,
      kind: "create",
      paymentId: `pay_${name}` as PaymentId,
      amount: { minorUnits, currency: "INR" as Currency.Currency },
      key: randomUUID() as string as IdempotencyKey,
      reference: null,
      original: null,
      reason: null,
      method: { rail: "upi", flow: "intent", vpa: null },
      captureMethod: "automatic",
      customer: { email: "asha@example.com", phone: "+919812345678", name: "Asha Rao", address: null },
      client: {
        ip: "203.0.113.7",
        userAgent: "Mozilla/5.0",
        referer: "https://shop.example/cart",
        acceptHeader: null,
        language: null,
        timeZone: null,
        screen: null
      },
      description: "A test of the Paymux adapter",
      metadata: {},
      returnUrl: null,
      deadlineAt: now + 30_000,
      createdAt: now,
      ...change
    }
  })

const why = refused()
if (why === null) process.exitCode = (await Effect.runPromise(Effect.scoped(program))) ? 0 : 1
else {
  console.log(why)
  process.exitCode = 1
}
