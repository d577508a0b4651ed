/** Signing out: in one tab, it signs out every tab of the browser, which share the session. */
import { useNavigate } from "@tanstack/react-router"
import { useEffect } from "react"
import { call, queryClient } from "../api/client.ts"
import { noteSession } from "../api/identityGate.ts"
import { serverPath } from "../place.ts"
import { toast } from "../ui/Toast.tsx"

/** Two servers may share an origin below different paths. `null`: the browser has no such channel. */
const tabs = typeof BroadcastChannel === "undefined" ? null : new BroadcastChannel(`paymux dashboard ${serverPath}`)

/** What was read is hidden at once: until the sign-in page is loaded, this page stays. */
const forget = async (): Promise<void> => {
  noteSession("ended")
  await queryClient.cancelQueries()
  queryClient.clear()
}

export const useSignOut = (): (() => Promise<void>) => {
  const navigate = useNavigate()
  return async () => {
    try {
      await call.POST("/dashboard/api/session/sign-out")
    } catch {
      toast("You are not signed out: the server did not answer.")
      return
    }
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a BroadcastChannel has its own origin alone
    tabs?.postMessage("signed out")
    await forget()
    await navigate({ to: "/sign-in" })
  }
}

/** Of a page that needs a session: leaves it as soon as the person signs out in another tab. */
export const useSignOutElsewhere = (): void => {
  const navigate = useNavigate()
  useEffect(() => {
    const leave = () => void forget().then(() => navigate({ to: "/sign-in" }))
    tabs?.addEventListener("message", leave)
    return () => tabs?.removeEventListener("message", leave)
  }, [navigate])
}
