import { useNavigate } from "@tanstack/react-router"
import { queryClient } from "../../api/client.ts"
import { Plain } from "../../shell/Shell.tsx"
import { useListSearch, valueOf } from "../../lists/search.ts"
import { SignInForm } from "../../session/SignInForm.tsx"
import { useTitle } from "../../ui/Layout.tsx"
import { Note } from "../../ui/Problem.tsx"

/** Why the sign-in with the identity provider was refused. */
const refusals: ReadonlyMap<string, string> = new Map([
  ["failed", "The sign-in with the identity provider failed. Try again."],
  ["no_access", "You have no access. Ask an administrator of your identity provider."],
  ["unavailable", "Single sign-on is temporarily unavailable. Try again in a few minutes."]
])

export const SignInPage = () => {
  useTitle("Sign in")
  const navigate = useNavigate()
  const search = useListSearch()
  const next = valueOf(search, "next")
  const refusal = refusals.get(valueOf(search, "error") ?? "")
  const goOn = async () => {
    await queryClient.invalidateQueries()
    // A path of this dashboard alone: the address may have been made by another site.
    await navigate({ to: next !== undefined && /^\/(?![/\\])/.test(next) ? next : "/" })
  }
  return (
    <Plain>
      <h1 className="text-xl font-semibold">Sign in to Paymux</h1>
      {refusal !== undefined && (
        <Note tone="bad" role="alert">
          <p>{refusal}</p>
        </Note>
      )}
      <SignInForm onSignedIn={() => void goOn()} />
    </Plain>
  )
}
