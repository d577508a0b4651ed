import { useGet } from "../../api/client.ts"
import type { Schemas } from "../../api/client.ts"
import { useTenant } from "../../session/session.ts"

export type Endpoint = Schemas["WebhookEndpoint"]

/** Of an account and mode, as the server limits them. */
export const mostEndpoints = 50

/** The program that embeds Paymux: it has no address and no secret. */
export const isProgram = ({ url }: Pick<Endpoint, "url">): boolean => url === "process:"

export const endpointName = (endpoint: Pick<Endpoint, "url">): string =>
  isProgram(endpoint) ? "This program (onEvent)" : endpoint.url

export const useEndpoints = () =>
  useGet("/dashboard/api/{account}/{mode}/endpoints", { path: { ...useTenant() } }, { refetchInterval: 15_000 })

/** `undefined`: it was removed. */
export const useEndpointNames = () => {
  const { data } = useEndpoints()
  const names = new Map(data?.data.map((endpoint) => [endpoint.id, endpointName(endpoint)] as const))
  return { names, nameOf: (id: string): string | undefined => (data === undefined ? "…" : names.get(id)) }
}
