import type { StoreUnavailable } from "@paymux/core/store"
import { Effect } from "effect"

type Call<A> = Effect.Effect<A, StoreUnavailable>

/** The service with every function of it, and of the services inside it, behind `wrap`. */
export const everyCall = <S extends object>(service: S, wrap: <A>(work: Call<A>) => Call<A>): S =>
  // Such a service holds functions that answer effects, groups of such functions, effects and constants: nothing else.
  Object.fromEntries(
    Object.entries(service).map(([name, member]) => {
      if (typeof member === "function") {
        return [name, (...args: ReadonlyArray<unknown>) => wrap(Effect.suspend(() => member(...args) as Call<unknown>))]
      }
      const isGroup = typeof member === "object" && member !== null && !Effect.isEffect(member)
      return [name, isGroup ? everyCall(member, wrap) : member]
    })
  ) as S
