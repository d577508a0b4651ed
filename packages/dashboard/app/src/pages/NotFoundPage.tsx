import { ButtonLink } from "../ui/Button.tsx"
import { Empty, Page } from "../ui/Layout.tsx"

export const NotFoundPage = () => (
  <Page title="Not found">
    <Empty title="There is nothing at this address">
      <p>It does not exist, or it belongs to an account to which you have no access.</p>
      <ButtonLink to="/">Go to the first page</ButtonLink>
    </Empty>
  </Page>
)
