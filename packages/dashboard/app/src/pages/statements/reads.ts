import { useGet } from "../../api/client.ts"
import { useTenant } from "../../session/session.ts"
import { pollInterval } from "../../statistics/reads.ts"

/** Of every provider of the mode. Refused to a person with a role in some accounts only. */
export const useStatements = () =>
  useGet("/dashboard/api/{account}/{mode}/statements", { path: useTenant() }, { refetchInterval: pollInterval })
