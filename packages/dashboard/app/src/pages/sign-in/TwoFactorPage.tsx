/** Sets up the codes of an authenticator app. The secret and the recovery codes are shown once, and kept nowhere. */
import { useMutation } from "@tanstack/react-query"
import { Navigate } from "@tanstack/react-router"
import type { FormEvent } from "react"
import { call, queryClient } from "../../api/client.ts"
import type { Schemas } from "../../api/client.ts"
import { isProblem } from "../../api/problems.ts"
import { textIn } from "../../session/formText.ts"
import { useSessionQuery } from "../../session/session.ts"
import { useSignOutElsewhere } from "../../session/signOut.ts"
import { Plain } from "../../shell/Shell.tsx"
import { Button, ButtonLink } from "../../ui/Button.tsx"
import { CopyButton, Secret } from "../../ui/Copy.tsx"
import { Field, Input } from "../../ui/Field.tsx"
import { SkeletonLines, useTitle } from "../../ui/Layout.tsx"
import { Note, ProblemNote } from "../../ui/Problem.tsx"

export const TwoFactorPage = () => {
  useTitle("Two-factor authentication")
  useSignOutElsewhere()
  const { data, error, refetch } = useSessionQuery()
  if (isProblem(error, "sign_in_required")) return <Navigate to="/sign-in" search={{ next: "/two-factor" }} replace />
  return (
    <Plain>
      <h1 className="text-xl font-semibold">Two-factor authentication</h1>
      {data === undefined && error === null && <SkeletonLines lines={3} />}
      {data === undefined && error !== null && <ProblemNote error={error} onRetry={() => void refetch()} />}
      {data !== undefined &&
        (data.method === "password" ? <SetUp needsTotp={data.needsTotp} /> : <ManagedElsewhere method={data.method} />)}
    </Plain>
  )
}

const elsewhere: { readonly [method in "oidc" | "sandbox" | "host"]: string } = {
  oidc: "You sign in with your identity provider. It decides whether a second factor is required.",
  host: "You sign in to the application that hosts this dashboard. It decides whether a second factor is required.",
  sandbox: "The sandbox has no accounts: there is nothing to protect with a second factor."
}

const ManagedElsewhere = ({ method }: { readonly method: "oidc" | "sandbox" | "host" }) => (
  <>
    <Note tone="info">
      <p>{elsewhere[method]}</p>
    </Note>
    <ButtonLink to="/">Go to the dashboard</ButtonLink>
  </>
)

const SetUp = ({ needsTotp }: { readonly needsTotp: boolean }) => {
  const begin = useMutation({
    mutationFn: async () => (await call.POST("/dashboard/api/session/totp")).data
  })
  const confirm = useMutation({
    mutationFn: async (code: string) =>
      (await call.POST("/dashboard/api/session/totp/confirm", { body: { code: code.replaceAll(/\s/g, "") } })).data,
    // With a second factor the session opens live mode.
    onSuccess: () => void queryClient.invalidateQueries()
  })
  if (confirm.data !== undefined) return <RecoveryCodes codes={confirm.data.recoveryCodes} />
  if (begin.data !== undefined) {
    return (
      <Enrolment
        enrolment={begin.data}
        error={confirm.error}
        busy={confirm.isPending}
        onCode={(code) => confirm.mutate(code)}
      />
    )
  }
  return (
    <>
      <p className="text-sm">
        {needsTotp
          ? "Set it up to open live mode. You need an authenticator app, on your phone or in your password manager."
          : "It is set up. If you have a new phone, set it up again: the codes of the old one stop working."}
      </p>
      {begin.error !== null && <ProblemNote error={begin.error} repeatable />}
      <div className="flex gap-2">
        <Button look="primary" busy={begin.isPending} onClick={() => begin.mutate()}>
          {needsTotp ? "Set it up" : "Set it up again"}
        </Button>
        <ButtonLink to="/">Not now</ButtonLink>
      </div>
    </>
  )
}

interface EnrolmentProps {
  readonly enrolment: Schemas["TotpEnrolment"]
  readonly error: unknown
  readonly busy: boolean
  readonly onCode: (code: string) => void
}

const Enrolment = ({ busy, enrolment: { qrCode, secret }, error, onCode }: EnrolmentProps) => {
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (!busy) onCode(textIn(event.currentTarget, "code"))
  }
  const isWrong = isProblem(error, "sign_in_failed")
  return (
    <>
      <p className="text-sm">1. Scan this code with your authenticator app, or enter the secret by hand.</p>
      <img
        src={`data:image/svg+xml;charset=utf-8,${encodeURIComponent(qrCode)}`}
        alt="QR code with the secret below"
        width={208}
        height={208}
        className="self-center rounded-lg border border-line bg-white"
      />
      <Secret name="secret" text={secret} />
      <form onSubmit={submit} className="flex flex-col gap-3">
        <p className="text-sm">2. Enter the code that the app shows.</p>
        <Field label="Code" error={isWrong ? "The code is wrong or was used before. Enter the next one." : undefined}>
          <Input name="code" inputMode="numeric" autoComplete="one-time-code" required maxLength={10} />
        </Field>
        {error !== null && !isWrong && <ProblemNote error={error} />}
        <Button type="submit" look="primary" busy={busy}>
          Confirm
        </Button>
      </form>
    </>
  )
}

const RecoveryCodes = ({ codes }: { readonly codes: ReadonlyArray<string> }) => (
  <>
    <Note tone="good" role="status">
      <p>Two-factor authentication is on. Your other sessions have ended.</p>
    </Note>
    <h2 className="font-semibold">Recovery codes</h2>
    <p className="text-sm">
      Each signs you in once if you lose your phone. Keep them where you keep your passwords. They are not shown again.
    </p>
    <div className="flex items-start gap-2 rounded-lg border border-edge bg-side p-3">
      <ul aria-label="Recovery codes" className="grid flex-1 grid-cols-2 gap-x-4 gap-y-1 font-mono text-sm" data-secret>
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <CopyButton label="Copy recovery codes" text={codes.join("\n")} />
    </div>
    <ButtonLink to="/" look="primary">
      I have stored them
    </ButtonLink>
  </>
)
