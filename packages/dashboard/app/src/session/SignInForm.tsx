/** Signing in with a password, then a code if TOTP is set up, or with the identity provider. */
import { useMutation } from "@tanstack/react-query"
import { useState } from "react"
import type { FormEvent } from "react"
import { call, useGet } from "../api/client.ts"
import { serverPath } from "../place.ts"
import { Button } from "../ui/Button.tsx"
import { Field, Input } from "../ui/Field.tsx"
import { SkeletonLines } from "../ui/Layout.tsx"
import { Note, ProblemNote } from "../ui/Problem.tsx"
import { textIn } from "./formText.ts"

interface SignInFormProps {
  readonly onSignedIn: () => void
  /** In a dialog over a page that must not be left. */
  readonly stay?: boolean
}

export const SignInForm = ({ onSignedIn, stay = false }: SignInFormProps) => {
  const { data: methods, error, refetch } = useGet("/dashboard/api/sign-in", {})
  const [codeToken, setCodeToken] = useState<string | null>(null)
  if (methods === undefined) {
    return error === null ? <SkeletonLines lines={3} /> : <ProblemNote error={error} onRetry={() => void refetch()} />
  }
  const { oidc, password, reauthenticateUrl } = methods
  if (codeToken !== null)
    return <CodeForm token={codeToken} onSignedIn={onSignedIn} onBack={() => setCodeToken(null)} />
  return (
    <div className="flex flex-col gap-4">
      {oidc && <IdentityProvider stay={stay} onSignedIn={onSignedIn} />}
      {password && <PasswordForm onSignedIn={onSignedIn} onCode={setCodeToken} />}
      {!oidc && !password && <HostSignIn address={reauthenticateUrl} stay={stay} onSignedIn={onSignedIn} />}
    </div>
  )
}

interface PasswordFormProps {
  readonly onSignedIn: () => void
  readonly onCode: (token: string) => void
}

const PasswordForm = ({ onCode, onSignedIn }: PasswordFormProps) => {
  const signIn = useMutation({
    mutationFn: async (body: { readonly email: string; readonly password: string }) =>
      (await call.POST("/dashboard/api/sign-in/password", { body })).data,
    onSuccess: (next) => (next?.step === "code" ? onCode(next.token) : onSignedIn())
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    signIn.mutate({ email: textIn(event.currentTarget, "email"), password: textIn(event.currentTarget, "password") })
  }
  return (
    <form onSubmit={submit} className="flex flex-col gap-3">
      <Field label="Email">
        <Input name="email" type="email" autoComplete="username" required maxLength={320} />
      </Field>
      <Field label="Password">
        <Input name="password" type="password" autoComplete="current-password" required maxLength={1024} />
      </Field>
      {signIn.error !== null && <ProblemNote error={signIn.error} repeatable />}
      <Button type="submit" look="primary" busy={signIn.isPending}>
        Sign in
      </Button>
    </form>
  )
}

interface CodeFormProps {
  readonly token: string
  readonly onSignedIn: () => void
  readonly onBack: () => void
}

const CodeForm = ({ onBack, onSignedIn, token }: CodeFormProps) => {
  const enter = useMutation({
    mutationFn: (code: string) => call.POST("/dashboard/api/sign-in/code", { body: { token, code } }),
    onSuccess: onSignedIn
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    enter.mutate(textIn(event.currentTarget, "code"))
  }
  return (
    <form onSubmit={submit} className="flex flex-col gap-3">
      <Field label="Code" hint="Of your authenticator app, or a recovery code.">
        <Input name="code" autoComplete="one-time-code" required maxLength={64} autoFocus />
      </Field>
      {enter.error !== null && <ProblemNote error={enter.error} repeatable />}
      <Button type="submit" look="primary" busy={enter.isPending}>
        Continue
      </Button>
      <Button look="ghost" onClick={onBack}>
        Back to the password
      </Button>
    </form>
  )
}

/** The identity provider is another site. From a dialog it opens in a tab of its own, so that this page stays. */
const IdentityProvider = ({ onSignedIn, stay }: { readonly stay: boolean; readonly onSignedIn: () => void }) => {
  const address = `${serverPath}/dashboard/api/sign-in/oidc${stay ? "?again=true" : ""}`
  return stay ? (
    <ElsewhereSignIn address={address} onSignedIn={onSignedIn} />
  ) : (
    <LinkButton address={address}>Sign in with your identity provider</LinkButton>
  )
}

interface HostSignInProps {
  readonly address: string | null
  readonly stay: boolean
  readonly onSignedIn: () => void
}

const HostSignIn = ({ address, onSignedIn, stay }: HostSignInProps) =>
  address === null ? (
    <Note tone="info">
      <p>Sign in to the application that hosts this dashboard, in another tab, then continue here.</p>
      {stay && <Button onClick={onSignedIn}>I have signed in</Button>}
      {!stay && <Button onClick={() => window.location.reload()}>Reload</Button>}
    </Note>
  ) : (
    <ElsewhereSignIn address={address} onSignedIn={onSignedIn} />
  )

export const ElsewhereSignIn = ({
  address,
  onSignedIn
}: {
  readonly address: string
  readonly onSignedIn: () => void
}) => (
  <div className="flex flex-col gap-2">
    <LinkButton address={address} newTab>
      Sign in in a new tab
    </LinkButton>
    <Button onClick={onSignedIn}>I have signed in</Button>
  </div>
)

const LinkButton = ({
  address,
  children,
  newTab = false
}: {
  readonly address: string
  readonly children: string
  readonly newTab?: boolean
}) => (
  <a
    href={address}
    {...(newTab && { target: "_blank", rel: "noreferrer" })}
    className="inline-flex h-8 items-center justify-center rounded-md border border-line bg-raised px-3 text-sm font-medium hover:bg-hover"
  >
    {children}
  </a>
)
