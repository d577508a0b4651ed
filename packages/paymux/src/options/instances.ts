/** The provider instances of the option `providers`, and those that were retired without their credentials. */
import type { Provider } from "@paymux/core"
import { instanceIdRule, isInstanceId, isRetiredInstance } from "@paymux/core/engine"
import type { RetiredInstance } from "@paymux/core/engine"
import { retiredRoute } from "@paymux/core/routing"
import type { RoutableProvider } from "@paymux/core/routing"

export interface Instances {
  readonly providers: ReadonlyArray<Provider>
  /** The ids of instances that were retired without their credentials. */
  readonly retired: ReadonlyArray<string>
}

const isProvider = (given: Provider | RetiredInstance): given is Provider => !isRetiredInstance(given)

export const instancesOf = (given: ReadonlyArray<Provider | RetiredInstance>): Instances => ({
  providers: given.filter(isProvider),
  retired: given.filter(isRetiredInstance).map(({ id }) => id)
})

/** What rules may name: retired instances too, which get no payments. */
export const routable = ({ providers, retired }: Instances): ReadonlyArray<RoutableProvider> => [
  ...providers,
  ...retired.map(retiredRoute)
]

export const retiredProblems = (given: ReadonlyArray<Provider | RetiredInstance>): ReadonlyArray<string> =>
  given
    .filter(isRetiredInstance)
    .flatMap(({ id, retired: _, ...others }) => [
      ...(isInstanceId(id) ? [] : [`The id of a retired instance: ${instanceIdRule}.`]),
      ...Object.keys(others).map(
        (key) =>
          `The retired instance "${id}" has no option "${key}": add { id: "${id}", retired: true }, or the instance with its credentials.`
      )
    ])
