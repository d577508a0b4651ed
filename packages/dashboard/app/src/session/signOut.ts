/** Signing out in one tab signs out every tab of the browser, because they share the session. */
import { useNavigate } from "@tanstack/react-router"
import { useEffect } from "react"
import { call, queryClient } from "../api/client.ts"
import { noteSession } from "../api/identityGate.ts"
import { serverPath } from "../place.ts"
import { toast } from "../ui/Toast.tsx"

/** A channel for each server: two may share an origin below different paths. `null`: the browser does not support channels. */
const tabs = typeof BroadcastChannel === "undefined" ? null : new BroadcastChannel(`paymux dashboard ${serverPath}`)

/** Hides the data of the page at once, because the page stays until the sign-in page is loaded. */
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
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a BroadcastChannel reaches its own origin only
    tabs?.postMessage("signed out")
    await forget()
    await navigate({ to: "/sign-in" })
  }
}

/** For pages that need a session: leaves the page when the person signs out in another tab. */
export const useSignOutElsewhere = (): void => {
  const navigate = useNavigate()
  useEffect(() => {
    const leave = () => void forget().then(() => navigate({ to: "/sign-in" }))
    tabs?.addEventListener("message", leave)
    return () => tabs?.removeEventListener("message", leave)
  }, [navigate])
}
