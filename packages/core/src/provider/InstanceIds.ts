/** The ids that the instance of an id has or had. */
import { Context } from "effect"
import type { Provider } from "./Provider.ts"

/** The former ids first. An instance that is not configured has its id alone. */
export type IdsOf = (id: string) => ReadonlyArray<string>

/** For code without an engine, such as the statements of providers. Default: no instance was renamed. */
export const InstanceIds = Context.Reference<IdsOf>("@paymux/core/provider/InstanceIds", {
  defaultValue: () => (id) => [id]
})

/** Of configured instances. */
export const instanceIds = (providers: ReadonlyArray<Pick<Provider, "formerly" | "id">>): IdsOf => {
  const byId = new Map<string, ReadonlyArray<string>>()
  for (const { formerly = [], id } of providers) {
    const ids = [...formerly, id]
    for (const each of ids) byId.set(each, ids)
  }
  return (id) => byId.get(id) ?? [id]
}
