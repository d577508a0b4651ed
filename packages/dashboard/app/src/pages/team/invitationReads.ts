/** Invitations that are open: not accepted, revoked or expired. */
import { useGet } from "../../api/client.ts"
import type { Schemas } from "../../api/client.ts"
import { useTenant } from "../../session/session.ts"

export type Invitation = Schemas["Invitation"]

export const invitationsPath = "/dashboard/api/{account}/{mode}/team/invitations"

export const useInvitations = () => useGet(invitationsPath, { path: useTenant() })
