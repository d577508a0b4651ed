/** The calls of the library that operations have: typed and checked by their declarations. */
import type { Tenant } from "@paymux/core"
import { InvalidPayment, paymentError } from "@paymux/core/wire"
import type { InputIssue } from "@paymux/core/wire"
import { CurrentTenant, InputRefused } from "@paymux/dashboard"
import type { AnyEndpoint, InputOf, Operation } from "@paymux/dashboard"
import { Effect, Predicate } from "effect"

/**
 * Runs an operation for a program. Wrong input is refused with the pointers and sentences of the control API, before
 * anything is done. Other refusals reject with their own class.
 */
export const called = Effect.fnUntraced(function* <Endpoint extends AnyEndpoint, Output, E, R>(
  operation: Operation<Endpoint, Output, E, R>,
  tenant: Tenant,
  input: Given<InputOf<Endpoint>>
) {
  const decoded = yield* Effect.mapError(operation.decode(given(input)), invalidInput)
  return yield* operation.run(decoded).pipe(
    Effect.provideService(CurrentTenant, tenant),
    Effect.mapError((error) => (error instanceof InputRefused ? invalidInput(error) : error))
  )
})

/** As `called`, for one object: its id is an argument of its own. */
export const calledOf = <Endpoint extends AnyEndpoint, Output, E, R>(
  operation: Operation<Endpoint, Output, E, R>,
  tenant: Tenant,
  id: string,
  input: Given<Omit<InputOf<Endpoint>, "id">>
) => {
  if (!Predicate.isObject(input)) return Effect.fail(refused([{ pointer: "", message: "must be an object" }]))
  if ("id" in input) return Effect.fail(refused([{ pointer: "/id", message: "is not a known field" }]))
  // Boundary: the fields of `InputOf`; `decode` checks them.
  return called(operation, tenant, { ...input, id } as Given<InputOf<Endpoint>>)
}

/** The own fields of an object, of any class, without those that are `undefined`: as if they were left out. */
const given = (input: unknown): unknown =>
  Predicate.isObject(input)
    ? Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined))
    : input

/** Input as a program gives it: that a list must not be empty is checked, but is not in its type. */
type Given<Input> = {
  readonly [Field in keyof Input]: Input[Field] extends ReadonlyArray<infer Entry> | undefined
    ? ReadonlyArray<Entry>
    : Input[Field]
}

const refused = (errors: ReadonlyArray<InputIssue>) => paymentError(new InvalidPayment({ errors }))

const invalidInput = ({ errors }: InputRefused) => refused(errors)
