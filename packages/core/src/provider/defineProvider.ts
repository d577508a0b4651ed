/**
 * Turns a provider's definition into a function that makes instances.
 *
 * Options are decoded by their Schema when the instance is made; a wrong one throws `ProviderOptionsInvalid`, which names
 * every field at fault and shows no value.
 *
 * @example
 * ```ts
 * import { defineProvider, Outcome } from "@paymux/core"
 * import { Effect, Schema } from "effect"
 *
 * const acme = defineProvider({
 *   id: "acme",
 *   options: Schema.Struct({ apiKey: Schema.RedactedFromValue(Schema.String) }),
 *   mode: () => "test",
 *   capabilities: () => ({
 *     methods: { card: { currencies: ["EUR"], flows: { token: {} } } },
 *     operations: { create: { idempotency: { by: "header", lifetime: "24 hours" } } }
 *   }),
 *   make: () => Effect.succeed({ create: () => Effect.succeed(Outcome.succeeded()) })
 * })
 *
 * acme({ id: "acme_eu", apiKey: "secret" }).id // => "acme_eu"
 * ```
 */
import { Effect, Result, Schema, SchemaIssue } from "effect"
import type { Scope } from "effect"
import type { Capabilities } from "./Capabilities.ts"
import type { Inquiry, Outcome } from "./Outcome.ts"
import type { Evidence } from "./Evidence.ts"
import type {
  Provider,
  ProviderContext,
  ProviderMode,
  ProviderOperation,
  ProviderOperations,
  ProviderState
} from "./Provider.ts"
import { SPEC_VERSION } from "./Provider.ts"
import { ProviderError, WebhookRefused } from "./ProviderError.ts"

/** The options of an instance do not fit the adapter. Each entry is `field: what is wrong`, without the value. */
export class ProviderOptionsInvalid extends Schema.TaggedError<ProviderOptionsInvalid>()("ProviderOptionsInvalid", {
  provider: Schema.String,
  problems: Schema.Array(Schema.String)
}) {
  override get message(): string {
    return `The options of provider "${this.provider}" are not valid: ${this.problems.join("; ")}`
  }
}

interface Definition<Options, Encoded, Id extends string> {
  /** Also the id of the instance, unless the options rename it. Lower-case letters, digits, `_` and `-`. */
  readonly id: Id
  readonly options: Schema.Codec<Options, Encoded>
  /** Told by the credentials. */
  readonly mode: (options: Options) => ProviderMode
  readonly capabilities: (options: Options) => Capabilities
}

export interface ProviderDefinition<Options, Encoded, Id extends string = string> extends Definition<
  Options,
  Encoded,
  Id
> {
  readonly make: (options: Options, context: ProviderContext) => Effect.Effect<ProviderOperations, never, Scope.Scope>
}

/**
 * What makes instances of a provider: its options, and an `id` to rename the instance. The instance's type knows its id,
 * so that routing rules which misspell it do not compile.
 */
export type ProviderFactory<Encoded, Id extends string = string> = <const Named extends string = Id>(
  options: Encoded & { readonly id?: Named }
) => Provider<Named>

export const defineProvider =
  <Options, Encoded, const Id extends string>(
    definition: ProviderDefinition<Options, Encoded, Id>
  ): ProviderFactory<Encoded, Id> =>
  <Named extends string>({ id: named, ...encoded }: Encoded & { readonly id?: Named }) => {
    const id = named ?? definition.id
    const options = decodeOptions(id, definition.options, encoded)
    return {
      specVersion: SPEC_VERSION,
      // Boundary: options that give no id infer none, and `Named` is then `Id`.
      id: id as Named,
      mode: definition.mode(options),
      capabilities: definition.capabilities(options),
      make: (context) => definition.make(options, context)
    }
  }

const decodeOptions = <Options, Encoded>(
  id: string,
  schema: Schema.Codec<Options, Encoded>,
  input: unknown
): Options => {
  const problems = /^[a-z][a-z0-9_-]{0,63}$/.test(id)
    ? []
    : ["id: use lower-case letters, digits, _ and -, at most 64, starting with a letter"]
  const decoded = Schema.decodeUnknownResult(schema, { errors: "all", onExcessProperty: "error" })(input)
  if (Result.isFailure(decoded)) problems.push(...describe(decoded.failure.issue))
  if (problems.length > 0 || Result.isFailure(decoded)) throw new ProviderOptionsInvalid({ provider: id, problems })
  return decoded.success
}

/** The place of each fault only: what stands there may be a secret. */
const describe = (issue: SchemaIssue.Issue): ReadonlyArray<string> =>
  SchemaIssue.makeFormatterStandardSchemaV1({
    leafHook: (leaf) => leafWords[leaf._tag] ?? "not valid",
    checkHook: () => "not valid"
  })(issue).issues.map(
    ({ message, path = [] }) =>
      `${path.map((part) => String(typeof part === "object" ? part.key : part)).join(".") || "options"}: ${message}`
  )

const leafWords: { readonly [tag: string]: string } = {
  MissingKey: "is missing",
  UnexpectedKey: "is not an option of this provider",
  InvalidType: "has the wrong type"
}

/** The same contract for authors who write Promises. Each function gets a signal that is aborted at the deadline. */
export interface PromiseProviderDefinition<Options, Encoded, Id extends string = string> extends Definition<
  Options,
  Encoded,
  Id
> {
  readonly make: (options: Options, context: PromiseProviderContext) => PromiseProviderOperations
}

export interface PromiseProviderOperations {
  readonly create: (operation: ProviderOperation, signal: AbortSignal) => Promise<Outcome>
  readonly inquire?: (operation: ProviderOperation, signal: AbortSignal) => Promise<Inquiry>
  readonly capture?: (operation: ProviderOperation, signal: AbortSignal) => Promise<Outcome>
  readonly cancel?: (operation: ProviderOperation, signal: AbortSignal) => Promise<Outcome>
  readonly refund?: (operation: ProviderOperation, signal: AbortSignal) => Promise<Outcome>
  readonly complete?: (
    operation: ProviderOperation,
    query: { readonly [key: string]: string },
    signal: AbortSignal
  ) => Promise<Inquiry>
  readonly webhook?: (
    body: Uint8Array,
    headers: { readonly [name: string]: string },
    signal: AbortSignal
  ) => Promise<ReadonlyArray<Evidence>>
  /** `state` is the instance's own, its writes refused once this process has lost its turn to another. */
  readonly run?: (signal: AbortSignal, state: PromiseProviderContext["state"]) => Promise<never>
}

/** `ProviderContext` in Promises. */
export interface PromiseProviderContext {
  readonly id: string
  readonly publicUrl: string
  readonly checkpoint: (operation: ProviderOperation, reference: string) => Promise<void>
  readonly state: {
    readonly get: (key: string) => Promise<string | null>
    readonly compareAndSet: (key: string, expected: string | null, value: string) => Promise<boolean>
    readonly next: (counter: string) => Promise<number>
  }
  readonly emit: (evidence: Evidence) => Promise<void>
}

/**
 * `defineProvider` for authors who write Promises. A rejection with a `ProviderError` is that error; any other
 * rejection is a defect, and so an unknown outcome.
 */
export const definePromiseProvider = <Options, Encoded, const Id extends string>(
  definition: PromiseProviderDefinition<Options, Encoded, Id>
): ProviderFactory<Encoded, Id> =>
  defineProvider({
    ...definition,
    make: (options, context) =>
      Effect.gen(function* () {
        const run = Effect.runPromiseWith(yield* Effect.context<never>())
        return fromPromises(
          definition.make(options, {
            id: context.id,
            publicUrl: context.publicUrl,
            checkpoint: (operation, reference) => run(context.checkpoint(operation, reference)),
            state: stateIn(context.state, run),
            emit: (evidence) => run(context.emit(evidence))
          }),
          context.state
        )
      })
  })

type Run = <A>(effect: Effect.Effect<A>) => Promise<A>

const stateIn = (state: ProviderState, run: Run): PromiseProviderContext["state"] => ({
  get: (key) => run(state.get(key)),
  compareAndSet: (key, expected, value) => run(state.compareAndSet(key, expected, value)),
  next: (counter) => run(state.next(counter))
})

const fromPromises = (promises: PromiseProviderOperations, state: ProviderState): ProviderOperations => {
  const { capture, cancel, complete, create, inquire, refund, run, webhook } = promises
  return {
    create: (operation) => lift((signal) => create(operation, signal)),
    ...(inquire && { inquire: (operation) => lift((signal) => inquire(operation, signal)) }),
    ...(capture && { capture: (operation) => lift((signal) => capture(operation, signal)) }),
    ...(cancel && { cancel: (operation) => lift((signal) => cancel(operation, signal)) }),
    ...(refund && { refund: (operation) => lift((signal) => refund(operation, signal)) }),
    ...(complete && { complete: (operation, query) => lift((signal) => complete(operation, query, signal)) }),
    ...(webhook && { webhook: (body, headers) => liftWebhook((signal) => webhook(body, headers, signal)) }),
    // In the context of its turn, so that its writes stand on the lease.
    ...(run && {
      run: Effect.flatMap(Effect.context<never>(), (context) =>
        Effect.promise((signal) => run(signal, stateIn(state, Effect.runPromiseWith(context))))
      )
    })
  }
}

const lift = <A>(call: (signal: AbortSignal) => Promise<A>): Effect.Effect<A, ProviderError> =>
  Effect.catch(Effect.tryPromise({ try: call, catch: (thrown) => thrown }), (thrown) =>
    thrown instanceof ProviderError ? Effect.fail(thrown) : Effect.die(thrown)
  )

const liftWebhook = <A>(call: (signal: AbortSignal) => Promise<A>): Effect.Effect<A, WebhookRefused> =>
  Effect.catch(Effect.tryPromise({ try: call, catch: (thrown) => thrown }), (thrown) =>
    thrown instanceof WebhookRefused ? Effect.fail(thrown) : Effect.die(thrown)
  )
