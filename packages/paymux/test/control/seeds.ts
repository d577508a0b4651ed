/** For each group of the control API: an object of an account, for the routes with an id. `null`: it has no ids. */
import type { Operations } from "../../src/Operations.ts"

export const seeds: { readonly [group: string]: ((operations: Operations) => Promise<string>) | null } = {
  keys: async ({ apiKeys }) => (await apiKeys.create({ name: "seed" })).id,
  system: null
}
