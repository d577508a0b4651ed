/** The mark of a restored database in the in-memory store. */
import type { RestorationStore } from "@paymux/core/store"
import { Effect } from "effect"
import type { Tables } from "./MemoryTables.ts"

export const memoryRestoration = (tables: Tables): RestorationStore => ({
  read: Effect.sync(() => tables.restoration),
  replace: ({ version }, mark) =>
    Effect.sync(() => {
      const { restoration } = tables
      if (restoration.version !== version) return false
      tables.restoration = { ...restoration, version: `${version}+`, mark }
      return true
    })
})
