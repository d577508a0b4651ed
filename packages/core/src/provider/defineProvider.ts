/**
 * Turns a provider's definition into a function that makes instances.
 *
 * Options are decoded by their Schema when the instance is made. Invalid options throw `ProviderOptionsInvalid`, which
 * names every invalid field and shows no value. The texts are those of the Schema: the annotation `message` of a check
 * or a type, and `messageMissingKey`.
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
import { Effect, Predicate, Result, Schema, SchemaIssue } from "effect"
import type { Scope } from "effect"
import { declaredAs } from "./asOfReceipt.ts"
import type { Capabilities } from "./Capabilities.ts"
import { capabilityProblems } from "./capabilityProblems.ts"
import type { InquiryOutcome, SendOutcome } from "../domain/Outcome.ts"
import type { Evidence } from "../domain/Evidence.ts"
import type {
  Provider,
  ProviderContext,
  ProviderMode,
  ProviderOperation,
  ProviderOperations,
  ProviderState
} from "./Provider.ts"
import { SPEC_VERSION } from "./Provider.ts"
import { presentMembers } from "./presentMembers.ts"
import { instanceIdRule, isInstanceId, standingProblems } from "./instanceStanding.ts"
import { isProviderError, isWebhookRefused } from "./ProviderError.ts"
import type { StatementPage, StatementQuery } from "./Statement.ts"

/** The options of an instance are invalid. Each problem is `field: problem`, without the value. */
export class ProviderOptionsInvalid extends Schema.TaggedError<ProviderOptionsInvalid>()("ProviderOptionsInvalid", {
  /** The id of the instance. */
  provider: Schema.String,
  /** The problems, each as a sentence. */
  problems: Schema.Array(Schema.String)
}) {
  override get message(): string {
    return `The options of provider "${this.provider}" are not valid: ${this.problems.join("; ")}`
  }
}

/** The adapter declares capabilities that contradict each other. Its author has to fix them. */
export class ProviderCapabilitiesInvalid extends Schema.TaggedError<ProviderCapabilitiesInvalid>()(
  "ProviderCapabilitiesInvalid",
  {
    /** The id of the instance. */
    provider: Schema.String,
    /** The problems, each as a sentence. */
    problems: Schema.Array(Schema.String)
  }
) {
  override get message(): string {
    return `The capabilities of provider "${this.provider}" are not valid: ${this.problems.join(" ")}`
  }
}

/** The common members of `ProviderDefinition` and its variant for Promises. */
interface Definition<Options, Encoded, Id extends string> {
  /**
   * The id of the provider, and of the instance unless the options set another one. Lower-case letters, digits, `_` and
   * `-`.
   */
  readonly id: Id
  /** The schema of the options. A secret is a `Schema.RedactedFromValue`, so that no log shows it. */
  readonly options: Schema.Codec<Options, Encoded>
  /** The mode, test or live, according to the credentials. */
  readonly mode: (options: Options) => ProviderMode
  /** The capabilities of an instance with these options. */
  readonly capabilities: (options: Options) => Capabilities
}

/** The definition of a provider: its options, its capabilities, and the function that makes an instance. */
export interface ProviderDefinition<Options, Encoded, Id extends string = string> extends Definition<
  Options,
  Encoded,
  Id
> {
  /**
   * Makes the functions of an instance, once in each process. The resources that it acquires are released when the
   * engine ends.
   */
  readonly make: (options: Options, context: ProviderContext) => Effect.Effect<ProviderOperations, never, Scope.Scope>
}

/**
 * Makes instances of a provider from its options; `id` names the instance. The id is part of the instance's type, so
 * that routing rules which misspell it do not compile.
 */
export type ProviderFactory<Encoded, Id extends string = string> = <const Named extends string = Id>(
  options: Encoded & { readonly id?: Named } & (
      | {
          /**
           * Whether the instance is retired: it takes no new payments. It still serves inquiries, webhooks, captures
           * and refunds of earlier ones.
           */
          readonly retired?: boolean
          readonly formerly?: never
        }
      | {
          readonly retired?: never
          /** The former ids of the instance, oldest first. Its earlier payments have them. */
          readonly formerly?: string | ReadonlyArray<string>
        }
    )
) => Provider<Named>

/** Defines a provider whose adapter uses Effect. An adapter exports the factory that it returns. */
export const defineProvider =
  <Options, Encoded, const Id extends string>(
    definition: ProviderDefinition<Options, Encoded, Id>
  ): ProviderFactory<Encoded, Id> =>
  <Named extends string>(given: Parameters<ProviderFactory<Encoded, Named>>[0]) => {
    if (!Predicate.isObject(given)) throw withoutOptions(definition.id)
    const { formerly, id: named, retired, ...encoded } = given
    const id = named ?? definition.id
    const standing = standingProblems(id, { formerly, retired })
    const options = decodeOptions(id, definition.options, encoded, standing)
    const capabilities = definition.capabilities(options)
    const problems = capabilityProblems(capabilities)
    if (problems.length > 0) throw new ProviderCapabilitiesInvalid({ provider: id, problems })
    const former = formerly === undefined ? [] : [formerly].flat()
    return {
      specVersion: SPEC_VERSION,
      // Type boundary: if the options have no id, the type `Named` is inferred as `Id`.
      id: id as Named,
      adapter: definition.id,
      mode: definition.mode(options),
      capabilities,
      make: (context) => definition.make(options, context),
      ...(retired === true && { retired }),
      ...(former.length > 0 && { formerly: former })
    }
  }

/** The error for a call without options, or with an API key instead of an options object. JavaScript permits both. */
const withoutOptions = (provider: string) =>
  new ProviderOptionsInvalid({ provider, problems: [`call it with an object of options: ${provider}({ … })`] })

const decodeOptions = <Options, Encoded>(
  id: unknown,
  schema: Schema.Codec<Options, Encoded>,
  input: unknown,
  standing: ReadonlyArray<string>
): Options => {
  const problems = [...(isInstanceId(id) ? [] : [`id: ${instanceIdRule}`]), ...standing]
  const decoded = Schema.decodeUnknownResult(schema, { errors: "all", onExcessProperty: "error" })(input)
  if (Result.isFailure(decoded)) problems.push(...describe(decoded.failure.issue, input))
  if (problems.length > 0 || Result.isFailure(decoded))
    throw new ProviderOptionsInvalid({ provider: String(id), problems })
  return decoded.success
}

/** Formats each problem as its path and the text of the schema, because the value may be a secret. */
const describe = (issue: SchemaIssue.Issue, input: unknown): ReadonlyArray<string> =>
  SchemaIssue.makeFormatterStandardSchemaV1({
    leafHook: wordsOfLeaf,
    checkHook: ({ filter }) => textOr(filter.annotations?.["message"], "not valid")
  })(issue)
    .issues.map(({ message, path = [] }) => {
      const keys = path.map((part) => (typeof part === "object" ? part.key : part))
      const isUnset = keys.length > 0 && valueAt(input, keys) === undefined
      return `${keys.map(String).join(".") || "options"}: ${isUnset && message === wrongType ? missing : message}`
    })
    // Removes duplicates, because two checks of one field may have the same text.
    .filter((problem, index, all) => all.indexOf(problem) === index)

const wordsOfLeaf = (leaf: SchemaIssue.Leaf): string => {
  switch (leaf._tag) {
    case "MissingKey":
      return textOr(leaf.annotations?.messageMissingKey, missing)
    case "UnexpectedKey":
      return "is not an option of this provider"
    case "InvalidType":
      return textOr(leaf.ast.annotations?.["message"], wrongType)
    default:
      return "not valid"
  }
}

const missing = "is missing"
const wrongType = "has the wrong type"

const textOr = (words: unknown, otherwise: string): string => (Predicate.isString(words) ? words : otherwise)

const valueAt = (input: unknown, keys: ReadonlyArray<PropertyKey>): unknown =>
  keys.reduce((value, key) => (Predicate.hasProperty(value, key) ? value[key] : undefined), input)

/**
 * The definition of a provider for adapters in Promises. Each function gets a signal that is aborted at the deadline.
 */
export interface PromiseProviderDefinition<Options, Encoded, Id extends string = string> extends Definition<
  Options,
  Encoded,
  Id
> {
  /** Makes the functions of an instance, once in each process. */
  readonly make: (options: Options, context: PromiseProviderContext) => PromiseProviderOperations
}

/**
 * `ProviderOperations` for adapters in Promises; see there for each function. The signal is aborted at the deadline.
 */
export interface PromiseProviderOperations {
  /** Charges or holds the amount, or creates the object that the payer completes. */
  readonly create: (operation: ProviderOperation, signal: AbortSignal) => Promise<SendOutcome>
  /** Finds the outcome of an operation of any kind, and changes nothing at the provider. */
  readonly inquire?: (operation: ProviderOperation, signal: AbortSignal) => Promise<InquiryOutcome>
  /** Captures `amount` of the funds that `operation.original` holds. */
  readonly capture?: (operation: ProviderOperation, signal: AbortSignal) => Promise<SendOutcome>
  /** Releases the held funds, or closes an object that its payer has not completed. */
  readonly cancel?: (operation: ProviderOperation, signal: AbortSignal) => Promise<SendOutcome>
  /** Refunds `amount` of the charge. */
  readonly refund?: (operation: ProviderOperation, signal: AbortSignal) => Promise<SendOutcome>
  /** Handles the return of the shopper; the query is no proof. */
  readonly complete?: (
    operation: ProviderOperation,
    query: { readonly [key: string]: string },
    signal: AbortSignal
  ) => Promise<InquiryOutcome>
  /** Verifies the signature over the raw bytes first; rejects an invalid webhook with a `WebhookRefused`. */
  readonly webhook?: ((
    body: Uint8Array,
    headers: { readonly [name: string]: string },
    /** The time of receipt, ms UTC; see `ProviderOperations.webhook`. */
    receivedAt: number,
    signal: AbortSignal
  ) => Promise<ReadonlyArray<Evidence>>) & { readonly asOf?: "receipt" }
  /** Reads a page of the provider's own statement. */
  readonly statement?: (query: StatementQuery, signal: AbortSignal) => Promise<StatementPage>
  /** A background process. Writes to `state` are rejected once this process has lost its lease to another one. */
  readonly run?: (signal: AbortSignal, state: PromiseProviderContext["state"]) => Promise<never>
}

/** `ProviderContext` for adapters in Promises. */
export interface PromiseProviderContext {
  /** The instance's id, as routing rules name it. */
  readonly id: string
  /** The public URL of this server, without a trailing slash. Webhooks are received at `{publicUrl}/webhooks/{id}`. */
  readonly publicUrl: string
  /** Stores the provider's reference of the operation: it is durable when the promise is fulfilled. */
  readonly checkpoint: (operation: Pick<ProviderOperation, "id" | "reference">, reference: string) => Promise<void>
  /** The data that this instance stores across restarts; see `ProviderState`. */
  readonly state: {
    readonly get: (key: string) => Promise<string | null>
    readonly compareAndSet: (key: string, expected: string | null, value: string) => Promise<boolean>
    readonly next: (counter: string) => Promise<number>
  }
  /** Reports an observation. Fulfilled when it is applied, or stored for a payment that is not committed yet. */
  readonly emit: (evidence: Evidence) => Promise<void>
}

/**
 * `defineProvider` for adapters in Promises. A promise that is rejected with a `ProviderError` fails with it; any other
 * rejection is a defect, and the outcome is unknown.
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
  /**
   * Converts a rejected promise: an error of the contract becomes the Effect's error; any other rejection becomes a
   * defect.
   */
  const lifted =
    <Given extends Array<unknown>, A, E>(
      call: (...given: [...Given, AbortSignal]) => Promise<A>,
      isOfContract: (thrown: unknown) => thrown is E
    ) =>
    (...given: Given): Effect.Effect<A, E> =>
      Effect.catch(
        // It is called as a method, because an adapter may be an object that uses `this`.
        Effect.tryPromise({ try: (signal) => call.apply(promises, [...given, signal]), catch: (thrown) => thrown }),
        (thrown) => (isOfContract(thrown) ? Effect.fail(thrown) : Effect.die(thrown))
      )
  const { cancel, capture, complete, create, inquire, refund, run, statement, webhook } = promises
  return presentMembers<ProviderOperations>({
    create: lifted(create, isProviderError),
    inquire: inquire && lifted(inquire, isProviderError),
    capture: capture && lifted(capture, isProviderError),
    cancel: cancel && lifted(cancel, isProviderError),
    refund: refund && lifted(refund, isProviderError),
    complete: complete && lifted(complete, isProviderError),
    statement: statement && lifted(statement, isProviderError),
    webhook: webhook && declaredAs(webhook, lifted(webhook, isWebhookRefused)),
    // The process runs in the context of its lease, so that its writes have the lease's fencing token.
    run:
      run &&
      Effect.flatMap(Effect.context<never>(), (context) =>
        Effect.promise((signal) => run.call(promises, signal, stateIn(state, Effect.runPromiseWith(context))))
      )
  })
}
