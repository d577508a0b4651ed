import { useGet } from "../../api/client.ts"
import type { Schemas } from "../../api/client.ts"
import { useTenant } from "../../session/session.ts"
import { pollInterval } from "../../statistics/reads.ts"

export type Instance = Schemas["ProviderInstance"]
export type Breaker = Schemas["CircuitBreaker"]

export const useProviders = () =>
  useGet("/dashboard/api/{account}/{mode}/providers", { path: { ...useTenant() } }, { staleTime: 60_000 })

/** Of every running process. Refused to a person with a role in some accounts only. */
export const useBreakers = (provider?: string) =>
  useGet(
    "/dashboard/api/{account}/{mode}/breakers",
    { path: { ...useTenant() }, query: provider === undefined ? {} : { provider } },
    { refetchInterval: pollInterval }
  )

/** Those that are not closed come first, the worst of them at the top. */
export const worstFirst = (breakers: ReadonlyArray<Breaker>): ReadonlyArray<Breaker> =>
  breakers.toSorted((one, other) => rank[one.state] - rank[other.state] || other.since - one.since)

const rank = { open: 0, half_open: 1, closed: 2 } as const
