/** The dialog for requests that wait for a sign-in, over any page. */
import { useMutation } from "@tanstack/react-query"
import { useSyncExternalStore } from "react"
import type { FormEvent } from "react"
import { call, queryClient } from "../api/client.ts"
import { askForIdentity, identityRequest, settleIdentity, subscribeToIdentity } from "../api/identityGate.ts"
import { Button } from "../ui/Button.tsx"
import { Actions, Dialog } from "../ui/Dialog.tsx"
import { Field, Input } from "../ui/Field.tsx"
import { isProblem } from "../api/problems.ts"
import { ProblemNote } from "../ui/Problem.tsx"
import { toast } from "../ui/Toast.tsx"
import { textIn } from "./formText.ts"
import { sessionKey, useSessionQuery } from "./session.ts"
import type { Session } from "./session.ts"
import { ElsewhereSignIn, SignInForm } from "./SignInForm.tsx"

/** Waiting requests are sent only if the same person signed in again. */
const done = async () => {
  const before = queryClient.getQueryData<Session>(sessionKey)
  try {
    const { data } = await call.GET("/dashboard/api/session")
    const isSame = data !== undefined && (before === undefined || before.id === data.id)
    if (!isSame) queryClient.clear()
    queryClient.setQueryData(sessionKey, data)
    settleIdentity(isSame)
    if (data !== undefined && !isSame) toast(`You are now ${data.name}. What waited for the sign-in was not sent.`)
  } catch (error) {
    toast(isProblem(error, "sign_in_required") ? "You are not signed in yet." : "The server does not answer.")
  }
}

const onSignedIn = () => void done()

export const IdentityDialog = () => {
  const request = useSyncExternalStore(subscribeToIdentity, identityRequest)
  return (
    <>
      <Dialog
        open={request === "sign-in"}
        onClose={() => settleIdentity(false)}
        title="Your session has ended"
        description="Sign in to continue. What you entered on this page is kept."
      >
        <SignInForm onSignedIn={onSignedIn} stay />
      </Dialog>
      <Dialog
        open={request === "reauthentication"}
        onClose={() => settleIdentity(false)}
        title="Confirm that it is you"
        description="This action needs a sign-in within the last 10 minutes."
      >
        <Reauthentication />
      </Dialog>
    </>
  )
}

const Reauthentication = () => {
  const { data: session } = useSessionQuery()
  if (session === undefined) return <SignInForm onSignedIn={onSignedIn} stay />
  if (session.reauthenticateUrl !== null)
    return <ElsewhereSignIn address={session.reauthenticateUrl} onSignedIn={onSignedIn} />
  return session.method === "password" ? <PasswordAgain /> : <SignInForm onSignedIn={onSignedIn} stay />
}

const PasswordAgain = () => {
  const confirm = useMutation({
    mutationFn: ({ code, password }: { readonly password: string; readonly code: string }) =>
      call.POST("/dashboard/api/session/reauthenticate", { body: { password, ...(code !== "" && { code }) } }),
    onSuccess: done,
    onError: (error) => {
      if (isProblem(error, "sign_in_required")) void askForIdentity("sign-in")
    }
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    confirm.mutate({ password: textIn(form, "password"), code: textIn(form, "code").trim() })
  }
  return (
    <form onSubmit={submit} className="flex flex-col gap-3">
      <Field label="Password">
        <Input name="password" type="password" autoComplete="current-password" required maxLength={1024} />
      </Field>
      <Field label="Code" hint="Of your authenticator app, if you set it up.">
        <Input name="code" autoComplete="one-time-code" maxLength={64} />
      </Field>
      {confirm.error !== null && <ProblemNote error={confirm.error} repeatable />}
      <Actions>
        <Button onClick={() => settleIdentity(false)}>Cancel</Button>
        <Button type="submit" look="primary" busy={confirm.isPending}>
          Confirm
        </Button>
      </Actions>
    </form>
  )
}
