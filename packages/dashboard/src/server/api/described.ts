/** What an operation does, for the OpenAPI document. */
import { Context } from "effect"
import { OpenApi } from "effect/http-api"

export const described = (summary: string, description?: string) =>
  OpenApi.annotations({ summary, ...(description !== undefined && { description }) })

/** It changes a version that the request names: its handler reads `expectedVersion`. */
export const ChangesVersion = Context.Reference<boolean>("@paymux/dashboard/ChangesVersion", {
  defaultValue: () => false
})

export const changesVersion: Context.Context<never> = Context.make(ChangesVersion, true)
