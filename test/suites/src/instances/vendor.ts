/** The provider behind the instance `a` in all its configurations, and another provider with a secret of its own. */
import {
  asOfReceipt,
  type Capabilities,
  defineProvider,
  type Evidence,
  type OperationKind,
  type OperationCapability,
  Outcome,
  type Provider,
  type ProviderOperation,
  WebhookRefused
} from "@paymux/core"
import { Deferred, Effect, Schema } from "effect"
import type { Case, Inquiries, State } from "./cases.ts"

type Standing = Pick<Provider, "formerly" | "retired">

/** An operation as it was sent, and under which keys. */
interface Sent {
  readonly operation: ProviderOperation
  readonly keys: ReadonlySet<string>
}

export const secrets = { a: "the secret of a", other: "the secret of another" } as const

const answers: { readonly [state in State]: Outcome.SendOutcome } = {
  pending: Outcome.pending(),
  unknown: Outcome.unknown({ reason: "timeout" }),
  authorized: Outcome.authorized(),
  succeeded: Outcome.succeeded()
}

/** With the provider's name for the operation. A cancel has that of its payment, as at most providers; what is unknown has none. */
const withReference = <O extends Outcome.InquiryOutcome>(outcome: O, { name }: Case, kind: OperationKind): O =>
  outcome._tag === "Unknown" ? outcome : { ...outcome, reference: `${kind === "cancel" ? "create" : kind} of ${name}` }

/** The charge of a later operation, before and after that was done. */
const charges: { readonly [kind in OperationKind]: readonly [before: State, after: Outcome.InquiryOutcome] } = {
  create: ["succeeded", answers.succeeded],
  capture: ["authorized", answers.succeeded],
  cancel: ["authorized", Outcome.canceled()],
  refund: ["succeeded", answers.succeeded]
}

export const makeVendor = (cases: ReadonlyArray<Case>, asked: Inquiries) => {
  const byName = new Map(cases.map((each) => [each.name, each]))
  const sent = new Map<string, Sent>()
  const continued = Deferred.makeUnsafe<void>()
  let isDecided = false

  const caseOf = ({ metadata: { name = "" } }: ProviderOperation): Case => {
    const found = byName.get(name)
    if (found === undefined) throw new Error(`There is no case of the name "${name}"`)
    return found
  }
  const placeOf = ({ name }: Case, kind: OperationKind) => `${kind} of ${name}`

  const perform = (operation: ProviderOperation): Effect.Effect<Outcome.SendOutcome> =>
    Effect.suspend(() => {
      const of = caseOf(operation)
      const { kind } = operation
      const before = sent.get(placeOf(of, kind))
      sent.set(placeOf(of, kind), { operation, keys: new Set([...(before?.keys ?? []), operation.key]) })
      const answer = (state: State) => Effect.succeed(withReference(answers[state], of, kind))
      // Its charge, and what the engine itself sends.
      if (kind !== of.kind) return answer(kind === "create" ? charges[of.kind][0] : "succeeded")
      switch (of.report) {
        case "reply":
          return Effect.andThen(Deferred.await(continued), answer("succeeded"))
        case "repeat":
          return before === undefined ? Effect.never : answer("succeeded")
        default:
          return answer(of.state)
      }
    })

  const inquire = (operation: ProviderOperation) =>
    Effect.sync(() => {
      const of = caseOf(operation)
      const isDone = isDecided && of.report === "inquiry"
      const [before, after] = of.kind === operation.kind ? [of.state, answers.succeeded] : charges[of.kind]
      return withReference(isDone ? after : answers[before], of, operation.kind)
    })

  const sentOf = (of: Case, kind = of.kind): Sent => {
    const found = sent.get(placeOf(of, kind))
    if (found === undefined) throw new Error(`${placeOf(of, kind)}: it was not sent`)
    return found
  }

  return {
    instance: (id: string, standing: Standing = {}): Provider =>
      defineProvider({
        ...definition(id, operationsOf(asked)),
        make: () =>
          Effect.succeed({
            create: perform,
            capture: perform,
            cancel: perform,
            refund: perform,
            inquire,
            webhook: webhookUnder(secrets.a)
          })
      })(standing.retired === true ? { retired: true } : { ...(standing.formerly && { formerly: standing.formerly }) }),
    /** From now on, inquiries find that the operations succeeded. */
    decide: Effect.sync(() => void (isDecided = true)),
    /** The processes that were stopped continue: they read the replies. */
    reply: Deferred.succeed(continued, undefined),
    sentOf,
    isSent: (of: Case, kind: OperationKind): boolean => sent.has(placeOf(of, kind)),
    /** What is reported of the operation of a case. */
    evidenceOf: (of: Case, state: State): Evidence => ({
      source: "webhook",
      about: { operation: sentOf(of).operation.id },
      outcome: withReference(answers[state], of, of.kind),
      eventId: null,
      occurredAt: null
    })
  }
}

const webhookUnder = (expected: string) =>
  asOfReceipt((body: Uint8Array, { secret }: { readonly [name: string]: string }) =>
    secret === expected
      ? // Boundary: what a provider sends is anything.
        Effect.sync(() => JSON.parse(new TextDecoder().decode(body)) as ReadonlyArray<Evidence>)
      : Effect.fail(new WebhookRefused({ reason: "bad_signature" }))
  )

const operationsOf = (asked: Inquiries): Capabilities["operations"] => {
  const each: OperationCapability = {
    idempotency: { by: "header", lifetime: "24 hours" },
    ...(asked === "by inquiry" && { inquiry: { by: "reference", notFoundIsFinalAfter: "15 minutes" } })
  }
  return { create: { ...each, declineIsFinal: true }, capture: each, cancel: each, refund: each }
}

const definition = (id: string, operations: Capabilities["operations"]) => ({
  id,
  options: Schema.Struct({}),
  mode: () => "test" as const,
  capabilities: (): Capabilities => ({
    methods: { card: { currencies: "any", flows: { token: {} }, captureMethods: ["automatic", "manual"] } },
    operations
  })
})

/** It is configured after the change as well. */
export const other: Provider = defineProvider({
  ...definition("other", { create: {} }),
  make: () =>
    Effect.succeed({ create: () => Effect.succeed(Outcome.succeeded()), webhook: webhookUnder(secrets.other) })
})({})
