/** Scripted providers of UPI intents, whose payers pay or let the payment expire. */
import { defineProvider, Outcome } from "@paymux/core"
import type { Evidence, InquiryOutcome, Provider, ProviderOperation } from "@paymux/core"
import { Clock, Effect, Schema } from "effect"
import { MINUTE } from "../worlds/World.ts"
import type { Outcomes } from "../worlds/World.ts"
import type { LateProvider } from "./lateWorlds.ts"

/** How the engine learns outcomes. */
export const reportings = ["webhooks", "inquiries", "both"] as const
export type Reporting = (typeof reportings)[number]

/** The result of the current payment at each provider, in order. */
export interface Present {
  outcomes: ReadonlyArray<Outcomes>
  draws: ReadonlyArray<number>
}

/** One webhook that is on its way. */
interface Webhook {
  /** ms UTC */
  readonly at: number
  readonly provider: string
  readonly body: Uint8Array
}

export interface Vendors {
  readonly providers: ReadonlyArray<Provider>
  /** The next webhook up to a moment (ms UTC), once; `null`: no webhook is due. */
  readonly webhookUntil: (at: number) => Webhook | null
}

export const vendors = (declared: ReadonlyArray<LateProvider>, reporting: Reporting, present: Present): Vendors => {
  const waiting: Array<Webhook> = []
  const post = (webhook: Webhook): void => {
    const later = waiting.findIndex(({ at }) => at > webhook.at)
    waiting.splice(later === -1 ? waiting.length : later, 0, webhook)
  }
  return {
    providers: declared.map((each, index) => provider(each, index, reporting, present, post)),
    webhookUntil: (at) => {
      const [first] = waiting
      if (first === undefined || first.at > at) return null
      waiting.shift()
      return first
    }
  }
}

interface Intent {
  readonly operation: ProviderOperation
  readonly isPaid: boolean
  /** ms UTC; when it is paid, or its time is over. */
  readonly endsAt: number
}

const provider = (
  declared: LateProvider,
  index: number,
  reporting: Reporting,
  present: Present,
  post: (webhook: Webhook) => void
): Provider => {
  const intents = new Map<string, Intent>()
  const create = (operation: ProviderOperation): Outcome.SendOutcome => {
    const { createdAt, id } = operation
    const ending = present.outcomes[index]
    if (ending === undefined) throw new Error(`There are no outcomes of ${declared.id}`)
    const isPaid = (present.draws[index] ?? 1) < ending.rate
    const endsAt = createdAt + (isPaid ? ending.successAfter : ending.failureAfter)
    intents.set(id, { operation, isPaid, endsAt })
    if (reporting !== "inquiries") post({ at: endsAt, provider: declared.id, body: new TextEncoder().encode(id) })
    const expiresAt = createdAt + declared.expiryMinutes * MINUTE
    return Outcome.pending({
      reference: referenceOf(operation),
      nextAction: { type: "upi_intent", uri: `upi://pay?tr=${id}`, expiresAt }
    })
  }
  const inquire = (operation: ProviderOperation, now: number): InquiryOutcome => {
    const intent = intents.get(operation.id)
    if (intent === undefined) return Outcome.notFound()
    return intent.endsAt > now ? Outcome.pending({ reference: referenceOf(operation) }) : endOf(declared, intent)
  }
  const evidence = (body: Uint8Array): ReadonlyArray<Evidence> => {
    const intent = intents.get(new TextDecoder().decode(body))
    if (intent === undefined) return []
    const { id } = intent.operation
    const outcome = endOf(declared, intent)
    return [{ source: "webhook", about: { operation: id }, outcome, eventId: `event_${id}`, occurredAt: null }]
  }
  return defineProvider({
    id: declared.id,
    options: Schema.Struct({}),
    mode: () => "test",
    capabilities: () => capabilitiesOf(declared, reporting),
    make: () =>
      Effect.succeed({
        create: (operation) => Effect.sync(() => create(operation)),
        // Of an intent whose payer's time is over.
        cancel: ({ original }) => Effect.succeed(Outcome.succeeded({ reference: original?.reference ?? "" })),
        ...(reporting !== "webhooks" && {
          inquire: (operation) => Effect.map(Clock.currentTimeMillis, (now) => inquire(operation, now))
        }),
        ...(reporting !== "inquiries" && { webhook: (body) => Effect.sync(() => evidence(body)) })
      })
  })({})
}

const referenceOf = ({ id }: ProviderOperation): string => `ref_${id}`

/** Those of the real adapter, except for inquiries. */
const capabilitiesOf = ({ capabilities }: LateProvider, reporting: Reporting): Provider["capabilities"] => {
  const { cancel, create } = capabilities.operations
  const { abandonedAfter, declineIsFinal, idempotency } = create
  const unasked = {
    ...(idempotency && { idempotency }),
    ...(declineIsFinal !== undefined && { declineIsFinal }),
    ...(abandonedAfter !== undefined && { abandonedAfter })
  }
  return {
    methods: capabilities.methods,
    operations:
      reporting === "webhooks"
        ? { create: unasked, cancel: { idempotency: { by: "reference" } } }
        : { create, ...(cancel && { cancel }) }
  }
}

const endOf = ({ over }: LateProvider, { isPaid, operation }: Intent) => {
  const reference = referenceOf(operation)
  if (isPaid) return Outcome.succeeded({ reference, amount: operation.amount })
  return over === "expired"
    ? Outcome.expired({ reference })
    : Outcome.declined({ code: "customer_timeout", retry: "same_later", reference, vendorCode: "payment_timed_out" })
}
