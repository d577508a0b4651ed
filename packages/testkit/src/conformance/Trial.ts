/**
 * What a law tries an adapter with: a vendor of its own, an instance that speaks to it, and operations to send.
 *
 * Everything here is done as the engine does it: the same operation is given again with the same key, what was
 * checkpointed comes back as its reference, and a call that does not end is left behind.
 */
import type {
  Capabilities,
  Evidence,
  Inquiry,
  OperationKind,
  Provider,
  ProviderContext,
  ProviderError,
  ProviderMode,
  ProviderOperation,
  ProviderOperations
} from "@paymux/core"
import { Deferred, Effect, Fiber } from "effect"
import type { Scope } from "effect"
import { setTimeout as sleep } from "node:timers/promises"
import type { Fate, LedgerPayment } from "../fake/Ledger.ts"
import type { Vendor, VendorNetwork } from "../fake/Vendor.ts"
import { type Ending, endingOf } from "./Ending.ts"
import { LawBroken } from "./LawBroken.ts"
import { newOperation } from "./newOperation.ts"
import { samplesOf } from "./samples.ts"
import type { Sample } from "./samples.ts"
import { describeEnding, describePayments, describeRequests } from "./words.ts"

export { type Ending, endingOf } from "./Ending.ts"

export interface Trial {
  readonly capabilities: Capabilities
  /** One for each declared method and flow; the first is the one to take where one is enough. */
  readonly samples: ReadonlyArray<Sample>
  readonly declineCodes: ReadonlyArray<string>
  /** A fresh vendor with an instance that speaks to it. */
  readonly begin: (mode?: ProviderMode) => Effect.Effect<Stand, never, Scope.Scope>
}

/** One vendor and one running instance. */
export interface Stand {
  readonly vendor: Vendor
  readonly provider: Provider
  readonly operations: ProviderOperations
  /** What the adapter checkpointed, in order, with how many requests had arrived by then. */
  readonly checkpoints: ReadonlyArray<Checkpoint>
  readonly emitted: ReadonlyArray<Evidence>
  /** A new create. Its payer does what `fate` says; `approve` by default. */
  readonly create: (sample: Sample, options?: CreateOptions) => Effect.Effect<ProviderOperation>
  /** A new capture, cancel or refund of what `created` made. */
  readonly later: (
    kind: Exclude<OperationKind, "create">,
    created: Paid,
    options?: { readonly minorUnits?: number }
  ) => Effect.Effect<ProviderOperation>
  /** Sends an operation and waits for what the adapter says, at most 5 real seconds. */
  readonly send: (operation: ProviderOperation) => Effect.Effect<Ending>
  readonly inquire: (operation: ProviderOperation) => Effect.Effect<Ending>
  /** Anything else that the adapter does, ended the same way. */
  readonly ending: (call: Effect.Effect<Inquiry, ProviderError>) => Effect.Effect<Ending>
  /** As after a restart: another instance that speaks to the same vendor, and has what the first kept in its state. */
  readonly restart: Effect.Effect<Stand, never, Scope.Scope>
  /** Another instance at `vendor`: one that cannot be reached, or has other credentials. */
  readonly at: (vendor: Vendor) => Effect.Effect<Stand, never, Scope.Scope>
  /** The next checkpoint is kept and never returns: the process died after it. Resolves when that happened. */
  readonly crashAtCheckpoint: (index: number) => Effect.Effect<void>
  /** A payment of which the money is taken, or held where `capture` is manual; breaks the law where that cannot be had. */
  readonly paid: (sample: Sample, options?: CreateOptions) => Effect.Effect<Paid, LawBroken>
  /** The operation as the engine would give it again: with the last reference it was told. */
  readonly again: (operation: ProviderOperation, ending?: Ending) => ProviderOperation
  /** The law is broken; shows what the vendor saw. */
  readonly broken: (found: Found) => Effect.Effect<never, LawBroken>
  /** Breaks the law unless `holds`. */
  readonly expect: (holds: boolean, found: Found) => Effect.Effect<void, LawBroken>
}

export interface CreateOptions {
  readonly fate?: Fate
  readonly minorUnits?: number
  readonly currency?: string
  readonly captureMethod?: "automatic" | "manual"
}

export interface Found {
  readonly tried: string
  readonly expected: string
  readonly seen: string | Ending
}

export interface Checkpoint {
  readonly operation: string
  readonly reference: string
  readonly requestsBefore: number
}

/** A create that succeeded or was authorized, as the engine knows it then. */
export interface Paid {
  readonly operation: ProviderOperation
  readonly ending: Ending
  /** The vendor's side of it. */
  readonly payment: LedgerPayment
}

export const makeTrial = <V extends Vendor>(subject: {
  readonly make: (vendor: V) => Provider
  readonly start: (mode: ProviderMode) => Effect.Effect<V, never, Scope.Scope>
  readonly prepare: (operation: ProviderOperation, fate: Fate) => ProviderOperation
  readonly declineCodes: ReadonlyArray<string>
  readonly capabilities: Capabilities
}): Trial => ({
  capabilities: subject.capabilities,
  samples: samplesOf(subject.capabilities),
  declineCodes: subject.declineCodes,
  begin: (mode = "test") => Effect.flatMap(subject.start(mode), (vendor) => stand(subject, vendor))
})

const stand: <V extends Vendor>(
  subject: {
    readonly make: (vendor: V) => Provider
    readonly prepare: (operation: ProviderOperation, fate: Fate) => ProviderOperation
  },
  vendor: V,
  state?: ProviderContext["state"]
) => Effect.Effect<Stand, never, Scope.Scope> = Effect.fnUntraced(function* (subject, vendor, state = memoryState()) {
  const checkpoints: Array<Checkpoint> = []
  const emitted: Array<Evidence> = []
  const crashes = new Map<number, Deferred.Deferred<void>>()
  const network: VendorNetwork<Vendor> | null = vendor.network

  const provider = subject.make(vendor)
  const context: ProviderContext = {
    id: provider.id,
    publicUrl: "https://pay.example",
    checkpoint: Effect.fnUntraced(function* (operation, reference) {
      const requests = network === null ? [] : yield* network.requests
      checkpoints.push({ operation: operation.id, reference, requestsBefore: requests.length })
      const crash = crashes.get(checkpoints.length)
      if (crash === undefined) return
      yield* Deferred.succeed(crash, undefined)
      yield* Effect.never
    }),
    state,
    emit: (evidence) => Effect.sync(() => void emitted.push(evidence))
  }
  const operations = yield* provider.make(context)
  if (operations.run !== undefined) yield* Effect.forkScoped(operations.run)

  const create: Stand["create"] = Effect.fnUntraced(function* (sample, { fate = "approve", ...change } = {}) {
    yield* vendor.decide(fate)
    return subject.prepare(yield* newOperation(provider, sample, change), fate)
  })

  const later: Stand["later"] = Effect.fnUntraced(function* (kind, { operation, payment }, { minorUnits } = {}) {
    const { amount } = operation
    const sample = { method: operation.method, amount, captureMethod: operation.captureMethod }
    const made = yield* newOperation(provider, sample, {})
    return {
      ...operation,
      id: made.id,
      key: made.key,
      kind,
      createdAt: made.createdAt,
      deadlineAt: made.deadlineAt,
      amount: { ...amount, minorUnits: minorUnits ?? (kind === "refund" ? payment.captured : amount.minorUnits) },
      reference: null,
      original: { reference: operation.reference, key: operation.key, amount },
      reason: kind === "refund" ? "Returned by the customer" : null
    }
  })

  const inquire: Stand["inquire"] = (operation) =>
    operations.inquire === undefined
      ? Effect.die(new Error("the adapter has no inquiry: the law must not apply"))
      : ending(operations.inquire(operation))

  const again: Stand["again"] = (operation, told) => ({
    ...operation,
    reference:
      (told?._tag === "Answered" ? told.answer.reference : undefined) ??
      checkpoints.findLast((checkpoint) => checkpoint.operation === operation.id)?.reference ??
      operation.reference
  })

  const broken: Stand["broken"] = Effect.fnUntraced(function* ({ expected, seen, tried }) {
    const requests = network === null ? [] : yield* network.requests
    return yield* Effect.fail(
      new LawBroken({
        tried,
        expected,
        seen: typeof seen === "string" ? seen : describeEnding(seen),
        vendor: [...describeRequests(requests), ...describePayments(yield* vendor.payments)]
      })
    )
  })

  const paid: Stand["paid"] = Effect.fnUntraced(function* (sample, options) {
    const operation = yield* create(sample, options)
    const first = yield* send(operation)
    const wanted = operation.captureMethod === "manual" ? "Authorized" : "Succeeded"
    if (first._tag === "Answered" && first.answer._tag === "Pending") yield* vendor.payersAct
    const payment = (yield* vendor.payments).at(-1)
    const tried = `a ${sample.name} create whose payer approves`
    if (payment === undefined || (payment.status !== "captured" && payment.status !== "authorized")) {
      return yield* broken({ tried, expected: `${wanted}, or Pending until the payer has acted`, seen: first })
    }
    return { operation: again(operation, first), ending: first, payment }
  })

  const send: Stand["send"] = (operation) => {
    const perform = operations[operation.kind]
    return perform === undefined
      ? Effect.die(new Error(`the adapter has no "${operation.kind}": the law must not apply`))
      : ending(Effect.suspend(() => perform(operation)))
  }

  return {
    vendor,
    provider,
    operations,
    checkpoints,
    emitted,
    create,
    later,
    send,
    inquire,
    ending,
    restart: Effect.suspend(() => stand(subject, vendor, state)),
    // Boundary: a vendor of the trial is what this suite's fake made, or what that one gave.
    at: (other) => stand(subject, other as typeof vendor, state),
    crashAtCheckpoint: (index) =>
      Effect.suspend(() => {
        const crash = Deferred.makeUnsafe<void>()
        crashes.set(index, crash)
        return Deferred.await(crash)
      }),
    paid,
    again,
    broken,
    expect: (holds, found) => (holds ? Effect.void : broken(found))
  }
})

/** The real time after which a call counts as one that does not end. */
const patience = 5_000

/** In a fiber that is left behind where it does not end: waiting for its interruption could take for ever, too. */
const ending: Stand["ending"] = Effect.fnUntraced(function* (call) {
  const fiber = yield* Effect.forkDetach(call)
  const late = new AbortController()
  const exit = yield* Effect.promise(() =>
    Promise.race([
      Effect.runPromise(Fiber.await(fiber)),
      sleep(patience, null, { signal: late.signal }).catch(() => null)
    ])
  )
  late.abort()
  if (exit === null) {
    fiber.interruptUnsafe()
    return { _tag: "DidNotEnd" } as const
  }
  return endingOf(exit)
})

/** The durable key-value store of an instance: it outlives the stand that made it. */
const memoryState = (): ProviderContext["state"] => {
  const values = new Map<string, string>()
  return {
    get: (key) => Effect.sync(() => values.get(key) ?? null),
    compareAndSet: (key, expected, value) =>
      Effect.sync(() => {
        if ((values.get(key) ?? null) !== expected) return false
        values.set(key, value)
        return true
      }),
    next: (counter) =>
      Effect.sync(() => {
        const next = Number(values.get(`#${counter}`) ?? 0) + 1
        values.set(`#${counter}`, String(next))
        return next
      })
  }
}
