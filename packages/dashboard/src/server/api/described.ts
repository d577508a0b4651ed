/** What an operation does, for the OpenAPI document. */
import type { ProblemCode } from "@paymux/http"
import { Context } from "effect"
import { OpenApi } from "effect/http-api"

export const described = (summary: string, description?: string) =>
  OpenApi.annotations({ summary, ...(description !== undefined && { description }) })

/** It changes a version that the request names: its handler reads `expectedVersion`. */
export const ChangesVersion = Context.Reference<boolean>("@paymux/dashboard/ChangesVersion", {
  defaultValue: () => false
})

export const changesVersion: Context.Context<never> = Context.make(ChangesVersion, true)

/** Its response has the version of the object: its handler uses `withVersion`. */
export const SendsVersion = Context.Reference<boolean>("@paymux/dashboard/SendsVersion", { defaultValue: () => false })

export const sendsVersion: Context.Context<never> = Context.make(SendsVersion, true)

/** Problems that it answers beside those of every endpoint with its method and permission. */
export const OwnProblems = Context.Reference<ReadonlyArray<ProblemCode>>("@paymux/dashboard/OwnProblems", {
  defaultValue: () => []
})

export const answers = (...codes: ReadonlyArray<ProblemCode>): Context.Context<never> =>
  Context.make(OwnProblems, codes)
