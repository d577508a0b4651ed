/**
 * Compiles a schema of JSON into a decoder that only accepts: it is several times as fast as the schema's parser, which
 * also collects the issues of a rejected input.
 *
 * The compiled decoder runs the checks of the schema itself, so that it accepts the same inputs. Input that it rejects,
 * and input other than plain objects, arrays and scalars, is for the schema's parser.
 */
import { Result, Schema } from "effect"
import type { SchemaAST } from "effect"

/** The result of the compiled decoder for input that it does not accept. */
export const notAccepted: unique symbol = Symbol("@paymux/core/wire/notAccepted")

type Decode = (input: unknown) => unknown

/**
 * Compiles a schema without transformations. Decoded structs and records are copies, which later changes of the input do not
 * reach; values that the schema's parser decodes may be shared with the input. Excess keys are not accepted.
 */
export const acceptor = <A>({ ast }: Schema.ConstraintDecoder<A>): ((input: unknown) => A | typeof notAccepted) => {
  const decode = compileAst(ast)
  // Boundary: the compiled decoder accepts exactly the values of the schema.
  return (input) => decode(input) as A | typeof notAccepted
}

const compileAst = (ast: SchemaAST.AST): Decode => {
  const decode = ast.encoding === undefined ? compileType(ast) : null
  if (decode === null) return parsed(ast)
  const checks = filtersOf(ast.checks ?? [])
  if (checks.length === 0) return decode
  return (input) => {
    const decoded = decode(input)
    if (decoded === notAccepted) return notAccepted
    for (const check of checks) if (check.run(decoded, ast, options) !== undefined) return notAccepted
    return decoded
  }
}

const options: SchemaAST.ParseOptions = { errors: "first", onExcessProperty: "error" }

const filtersOf = (checks: ReadonlyArray<SchemaAST.Check<unknown>>): ReadonlyArray<SchemaAST.Filter<unknown>> =>
  checks.flatMap((check) => (check._tag === "Filter" ? [check] : filtersOf(check.checks)))

/** Compiles a schema without its checks; `null`: only the schema's own parser decodes it. */
const compileType = (ast: SchemaAST.AST): Decode | null => {
  switch (ast._tag) {
    case "String":
      return (input) => (typeof input === "string" ? input : notAccepted)
    case "Number":
      return (input) => (typeof input === "number" ? input : notAccepted)
    case "Boolean":
      return (input) => (typeof input === "boolean" ? input : notAccepted)
    case "Null":
      return (input) => (input === null ? null : notAccepted)
    case "Literal":
      return (input) => (input === ast.literal ? input : notAccepted)
    case "Union":
      return ast.options?.mode === "oneOf" ? null : firstOf(ast.types.map(compileAst))
    case "Objects":
      return object(ast)
    default:
      return null
  }
}

/** Uses the schema's own parser, with its checks, for those parts of a schema that are rare in requests. */
const parsed = (ast: SchemaAST.AST): Decode => {
  const decode = Schema.decodeUnknownResult(Schema.make<Schema.Codec<unknown>>(ast), options)
  return (input) => Result.getOrElse(decode(input), () => notAccepted)
}

const firstOf =
  (members: ReadonlyArray<Decode>): Decode =>
  (input) => {
    for (const decode of members) {
      const decoded = decode(input)
      if (decoded !== notAccepted) return decoded
    }
    return notAccepted
  }

const object = ({ indexSignatures, propertySignatures }: SchemaAST.Objects): Decode | null => {
  const [index, ...more] = indexSignatures
  if (index === undefined) {
    const isNamed = propertySignatures.every(({ name }) => typeof name !== "symbol")
    return isNamed ? struct(propertySignatures) : null
  }
  const isOfStrings = index.parameter._tag === "String" && more.length === 0 && propertySignatures.length === 0
  return isOfStrings ? record(compileAst(index.parameter), compileAst(index.type)) : null
}

const record =
  (decodeKey: Decode, decodeValue: Decode): Decode =>
  (input) => {
    if (!isPlain(input)) return notAccepted
    const keys = Object.keys(input)
    // Other keys are symbols, or not enumerable: the search for card numbers does not see these.
    if (Reflect.ownKeys(input).length !== keys.length) return notAccepted
    const copy: { [key: string]: unknown } = {}
    for (const key of keys) {
      if (key === "__proto__") return notAccepted
      const value = input[key]
      if (value === undefined) continue
      const decoded = decodeValue(value)
      if (decoded === notAccepted || decodeKey(key) === notAccepted) return notAccepted
      copy[key] = decoded
    }
    return copy
  }

const struct = (propertySignatures: SchemaAST.Objects["propertySignatures"]): Decode => {
  const fields = propertySignatures.map(({ name, type }) => ({
    name: String(name),
    isOptional: type.context?.isOptional === true,
    decode: compileAst(type)
  }))
  return (input) => {
    if (!isPlain(input)) return notAccepted
    const copy: { [key: string]: unknown } = {}
    let read = 0
    for (const { decode, isOptional, name } of fields) {
      const value = input[name]
      if (value === undefined) {
        if (!isOptional) return notAccepted
        continue
      }
      const decoded = decode(value)
      if (decoded === notAccepted) return notAccepted
      copy[name] = decoded
      read++
    }
    return Reflect.ownKeys(input).length === read ? copy : notAccepted
  }
}

/** Whether the input is an object like those of `JSON.parse`. */
const isPlain = (input: unknown): input is { readonly [key: string]: unknown } =>
  typeof input === "object" && input !== null && Object.getPrototypeOf(input) === Object.prototype
