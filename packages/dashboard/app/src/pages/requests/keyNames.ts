import { useGet } from "../../api/client.ts"
import { useTenant } from "../../session/session.ts"

/** The names of API keys, also of those that are revoked. */
export const useKeyNames = (): ReadonlyMap<string, string> => {
  const { data } = useGet("/dashboard/api/{account}/{mode}/keys", { path: { ...useTenant() } }, { staleTime: 60_000 })
  return new Map(data?.data.map(({ display, keyId, name }) => [keyId, `${name} (${display})`] as const))
}
