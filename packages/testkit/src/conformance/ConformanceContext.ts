/**
 * What a check tries an adapter with: a vendor of its own, an instance that speaks to it, and operations to send.
 *
 * Everything here is done as the engine does it: the same operation is given again with the same key, what was
 * checkpointed comes back as its reference, and a call that does not end is left behind.
 */
import type {
  Capabilities,
  Evidence,
  InquiryOutcome,
  OperationKind,
  Provider,
  ProviderContext,
  ProviderError,
  ProviderMode,
  ProviderOperation,
  ProviderOperations
} from "@paymux/core"
import { onlyContractErrors } from "@paymux/core/engine"
import { Clock, Deferred, Effect, Exit } from "effect"
import type { Fiber, Scope } from "effect"
import type { ScriptedOutcome, LedgerPayment } from "../fake/Ledger.ts"
import type { Vendor, VendorNetwork } from "../fake/Vendor.ts"
import { type Ending, endingOf } from "./Ending.ts"
import { CheckFailed } from "./CheckFailed.ts"
import { newOperation } from "./newOperation.ts"
import { exitWithin, patience } from "./realTime.ts"
import { samplesOf } from "./samples.ts"
import type { Sample } from "./samples.ts"
import { describeEnding, describePayments, describeRequests } from "./words.ts"

export { type Ending, endingOf } from "./Ending.ts"

export interface ConformanceContext {
  readonly capabilities: Capabilities
  /** One for each declared method and flow; the first is the one to take where one is enough. */
  readonly samples: ReadonlyArray<Sample>
  readonly declineCodes: ReadonlyArray<string>
  /** A fresh vendor with an instance that speaks to it. */
  readonly begin: (mode?: ProviderMode) => Effect.Effect<TestHarness, CheckFailed, Scope.Scope>
}

/** One vendor and one running instance. */
export interface TestHarness {
  readonly vendor: Vendor
  readonly provider: Provider
  /** As the engine calls them. */
  readonly operations: ProviderOperations
  /** As the adapter made them. */
  readonly made: ProviderOperations
  /** Its `run`, which ends with the harness; `null`: it has none. */
  readonly running: Fiber.Fiber<never> | null
  /** What the adapter checkpointed, in order, with how many requests had arrived by then. */
  readonly checkpoints: ReadonlyArray<Checkpoint>
  readonly emitted: ReadonlyArray<Evidence>
  /** A new create. Its payer does what `scripted` says; `approve` by default. */
  readonly create: (sample: Sample, options?: CreateOptions) => Effect.Effect<ProviderOperation>
  /** A new capture, cancel or refund of what `created` made. */
  readonly later: (
    kind: Exclude<OperationKind, "create">,
    created: Paid,
    options?: { readonly minorUnits?: number }
  ) => Effect.Effect<ProviderOperation>
  /**
   * Sends an operation and waits for what the adapter says. Whatever the check is about, it fails if nothing is said
   * within 5 real seconds, or something that the engine does not take.
   */
  readonly send: (operation: ProviderOperation) => Effect.Effect<Ending, CheckFailed>
  readonly inquire: (operation: ProviderOperation) => Effect.Effect<Ending, CheckFailed>
  /** Anything else that the adapter does, ended the same way. */
  readonly ending: (call: Effect.Effect<InquiryOutcome, ProviderError>) => Effect.Effect<Ending>
  /** As after a restart: another instance that speaks to the same vendor, and has what the first kept in its state. */
  readonly restart: Effect.Effect<TestHarness, CheckFailed, Scope.Scope>
  /** Another instance at `vendor`: one that cannot be reached, or has other credentials. */
  readonly at: (vendor: Vendor) => Effect.Effect<TestHarness, CheckFailed, Scope.Scope>
  /** This checkpoint, counted from 1, is kept and does not return until it is released. Never: the process died. */
  readonly holdCheckpoint: (index: number) => Effect.Effect<HeldCheckpoint>
  /** A payment of which the money is taken, or held where `capture` is manual; fails the check where that cannot be had. */
  readonly paid: (sample: Sample, options?: CreateOptions) => Effect.Effect<Paid, CheckFailed>
  /**
   * The operation with the reference that webhooks about `payment` give it: what is paid on a page may get its own name
   * only then, and the engine keeps the newest.
   */
  readonly named: (operation: ProviderOperation, payment: LedgerPayment) => Effect.Effect<ProviderOperation>
  /** The operation as the engine would send it again: with the last reference that was reported. */
  readonly again: (operation: ProviderOperation, ending?: Ending) => ProviderOperation
  /** The check fails; shows what the vendor saw. */
  readonly broken: (found: Found) => Effect.Effect<never, CheckFailed>
  /** Fails the check unless `holds`. */
  readonly expect: (holds: boolean, found: Found) => Effect.Effect<void, CheckFailed>
}

export interface HeldCheckpoint {
  /** Ends when the adapter has asked for it. */
  readonly reached: Effect.Effect<void>
  readonly release: Effect.Effect<void>
}

export interface CreateOptions {
  readonly scripted?: ScriptedOutcome
  readonly minorUnits?: number
  readonly currency?: string
  readonly captureMethod?: "automatic" | "manual"
}

export interface Found {
  readonly tried: string
  readonly expected: string
  readonly seen: string | Ending
}

interface Checkpoint {
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

export const makeConformanceContext = <V extends Vendor>(subject: {
  readonly make: (vendor: V) => Provider
  readonly start: (mode: ProviderMode) => Effect.Effect<V, never, Scope.Scope>
  readonly prepare: (operation: ProviderOperation, scripted: ScriptedOutcome) => ProviderOperation
  readonly declineCodes: ReadonlyArray<string>
  readonly capabilities: Capabilities
}): ConformanceContext => ({
  capabilities: subject.capabilities,
  samples: samplesOf(subject.capabilities),
  declineCodes: subject.declineCodes,
  begin: (mode = "test") => Effect.flatMap(subject.start(mode), (vendor) => harness(subject, vendor))
})

const harness: <V extends Vendor>(
  subject: {
    readonly make: (vendor: V) => Provider
    readonly prepare: (operation: ProviderOperation, scripted: ScriptedOutcome) => ProviderOperation
  },
  vendor: V,
  state?: ProviderContext["state"]
) => Effect.Effect<TestHarness, CheckFailed, Scope.Scope> = Effect.fnUntraced(function* (
  subject,
  vendor,
  state = memoryState()
) {
  const checkpoints: Array<Checkpoint> = []
  const emitted: Array<Evidence> = []
  const holds = new Map<
    number,
    { readonly reached: Deferred.Deferred<void>; readonly released: Deferred.Deferred<void> }
  >()
  const network: VendorNetwork<Vendor> | null = vendor.network

  const broken: TestHarness["broken"] = Effect.fnUntraced(function* ({ expected, seen, tried }) {
    const requests = network === null ? [] : yield* network.requests
    return yield* Effect.fail(
      new CheckFailed({
        tried,
        expected,
        seen: typeof seen === "string" ? seen : describeEnding(seen),
        vendor: [...describeRequests(requests), ...describePayments(yield* vendor.payments)]
      })
    )
  })

  const provider = subject.make(vendor)
  const context: ProviderContext = {
    id: provider.id,
    publicUrl: "https://pay.example",
    checkpoint: Effect.fnUntraced(function* (operation, reference) {
      const requests = network === null ? [] : yield* network.requests
      checkpoints.push({ operation: operation.id, reference, requestsBefore: requests.length })
      const hold = holds.get(checkpoints.length)
      if (hold === undefined) return
      yield* Deferred.succeed(hold.reached, undefined)
      yield* Deferred.await(hold.released)
    }),
    state,
    emit: (evidence) => Effect.sync(() => void emitted.push(evidence))
  }
  const exit = yield* exitWithin(provider.make(context))
  if (exit === null) return yield* broken(endless("making an instance"))
  const made = yield* exit
  const operations = onlyContractErrors(made)
  const running = operations.run === undefined ? null : yield* Effect.forkScoped(operations.run)

  const create: TestHarness["create"] = Effect.fnUntraced(function* (sample, { scripted = "approve", ...change } = {}) {
    yield* vendor.decide(scripted)
    return subject.prepare(yield* newOperation(provider, sample, change), scripted)
  })

  const later: TestHarness["later"] = Effect.fnUntraced(function* (kind, { operation, payment }, { minorUnits } = {}) {
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

  const inquire: TestHarness["inquire"] = (operation) =>
    operations.inquire === undefined
      ? Effect.die(new Error("the adapter has no inquiry: the check must not apply"))
      : received(`an inquiry about a ${operation.kind}`, operations.inquire(operation))

  const again: TestHarness["again"] = (operation, reported) => ({
    ...operation,
    reference:
      (reported?._tag === "Answered" ? reported.answer.reference : undefined) ??
      checkpoints.findLast((checkpoint) => checkpoint.operation === operation.id)?.reference ??
      operation.reference
  })

  const paid: TestHarness["paid"] = Effect.fnUntraced(function* (sample, options) {
    const operation = yield* create(sample, options)
    const first = yield* send(operation)
    const wanted = operation.captureMethod === "manual" ? "Authorized" : "Succeeded"
    if (first._tag === "Answered" && first.answer._tag === "Pending") yield* vendor.payersAct
    const payment = (yield* vendor.payments).at(-1)
    const tried = `a ${sample.name} create whose payer approves`
    if (payment === undefined || (payment.status !== "captured" && payment.status !== "authorized")) {
      return yield* broken({ tried, expected: `${wanted}, or Pending until the payer has acted`, seen: first })
    }
    const reported = again(operation, first)
    const isOpen = first._tag === "Answered" && first.answer._tag === "Pending"
    return { operation: isOpen ? yield* named(reported, payment) : reported, ending: first, payment }
  })

  const named: TestHarness["named"] = Effect.fnUntraced(function* (operation, payment) {
    const { webhook } = operations
    if (vendor.webhooks === null || webhook === undefined) return operation
    let { reference } = operation
    for (const event of (yield* vendor.webhooks.events).filter((each) => each.payment.id === payment.id)) {
      const { body, headers } = yield* vendor.webhooks.deliver([event])
      const now = yield* Clock.currentTimeMillis
      const exit = yield* exitWithin(
        Effect.suspend(() => webhook(body, headers, now)),
        patience
      )
      if (exit === null || !Exit.isSuccess(exit) || !Array.isArray(exit.value)) continue
      for (const evidence of exit.value) {
        const about = evidence?.about
        const isOurs =
          about !== undefined &&
          ("operation" in about ? about.operation === operation.id : about.providerReference === reference)
        const latest = evidence?.outcome?.reference
        if (isOurs && typeof latest === "string") reference = latest
      }
    }
    return { ...operation, reference }
  })

  const send: TestHarness["send"] = (operation) => {
    const perform = operations[operation.kind]
    return perform === undefined
      ? Effect.die(new Error(`the adapter has no "${operation.kind}": the check must not apply`))
      : received(
          `a ${operation.kind}`,
          Effect.suspend(() => perform(operation))
        )
  }

  const received = Effect.fnUntraced(function* (tried: string, call: Effect.Effect<InquiryOutcome, ProviderError>) {
    const seen = yield* ending(Effect.suspend(() => call))
    if (seen._tag === "DidNotEnd") return yield* broken(endless(tried))
    if (seen._tag !== "NotTaken") return seen
    return yield* broken({ tried, expected: "an answer of the contract, with its codes and within its limits", seen })
  })

  return {
    vendor,
    provider,
    operations,
    made,
    running,
    checkpoints,
    emitted,
    create,
    later,
    send,
    inquire,
    ending,
    restart: Effect.suspend(() => harness(subject, vendor, state)),
    // Boundary: a vendor of the trial is what this suite's fake made, or what that one gave.
    at: (other) => harness(subject, other as typeof vendor, state),
    holdCheckpoint: (index) =>
      Effect.sync(() => {
        const hold = { reached: Deferred.makeUnsafe<void>(), released: Deferred.makeUnsafe<void>() }
        holds.set(index, hold)
        return { reached: Deferred.await(hold.reached), release: Deferred.succeed(hold.released, undefined) }
      }),
    paid,
    named,
    again,
    broken,
    expect: (holds, found) => (holds ? Effect.void : broken(found))
  }
})

const endless = (tried: string): Found => ({
  tried,
  expected: `it ends, at the latest ${patience / 1000} s after the vendor's last word`,
  seen: { _tag: "DidNotEnd" }
})

/** The call ended as a call of the engine's does, or it did not end in time. */
const ending: TestHarness["ending"] = (call) =>
  Effect.map(exitWithin(call), (exit) => (exit === null ? { _tag: "DidNotEnd" } : endingOf(exit)))

/** The durable key-value store of an instance: it outlives the harness that made it. */
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
