/**
 * One harmless call to a provider: an inquiry about an operation that does not exist. It moves no money, and shows whether
 * the provider can be reached and accepts the credentials. Also where the provider has to send its webhooks.
 */
import { flow, Ids, isProviderError, rails } from "@paymux/core"
import type {
  CurrencyCode,
  PaymentMethod,
  Provider,
  ProviderContext,
  ProviderOperation,
  ProviderOperations,
  Rail,
  ServedMethod
} from "@paymux/core"
import type { Finding } from "@paymux/dashboard"
import { Cause, Clock, Effect, Exit } from "effect"
import { webhookUrlOf } from "../providers/providerInstance.ts"
import { fault, ok, warning } from "./Finding.ts"

/** One that runs: an adapter may allow its instance only once, such as where it counts nonces or keeps a connection. */
export const probe = Effect.fnUntraced(function* (
  provider: Provider,
  operations: ProviderOperations,
  publicUrl: string
): Effect.fn.Return<ReadonlyArray<Finding>> {
  const name = provider.id
  const url = webhookUrlOf(name, publicUrl, operations)
  return [
    yield* reached(provider, operations),
    url === null ? ok(name, "sends no webhooks") : ok(name, `send its webhooks to ${url}`)
  ]
})

/** Where no server runs here: makes the instance for the time of the check. */
export const probeConfigured = Effect.fnUntraced(function* (
  provider: Provider,
  publicUrl: string
): Effect.fn.Return<ReadonlyArray<Finding>> {
  const made = yield* Effect.exit(
    Effect.scoped(
      Effect.flatMap(provider.make(contextOf(provider, publicUrl)), (operations) =>
        probe(provider, operations, publicUrl)
      )
    ).pipe(Effect.timeout("15 seconds"))
  )
  return Exit.isSuccess(made) ? made.value : [failed(provider, made.cause)]
})

const reached = Effect.fnUntraced(function* (
  provider: Provider,
  { inquire }: ProviderOperations
): Effect.fn.Return<Finding> {
  const name = provider.id
  const operation = yield* operationFor(provider)
  const isDeclared = (provider.capabilities.operations.create.inquiry?.by ?? "none") !== "none"
  // An adapter may also throw before it returns an effect.
  const inquiry = Effect.suspend(() =>
    inquire === undefined || !isDeclared || operation === null ? Effect.succeed(null) : inquire(operation)
  )
  const exit = yield* Effect.exit(Effect.timeout(inquiry, "10 seconds"))
  if (Exit.isFailure(exit)) return failed(provider, exit.cause)
  const outcome = exit.value
  if (outcome === null) return warning(name, `${provider.mode} mode, not checked: it has no inquiry about payments`)
  if (outcome._tag === "NotExecuted")
    return fault(name, "cannot be reached: check the network, and the adapter's baseUrl")
  return outcome._tag === "Unknown" && unanswered.has(outcome.reason)
    ? fault(name, `has no usable response (${outcome.reason}): try again, or see the provider's status page`)
    : ok(name, `${provider.mode} mode, reached, credentials accepted`)
})

const unanswered: ReadonlySet<string> = new Set(["timeout", "reset", "server_error", "unreadable"])

const failed = ({ capabilities, id }: Provider, cause: Cause.Cause<unknown>): Finding => {
  const error = Cause.squash(cause)
  const reason = isProviderError(error) ? error.reason : null
  switch (reason?._tag) {
    case "Misconfigured":
      return fault(id, "refused the credentials: check the keys of this instance")
    case "AccountNotEnabled": {
      const help = capabilities.accountHelp?.[reason.code]
      const sentence = `reached, credentials accepted, but not enabled: ${reason.code}`
      return warning(id, help === undefined ? sentence : `${sentence}. ${help}`)
    }
    // It answered, and knows the credentials.
    case "RateLimited":
    case "InvalidRequest":
      return ok(id, "reached, credentials accepted")
    case undefined:
      return fault(id, "did not respond within 10 seconds, or its adapter failed: check the network and its baseUrl")
  }
}

/** Of an instance that is made only to be looked at: it keeps and reports nothing. */
export const contextOf = ({ id }: Provider, publicUrl: string): ProviderContext => ({
  id,
  publicUrl,
  checkpoint: () => Effect.void,
  state: { get: () => Effect.succeed(null), compareAndSet: () => Effect.succeed(true), next: () => Effect.succeed(1) },
  emit: () => Effect.void
})

/** Of the first method that it declares; `null`: none. */
const operationFor = Effect.fnUntraced(function* ({
  capabilities
}: Provider): Effect.fn.Return<ProviderOperation | null> {
  const rail = rails.find((each) => capabilities.methods[each] !== undefined)
  if (rail === undefined) return null
  const ids = yield* Effect.provide(Ids, Ids.layer)
  const now = yield* Clock.currentTimeMillis
  const paymentId = ids.payment(null)
  const currencies = capabilities.methods[rail]?.currencies ?? "any"
  const [currency = "EUR"] = currencies === "any" ? [] : currencies
  return {
    ...ids.operation(null),
    paymentId,
    kind: "create",
    // Boundary: a declared currency is one of ISO 4217.
    amount: { minorUnits: 100, currency: currency as CurrencyCode },
    reference: null,
    original: null,
    reason: null,
    method: methodOf(rail, Object.keys(capabilities.methods[rail]?.flows ?? {})),
    captureMethod: "automatic",
    customer: { email: "doctor@example.com", phone: "+10000000000", name: null, address: null },
    client: null,
    description: null,
    metadata: {},
    returnUrl: null,
    deadlineAt: now + 10_000,
    createdAt: now
  }
})

const methodOf = (rail: Rail, flows: ReadonlyArray<string>): ServedMethod => {
  const [first] = methods[rail].filter((method) => flows.includes(flow(method)))
  return first ?? methods[rail][0]
}

const card = {
  rail: "card",
  tokens: {},
  network: null,
  country: null,
  funding: null,
  bin: null,
  fingerprint: null
} as const

/** One for each flow of a rail. */
const methods: { readonly [rail in Rail]: readonly [PaymentMethod, ...ReadonlyArray<PaymentMethod>] } = {
  upi: [
    { rail: "upi", flow: "intent", vpa: null },
    { rail: "upi", flow: "qr", vpa: null }
  ],
  card: [
    { ...card, token: null },
    { ...card, token: "tok_doctor" }
  ],
  stablecoin: [{ rail: "stablecoin", asset: null, network: null }]
}
