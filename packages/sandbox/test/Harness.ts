/** The simulated providers on a book, with everything they tell collected. */
import type {
  Currency,
  Evidence,
  IdempotencyKey,
  OperationId,
  PaymentId,
  ProviderOperation,
  ProviderOperations
} from "@paymux/core"
import { wordOf } from "@paymux/core/store"
import { memoryContext } from "@paymux/test-suites"
import { Effect } from "effect"
import { SandboxControl, SandboxLedger, sandboxProviders, SandboxNotifier } from "@paymux/sandbox"

export const currency = (code: string): Currency.Currency => code as Currency.Currency

// The brands of ids are given here as the port `Ids` gives them.
const numbered = (prefix: string, n: number): string => `${prefix}${String(n).padStart(26, "0")}`
export const paymentId = (n: number): PaymentId => numbered("pay_", n) as PaymentId

export const upi = { rail: "upi", flow: "intent", vpa: null } as const
export const collect = (vpa: string) => ({ rail: "upi", flow: "collect", vpa }) as const
export const card = (token: string | null = null) =>
  ({
    rail: "card",
    token,
    tokens: {},
    network: null,
    country: null,
    funding: null,
    bin: null,
    fingerprint: null
  }) as const
export const stablecoin = { rail: "stablecoin", asset: null, network: null } as const

/** The create operation of payment `n`, ₹100 over UPI unless changed. */
export const operation = (n: number, change: Partial<ProviderOperation> = {}): ProviderOperation => ({
  id: numbered("op_", n) as OperationId,
  kind: "create",
  paymentId: paymentId(n),
  amount: { minorUnits: 10_000, currency: currency("INR") },
  key: `key-${n}` as IdempotencyKey,
  reference: null,
  original: null,
  reason: null,
  method: upi,
  captureMethod: "automatic",
  customer: { email: "payer@example.com", phone: "+919812345678", name: null, address: null },
  client: null,
  description: null,
  metadata: {},
  returnUrl: null,
  deadlineAt: 30_000,
  createdAt: 0,
  ...change
})

/** A capture, cancel or refund of what `created` made, under a key of its own. */
export const later = (
  created: ProviderOperation,
  kind: "capture" | "cancel" | "refund",
  name: string,
  minorUnits = created.amount.minorUnits
): ProviderOperation => ({
  ...created,
  kind,
  key: key(name),
  amount: { ...created.amount, minorUnits },
  original: { reference: created.reference, key: created.key, amount: created.amount }
})

const key = (text: string): IdempotencyKey => text as IdempotencyKey

/** Starts all six, with their background processes, on the book in the context. */
export const start = Effect.gen(function* () {
  const ledger = yield* SandboxLedger
  const notifier = yield* SandboxNotifier
  const control = yield* SandboxControl
  const emitted: Array<Evidence> = []
  const running = new Map<string, ProviderOperations>()
  for (const provider of sandboxProviders({ ledger, notifier, control })) {
    const operations = yield* provider.make(
      memoryContext(provider.id, { emit: (evidence) => Effect.sync(() => void emitted.push(evidence)) })
    )
    running.set(provider.id, operations)
    if (operations.run !== undefined) yield* Effect.forkScoped(operations.run)
  }
  yield* Effect.yieldNow
  const at = (id: string): ProviderOperations => {
    const operations = running.get(id)
    if (operations === undefined) throw new Error(`no provider ${id}`)
    return operations
  }
  const inquire = (id: string, asked: ProviderOperation) =>
    Effect.suspend(() => at(id).inquire?.(asked) ?? Effect.die(new Error(`${id} cannot inquire`)))
  return { at, inquire, emitted, ledger, control, kinds: () => emitted.map(({ outcome }) => wordOf(outcome)) }
})
