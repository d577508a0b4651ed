/** The endpoint of an operation in the control API. */
import { Context, Effect, Predicate } from "effect"
import type { Schema } from "effect"
import { bodyOf, control, expectedVersion, invalid, withVersion } from "../api/controlHandler.ts"
import type { ControlError } from "../api/controlHandler.ts"
import { ChangesVersion, SendsVersion } from "../api/described.ts"
import type { CurrentTenant } from "../access/AccessControl.ts"
import { InputRefused } from "./Operation.ts"
import type { AnyEndpoint, InputOf, Operation } from "./Operation.ts"

interface DecodedRequest {
  readonly params: { readonly account?: string; readonly mode?: string }
  readonly query?: object
}

/** The handler of an operation's endpoint. `services`: those that its `run` needs. */
export const served =
  <Endpoint extends AnyEndpoint, Output, E, R>(
    operation: Operation<Endpoint, Output, E, R>,
    services: Context.Context<Exclude<R, CurrentTenant>>
  ) =>
  (request: DecodedRequest) =>
    control(
      Effect.gen(function* () {
        const input = yield* readInput(operation.endpoint, request)
        const output = yield* Effect.catch(operation.run(input), (error) => problemOf(operation, error, input))
        if (Context.get(operation.endpoint.annotations, SendsVersion) && isVersioned(output)) {
          yield* withVersion(output.version)
        }
        return output
      }).pipe(Effect.provideContext(services))
    )

const readInput = Effect.fnUntraced(function* <Endpoint extends AnyEndpoint>(
  { annotations, payload }: Endpoint,
  { params, query }: DecodedRequest
) {
  const version = Context.get(annotations, ChangesVersion) ? { version: yield* expectedVersion } : {}
  const [body] = [...payload.values()].flatMap(({ schemas }) => schemas)
  // Boundary: the bodies of our endpoints are objects, and are decoded without services.
  const given = body === undefined ? {} : yield* bodyOf(body as unknown as Schema.Codec<object, unknown>)
  const { account: _account, mode: _mode, ...own } = params
  // Boundary: the schemas of the endpoint have decoded the fields of `InputOf`.
  return { ...given, ...query, ...own, ...version } as InputOf<Endpoint>
})

const problemOf = <Endpoint extends AnyEndpoint, Output, E, R>(
  { endpoint, refusals }: Operation<Endpoint, Output, E, R>,
  error: E,
  input: InputOf<Endpoint>
) => {
  type Refuse = (error: E, input: InputOf<Endpoint>) => Effect.Effect<never, ControlError | InputRefused, R>
  // Boundary: `Refusals` has an entry for each tag that neither `ControlError` nor `InputRefused` has.
  const { _tag } = error as { readonly _tag: string }
  const refuse = (refusals as { readonly [tag: string]: Refuse })[_tag] ?? Effect.fail
  return Effect.mapError(refuse(error as E & (ControlError | InputRefused), input), (refused) =>
    refused instanceof InputRefused ? invalidInput(endpoint, refused) : refused
  )
}

/** A field of a body is named by a pointer, a parameter by its name. */
const invalidInput = ({ payload }: AnyEndpoint, { errors }: InputRefused) =>
  invalid(
    ...errors.map(({ message, pointer }) => ({ pointer: payload.size > 0 ? pointer : pointer.slice(1), message }))
  )

const isVersioned = (output: unknown): output is { readonly version: number } =>
  Predicate.hasProperty(output, "version") && typeof output.version === "number"
