import { useNavigate } from "@tanstack/react-router"
import { queryClient } from "../../api/client.ts"
import { Plain } from "../../shell/Shell.tsx"
import { useListSearch, valueOf } from "../../lists/search.ts"
import { SignInForm } from "../../session/SignInForm.tsx"
import { useTitle } from "../../ui/Layout.tsx"

export const SignInPage = () => {
  useTitle("Sign in")
  const navigate = useNavigate()
  const next = valueOf(useListSearch(), "next")
  const goOn = async () => {
    await queryClient.invalidateQueries()
    // A path of this dashboard alone: the address may have been made by another site.
    await navigate({ to: next !== undefined && /^\/(?![/\\])/.test(next) ? next : "/" })
  }
  return (
    <Plain>
      <h1 className="text-xl font-semibold">Sign in to Paymux</h1>
      <SignInForm onSignedIn={() => void goOn()} />
    </Plain>
  )
}
