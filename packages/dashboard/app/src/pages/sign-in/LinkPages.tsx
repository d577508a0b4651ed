/** What one-time links of people lead to. The token stands behind the `#`, and is removed from the address at once. */
import { useMutation } from "@tanstack/react-query"
import { useNavigate } from "@tanstack/react-router"
import { useEffect, useState } from "react"
import type { FormEvent, ReactNode } from "react"
import { call, queryClient } from "../../api/client.ts"
import { problemAt } from "../../api/problems.ts"
import { textIn } from "../../session/formText.ts"
import { Plain } from "../../shell/Shell.tsx"
import { Button, ButtonLink } from "../../ui/Button.tsx"
import { Field, Input } from "../../ui/Field.tsx"
import { useTitle } from "../../ui/Layout.tsx"
import { Note, ProblemNote } from "../../ui/Problem.tsx"

const useToken = (): string => {
  const [token] = useState(() => window.location.hash.slice(1))
  useEffect(() => window.history.replaceState(window.history.state, "", window.location.pathname), [])
  return token
}

const NoToken = () => (
  <Note tone="warn">
    <p>This link is incomplete. Open it again from where you received it, or ask for a new one.</p>
  </Note>
)

const LinkPage = ({ children, title }: { readonly title: string; readonly children: ReactNode }) => {
  useTitle(title)
  return (
    <Plain>
      <h1 className="text-xl font-semibold">{title}</h1>
      {children}
    </Plain>
  )
}

const passwordHint = "At least 12 characters, 5 of them different. A sentence is a good password."

/** A fault at a field stands there; this is for the others. */
const FormProblem = ({ error }: { readonly error: unknown }) => {
  const isAtField = ["/email", "/password"].some((pointer) => problemAt(error, pointer) !== undefined)
  return error === null || isAtField ? null : <ProblemNote error={error} repeatable />
}

/** The server names the field by its pointer, so its message begins with the verb. */
const faultAt = (error: unknown, field: "email" | "password"): string | undefined => {
  const message = problemAt(error, `/${field}`)
  return message === undefined ? undefined : `${field === "email" ? "The email address" : "The password"} ${message}.`
}

export const JoinPage = () => {
  const token = useToken()
  const join = useMutation({
    mutationFn: (body: { readonly email: string; readonly password: string }) =>
      call.POST("/dashboard/api/sign-in/invitation", {
        body: { token, password: body.password, ...(body.email !== "" && { email: body.email }) }
      })
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    join.mutate({ email: textIn(form, "email").trim(), password: textIn(form, "password") })
  }
  if (token === "") return <LinkPage title="Join Paymux">{<NoToken />}</LinkPage>
  if (join.isSuccess) return <Done title="You have joined" />
  return (
    <LinkPage title="Join Paymux">
      <form onSubmit={submit} className="flex flex-col gap-3">
        <Field
          label="Email"
          hint="Only for the first owner. Every other invitation has the address already."
          error={faultAt(join.error, "email")}
        >
          <Input name="email" type="email" autoComplete="username" maxLength={320} />
        </Field>
        <Field
          label="Password"
          hint={`${passwordHint} If you are a user already, enter the password you have.`}
          error={faultAt(join.error, "password")}
        >
          <Input name="password" type="password" autoComplete="new-password" required maxLength={1024} />
        </Field>
        <FormProblem error={join.error} />
        <Button type="submit" look="primary" busy={join.isPending}>
          Join
        </Button>
      </form>
    </LinkPage>
  )
}

export const ResetPage = () => {
  const token = useToken()
  const reset = useMutation({
    mutationFn: (password: string) => call.POST("/dashboard/api/sign-in/reset", { body: { token, password } })
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    reset.mutate(textIn(event.currentTarget, "password"))
  }
  if (token === "") return <LinkPage title="Set a new password">{<NoToken />}</LinkPage>
  if (reset.isSuccess) return <Done title="Your password is set" />
  return (
    <LinkPage title="Set a new password">
      <form onSubmit={submit} className="flex flex-col gap-3">
        <Field label="New password" hint={passwordHint} error={faultAt(reset.error, "password")}>
          <Input name="password" type="password" autoComplete="new-password" required maxLength={1024} />
        </Field>
        <FormProblem error={reset.error} />
        <Button type="submit" look="primary" busy={reset.isPending}>
          Set the password
        </Button>
      </form>
    </LinkPage>
  )
}

const Done = ({ title }: { readonly title: string }) => (
  <LinkPage title={title}>
    <p>Sign in to continue.</p>
    <ButtonLink to="/sign-in" look="primary">
      Sign in
    </ButtonLink>
  </LinkPage>
)

/** The link of a sandbox: one click, so that no preview of the link uses it up. */
export const OpenPage = () => {
  const token = useToken()
  const navigate = useNavigate()
  const open = useMutation({
    mutationFn: () => call.POST("/dashboard/api/sign-in/sandbox", { body: { token } }),
    onSuccess: async () => {
      await queryClient.invalidateQueries()
      await navigate({ to: "/" })
    }
  })
  return (
    <LinkPage title="Open the sandbox">
      {token === "" ? (
        <NoToken />
      ) : (
        <>
          <p className="text-sm text-muted">Test mode only: no real money moves.</p>
          {open.error !== null && <ProblemNote error={open.error} />}
          <Button look="primary" busy={open.isPending} onClick={() => open.mutate()}>
            Open the dashboard
          </Button>
        </>
      )}
    </LinkPage>
  )
}
