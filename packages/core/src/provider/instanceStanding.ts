/** Instances that take no new payments (`retired`), or had another id before (`formerly`). Pure. */
import { Predicate } from "effect"
import type { Provider } from "./Provider.ts"

/**
 * An instance that was retired without its credentials. A server starts although payments of the instance are open;
 * until the instance is configured again, the server cannot inquire about them.
 */
export interface RetiredInstance<Id extends string = string> {
  readonly id: Id
  readonly retired: true
}

export const instanceIdRule = "use lower-case letters, digits, _ and -, at most 64, starting with a letter"

export const isInstanceId = (id: unknown): id is string => Predicate.isString(id) && /^[a-z][a-z0-9_-]{0,63}$/.test(id)

export const isRetiredInstance = (given: Provider | RetiredInstance): given is RetiredInstance =>
  Predicate.isObject(given) && given.retired === true && !("make" in given)

/** The problems of the options `retired` and `formerly` of one instance, each as `field: problem`. */
export const standingProblems = (
  id: string,
  { formerly, retired }: { readonly formerly?: unknown; readonly retired?: unknown }
): ReadonlyArray<string> => {
  const former: ReadonlyArray<unknown> = formerly === undefined ? [] : Array.isArray(formerly) ? formerly : [formerly]
  return [
    ...(retired === undefined || Predicate.isBoolean(retired) ? [] : ["retired: must be true or false"]),
    ...(retired === true && former.length > 0
      ? ["formerly: an instance cannot be retired and renamed at once; configure each of its ids as a retired instance"]
      : []),
    ...(former.every(isInstanceId) ? [] : [`formerly: ${instanceIdRule}`]),
    ...(former.includes(id) ? ["formerly: must not contain the id of the instance itself"] : []),
    ...(new Set(former).size === former.length ? [] : ["formerly: must not contain an id twice"])
  ]
}

/** Checks that all ids of configured instances, including former ones, differ: a report must belong to one instance. */
export const idProblems = (
  providers: ReadonlyArray<Pick<Provider, "formerly" | "id">>,
  retired: ReadonlyArray<string>
): ReadonlyArray<string> => {
  const current = [...providers.map(({ id }) => id), ...retired]
  const owners = new Map<string, string>()
  return [
    ...current
      .filter((id, place) => current.indexOf(id) !== place)
      .map((id) => `The provider id "${id}" is used twice: rename one with its option "id".`),
    ...providers.flatMap(({ formerly = [], id }) =>
      formerly.flatMap((former) => {
        const owner = owners.get(former)
        owners.set(former, id)
        if (current.includes(former)) {
          return [
            `Provider "${id}" was formerly "${former}", which is the id of another configured instance: remove one of them.`
          ]
        }
        return owner === undefined || owner === id
          ? []
          : [`The providers "${owner}" and "${id}" were both formerly "${former}": only one of them can have been.`]
      })
    )
  ]
}
