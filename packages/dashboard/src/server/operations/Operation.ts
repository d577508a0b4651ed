/**
 * An operation: one thing that a caller can do. It is declared once, and each face derives its own part from it: the
 * endpoint of the control API (`served`), and the call of the library (`called` in `paymux`).
 *
 * `run` knows no face. It gets the decoded input, and takes the account and mode from `CurrentTenant`.
 */
import { describeIssues } from "@paymux/core/wire"
import type { InputIssue } from "@paymux/core/wire"
import { Context, Data, Effect, Schema, SchemaAST } from "effect"
import type { HttpApiEndpoint } from "effect/http-api"
import type { ControlError } from "../api/controlHandler.ts"
import { ChangesVersion } from "../api/described.ts"
import { tenantParams } from "../api/fields.ts"

/** Error: the input of an operation is refused at these places. A pointer names a field, such as `/acceptance/amount`. */
export class InputRefused extends Data.TaggedError("InputRefused")<{
  readonly errors: readonly [InputIssue, ...ReadonlyArray<InputIssue>]
}> {}

/** Refuses one field of the input. */
export const refuse = (pointer: string, message: string): InputRefused =>
  new InputRefused({ errors: [{ pointer, message }] })

/** Refuses the cursor of a list. */
export const refuseCursor = ({ message }: { readonly message: string }): Effect.Effect<never, InputRefused> =>
  Effect.fail(refuse("/after", message))

export interface Operation<Endpoint extends AnyEndpoint, Output, E, R> {
  readonly endpoint: Endpoint
  readonly run: (input: InputOf<Endpoint>) => Effect.Effect<Output, E, R>
  /** For each refusal of `run`, by its tag: the problem with which the control API answers it. */
  readonly refusals: Refusals<InputOf<Endpoint>, E, R>
  /** Checks input from a program. Fields are in the form that `run` gets: numbers are no text. */
  readonly decode: (input: unknown) => Effect.Effect<InputOf<Endpoint>, InputRefused>
}

/** Every error of `run` that the faces do not know. */
type Refusal<E> = Exclude<Extract<E, { readonly _tag: string }>, InputRefused | ControlError>

type Refusals<Input, E, R> = {
  readonly [Tag in Refusal<E>["_tag"]]: (
    error: Extract<E, { readonly _tag: Tag }>,
    input: Input
  ) => Effect.Effect<never, ControlError | InputRefused, R>
}

export type AnyEndpoint = HttpApiEndpoint.ConstraintRequest &
  Pick<HttpApiEndpoint.Top, "annotations" | "params" | "query" | "payload">

/**
 * The fields of an endpoint's path, query and body together, without the account and the mode. `version`: the version
 * of the object that the caller has read; an endpoint takes it from `If-Match`.
 */
export type InputOf<Endpoint extends AnyEndpoint> = Omit<FieldsOf<Endpoint["~Params"]>, keyof typeof tenantParams> &
  FieldsOf<Endpoint["~Query"]> &
  FieldsOf<Endpoint["~Payload"]> & { readonly version?: number }

type FieldsOf<S extends Schema.Constraint> = [S] extends [never] ? unknown : S["Type"]

/** Declares an operation. */
export const make = <Endpoint extends AnyEndpoint, Output, E, R>(
  endpoint: Endpoint,
  run: Operation<Endpoint, Output, E, R>["run"],
  refusals: Refusals<InputOf<Endpoint>, E, R>
): Operation<Endpoint, Output, E, R> => {
  const decode = Schema.decodeUnknownEffect(inputOf(endpoint), { errors: "all", onExcessProperty: "error" })
  return {
    endpoint,
    run,
    refusals,
    decode: (input) =>
      Effect.mapError(
        // Boundary: the schema is made of the fields of `InputOf`.
        decode(input) as Effect.Effect<InputOf<Endpoint>, Schema.SchemaError>,
        ({ issue }) => {
          const [first = { pointer: "", message: "is not valid" }, ...others] = describeIssues(issue)
          return new InputRefused({ errors: [first, ...others] })
        }
      )
  }
}

const inputOf = ({ annotations, params, payload, query }: AnyEndpoint) => {
  const bodies = [...payload.values()].flatMap(({ schemas }) => schemas)
  const fields = Object.assign({}, ...[params, query, ...bodies].map(fieldsOf)) as Schema.Struct.Fields
  const own = Object.entries(fields).filter(([name]) => !(name in tenantParams))
  const version = Context.get(annotations, ChangesVersion) ? { version: Schema.optionalKey(Schema.Int) } : {}
  return Schema.Struct({ ...Object.fromEntries(own), ...version })
}

/** The fields in their decoded form. The endpoint keeps no schema with fields: it has added its codecs. */
const fieldsOf = (schema: Schema.Top | undefined): Schema.Struct.Fields => {
  const ast = schema === undefined ? null : SchemaAST.toType(schema.ast)
  if (ast === null || !SchemaAST.isObjects(ast)) return {}
  return Object.fromEntries(ast.propertySignatures.map(({ name, type }) => [name, Schema.make(type)]))
}
