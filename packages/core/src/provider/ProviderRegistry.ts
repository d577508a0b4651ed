/**
 * The configured provider instances, started and validated: the instances that routing may choose and the executor may
 * call.
 */
import { Context, Duration, Effect, Layer, Predicate, Schema } from "effect"
import type { Ids, OperationId } from "../domain/Ids.ts"
import { operationKinds } from "../domain/Operation.ts"
import type { OperationKind } from "../domain/Operation.ts"
import type { CreateCapability, IdempotencyCapability, OperationCapability } from "./Capabilities.ts"
import type { Provider, ProviderContext, ProviderOperations } from "./Provider.ts"
import { ProviderInbox } from "./ProviderInbox.ts"
import { endAbsence } from "./absence.ts"
import { capabilityProblems } from "./capabilityProblems.ts"
import { idProblems } from "./instanceStanding.ts"
import { CurrentLease, leasedRuns } from "./leasedRuns.ts"
import { notConfigured } from "./notConfigured.ts"
import { specVersionProblem } from "./specVersion.ts"
import { onlyContractErrors } from "./validity.ts"
import { PaymentStore } from "../store/PaymentStore.ts"
import type { StoreUnavailable } from "../store/PaymentStore.ts"
import { isLocalReturnUrl, isReturnUrl } from "../wire/returnUrl.ts"

/** The configuration of the providers is invalid. One error that names every problem. */
export class ProvidersInvalid extends Schema.TaggedError<ProvidersInvalid>()("ProvidersInvalid", {
  problems: Schema.Array(Schema.String)
}) {
  override get message(): string {
    return `The providers cannot be started: ${this.problems.join(" ")}`
  }
}

/** The declared capabilities of an operation. Undeclared ones have the worst case. Times are in ms. */
export interface DeclaredOperation {
  readonly idempotency: {
    readonly by: IdempotencyCapability["by"]
    readonly lifetimeMs: number
  }
  readonly canInquire: boolean
  /** Whether our own id or key is enough for an inquiry, so that the inquiry finds an operation whose row was lost. */
  readonly inquiresByName: boolean
  readonly costlyInquiry: boolean
  readonly notFoundIsFinalAfterMs: number | null
  /** The delays of further inquiries after a "not found" that counts as final, ascending. */
  readonly lookBackMs: ReadonlyArray<number>
  readonly reports: "movement" | "total"
  readonly rateLimitIsNotExecuted: boolean
  readonly declineIsFinal: boolean
  readonly cancelIsFinal: boolean
  /**
   * Whether an inquiry and a refund apply to the charge with the given reference, even if it is an additional charge of
   * the create.
   */
  readonly chargesByReference: boolean
  /** The time after which a shown `next_action` is abandoned, ms. */
  readonly abandonedAfterMs: number | null
  readonly partial: boolean
}

export interface RunningProvider {
  readonly provider: Provider
  readonly operations: ProviderOperations
  readonly declared: (kind: OperationKind) => DeclaredOperation
  /** The reference that the adapter checkpointed for an operation in flight in this process. */
  readonly checkpointed: (operation: OperationId) => string | null
  /** Removes the checkpoint, once no call is in flight for this operation. */
  readonly forget: (operation: OperationId) => void
}

/**
 * The registry of provider instances. It finds an instance by its current and former ids, because operations keep the
 * id that their instance had.
 */
export class ProviderRegistry extends Context.Service<
  ProviderRegistry,
  {
    /** The instances, in the order of their configuration. */
    readonly providers: ReadonlyArray<Provider>
    /** The retired instances whose credentials no longer exist. */
    readonly retired: ReadonlyArray<string>
    readonly get: (id: string) => RunningProvider | null
    /** Finds an instance, if it may process payments of this mode: test and live are separate. */
    readonly serving: (id: string, livemode: boolean) => RunningProvider | null
    /** The declared capabilities of an instance; the worst case if it is no longer configured. */
    readonly declared: (id: string, kind: OperationKind) => DeclaredOperation
    /** The current id of an instance. An instance that is not configured keeps its id. */
    readonly currentId: (id: string) => string
    /** The first id of an instance. Names that derive from it stay the same after a rename. */
    readonly firstId: (id: string) => string
    /** All ids of an instance, the former ones first. */
    readonly idsOf: IdsOf
  }
>()("@paymux/core/provider/ProviderRegistry") {
  static readonly layer = (
    providers: ReadonlyArray<Provider>,
    options: RegistryOptions
  ): Layer.Layer<ProviderRegistry, ProvidersInvalid | StoreUnavailable, PaymentStore | ProviderInbox | Ids> =>
    Layer.effect(ProviderRegistry, start(providers, options))
}

export interface RegistryOptions {
  readonly publicUrl: string
  /** The retired instances whose credentials no longer exist. Default: none. */
  readonly retired?: ReadonlyArray<string>
}

const start = Effect.fnUntraced(function* (
  providers: ReadonlyArray<Provider>,
  { publicUrl, retired = [] }: RegistryOptions
) {
  yield* refuse(providerProblems(providers, retired))
  const store = yield* PaymentStore
  const inbox = yield* ProviderInbox
  const runAlone = yield* leasedRuns
  const running: Array<RunningProvider> = []
  const problems: Array<string> = []
  for (const provider of providers) {
    const checkpoints = new Map<OperationId, string>()
    const operations = yield* Effect.catchDefect(
      Effect.suspend(() => provider.make(contextFor(provider, publicUrl, store, inbox, checkpoints))),
      (thrown) => {
        problems.push(`Provider "${provider.id}" cannot be made: ${sentenceOf(thrown)}.`)
        return Effect.succeed(null)
      }
    )
    if (operations === null) continue
    problems.push(...contractProblems(provider, operations))
    running.push({
      provider,
      operations: onlyContractErrors(operations),
      declared: declaredBy(provider),
      checkpointed: (operation) => checkpoints.get(operation) ?? null,
      forget: (operation) => checkpoints.delete(operation)
    })
  }
  yield* refuse(problems)
  const idsOf = instanceIds(providers)
  const byId = new Map(running.flatMap((instance) => idsOf(instance.provider.id).map((id) => [id, instance] as const)))
  const get = (id: string) => byId.get(id) ?? null
  yield* refuse(yield* notConfigured(store, (id) => get(id) !== null, retired))
  const isPublic = isReturnUrl(publicUrl) && !isLocalReturnUrl(publicUrl)
  if (!isPublic && providers.some(({ mode }) => mode === "live")) yield* warnOfAddress(publicUrl)
  for (const provider of providers) {
    yield* Effect.forEach(idsOf(provider.id), (id) => endAbsence(store, id, provider.mode === "live"))
  }
  for (const { operations, provider } of running) {
    if (operations.run !== undefined) yield* Effect.forkScoped(runAlone(stateId(provider), operations.run))
  }
  return ProviderRegistry.of({
    providers,
    retired,
    get,
    currentId: (id) => get(id)?.provider.id ?? id,
    firstId: (id) => idsOf(id)[0] ?? id,
    idsOf,
    serving: (id, livemode) => {
      const found = get(id)
      return found !== null && (found.provider.mode === "live") === livemode ? found : null
    },
    declared: (id, kind) => get(id)?.declared(kind) ?? worstCase
  })
})

const sentenceOf = (thrown: unknown): string =>
  (thrown instanceof Error ? thrown.message : String(thrown)).replace(/\.$/, "")

/** Logs a warning instead of an error: behind a reverse proxy of the merchant, such a URL may be intended. */
const warnOfAddress = (publicUrl: string) =>
  Effect.logWarning(
    `Live payments will send shoppers back to ${publicUrl}, which is no https address of a public host: set publicUrl`
  )

const refuse = (problems: ReadonlyArray<string>) =>
  problems.length === 0 ? Effect.void : Effect.fail(new ProvidersInvalid({ problems }))

/** The configuration problems of instances that are known before any instance is started. Pure. */
export const providerProblems = (
  providers: ReadonlyArray<Provider>,
  retired: ReadonlyArray<string> = []
): ReadonlyArray<string> => {
  const instances = providers.filter((provider) => !Predicate.isFunction(provider))
  const problems: Array<string> = [
    ...(providers.length + retired.length === 0 ? ["No provider is configured."] : []),
    ...providers.filter(Predicate.isFunction).map(() => "A provider is a function: call it with its options."),
    ...idProblems(instances, retired)
  ]
  for (const { capabilities, id, specVersion } of instances) {
    const problem = specVersionProblem(id, specVersion)
    if (problem !== null) problems.push(problem)
    else problems.push(...capabilityProblems(capabilities).map((each) => `Provider "${id}": ${each}`))
  }
  return problems
}

/**
 * The problems of functions: a declared operation needs its function; a function that is not declared is never called.
 */
const contractProblems = ({ capabilities, id }: Provider, operations: ProviderOperations): ReadonlyArray<string> => {
  const inquires = operationKinds.some((kind) => declaresInquiry(capabilities.operations[kind]))
  return [
    ...operationKinds
      .filter((kind) => capabilities.operations[kind] !== undefined && !Predicate.isFunction(operations[kind]))
      .map((kind) => `"${kind}" and does not implement it`),
    ...(capabilities.statement !== undefined && !Predicate.isFunction(operations.statement)
      ? ['a statement and does not implement "statement"']
      : []),
    ...(inquires && !Predicate.isFunction(operations.inquire) ? ['an inquiry and does not implement "inquire"'] : [])
  ].map((problem) => `Provider "${id}" declares ${problem}.`)
}

const declaresInquiry = (capability: OperationCapability | undefined): boolean =>
  capability?.inquiry !== undefined && capability.inquiry.by !== "none"

/**
 * The id under which the state and the leases of an instance are stored: its first id. So after a rename a chain
 * scanner continues, and does not run twice while servers are replaced.
 */
export const stateId = ({ formerly: [first] = [], id }: Provider): string => first ?? id

const contextFor = (
  provider: Provider,
  publicUrl: string,
  store: PaymentStore["Service"],
  inbox: ProviderInbox["Service"],
  checkpoints: Map<OperationId, string>
): ProviderContext => ({
  id: provider.id,
  publicUrl,
  // The stored reference differs if another engine took over the operation because this engine seemed to have stopped.
  // This engine must then not send the next request of the operation.
  checkpoint: Effect.fnUntraced(function* (operation, reference) {
    const expected = checkpoints.get(operation.id) ?? operation.reference
    const kept = yield* Effect.orDie(store.checkpoint(operation.id, expected, reference))
    if (!kept) return yield* Effect.die(new Error(`Operation ${operation.id} was taken over by another engine`))
    checkpoints.set(operation.id, reference)
  }),
  state: {
    get: (key) => Effect.orDie(store.providerState.get(stateId(provider), key)),
    compareAndSet: (key, expected, value) =>
      Effect.flatMap(CurrentLease, (lease) =>
        Effect.orDie(store.providerState.compareAndSet(stateId(provider), key, expected, value, lease))
      ),
    next: (counter) => Effect.orDie(store.providerState.next(stateId(provider), counter))
  },
  emit: (evidence) => inbox.emit(provider.id, evidence)
})

/** The declared capabilities of an instance for each kind of operation, with the worst case for undeclared ones. */
export const declaredBy = ({ capabilities }: Provider): RunningProvider["declared"] => {
  const declared = new Map(operationKinds.map((kind) => [kind, declare(capabilities.operations[kind] ?? {})] as const))
  return (kind) => declared.get(kind) ?? worstCase
}

const declare = (capability: CreateCapability): DeclaredOperation => ({
  idempotency: {
    by: capability.idempotency?.by ?? "none",
    lifetimeMs: millis(capability.idempotency?.lifetime) ?? 0
  },
  canInquire: declaresInquiry(capability),
  inquiresByName: capability.inquiry?.by === "reference",
  costlyInquiry: capability.inquiry?.costly ?? false,
  notFoundIsFinalAfterMs: millis(capability.inquiry?.notFoundIsFinalAfter),
  lookBackMs: (capability.inquiry?.lookBackAfter ?? ["1 hour", "24 hours", "72 hours"])
    .map((after) => Duration.toMillis(after))
    .sort((one, other) => one - other),
  reports: capability.reports ?? "movement",
  rateLimitIsNotExecuted: capability.rateLimitIsNotExecuted ?? false,
  declineIsFinal: capability.declineIsFinal ?? false,
  cancelIsFinal: capability.cancelIsFinal ?? false,
  chargesByReference: capability.chargesByReference ?? false,
  abandonedAfterMs: millis(capability.abandonedAfter),
  partial: capability.partial ?? false
})

const millis = (duration: Duration.Input | undefined): number | null =>
  duration === undefined ? null : Duration.toMillis(duration)

const worstCase = declare({})

/**
 * All ids of the instance with a given id, the former ids first. An instance that is not configured has only that id.
 */
export type IdsOf = (id: string) => ReadonlyArray<string>

/**
 * The ids of instances, current and former, for code without an engine, such as the import of statements. Default: only
 * the current id.
 */
export const InstanceIds = Context.Reference<IdsOf>("@paymux/core/provider/InstanceIds", {
  defaultValue: () => (id) => [id]
})

/** The ids of configured instances. */
export const instanceIds = (providers: ReadonlyArray<Pick<Provider, "formerly" | "id">>): IdsOf => {
  const byId = new Map<string, ReadonlyArray<string>>()
  for (const { formerly = [], id } of providers) {
    const ids = [...formerly, id]
    for (const each of ids) byId.set(each, ids)
  }
  return (id) => byId.get(id) ?? [id]
}
