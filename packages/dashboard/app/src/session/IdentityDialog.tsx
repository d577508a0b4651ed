/** Over any page: signs in again, or proves again who one is, for the calls that wait for it. */
import { useMutation } from "@tanstack/react-query"
import { useSyncExternalStore } from "react"
import type { FormEvent } from "react"
import { call, reread } from "../api/client.ts"
import { identityRequest, settleIdentity, subscribeToIdentity } from "../api/identityGate.ts"
import { Button } from "../ui/Button.tsx"
import { Actions, Dialog } from "../ui/Dialog.tsx"
import { Field, Input } from "../ui/Field.tsx"
import { ProblemNote } from "../ui/Problem.tsx"
import { textIn } from "./formText.ts"
import { useSessionQuery } from "./session.ts"
import { ElsewhereSignIn, SignInForm } from "./SignInForm.tsx"

const done = () => {
  settleIdentity(true)
  void reread("/dashboard/api/session")
}

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
        <SignInForm onSignedIn={done} stay />
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
  if (session === undefined) return <SignInForm onSignedIn={done} stay />
  if (session.reauthenticateUrl !== null)
    return <ElsewhereSignIn address={session.reauthenticateUrl} onSignedIn={done} />
  return session.method === "password" ? <PasswordAgain /> : <SignInForm onSignedIn={done} stay />
}

const PasswordAgain = () => {
  const confirm = useMutation({
    mutationFn: ({ code, password }: { readonly password: string; readonly code: string }) =>
      call.POST("/dashboard/api/session/reauthenticate", { body: { password, ...(code !== "" && { code }) } }),
    onSuccess: done
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
