/** What an operation does, for the OpenAPI document. */
import { OpenApi } from "effect/http-api"

export const described = (summary: string, description?: string) =>
  OpenApi.annotations({ summary, ...(description !== undefined && { description }) })
