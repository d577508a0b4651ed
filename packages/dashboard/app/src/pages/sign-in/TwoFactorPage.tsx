import { useTitle } from "../../ui/Layout.tsx"
import { Plain } from "../../shell/Shell.tsx"

export const TwoFactorPage = () => {
  useTitle("Two-factor authentication")
  return (
    <Plain>
      <h1 className="text-xl font-semibold">Two-factor authentication</h1>
    </Plain>
  )
}
