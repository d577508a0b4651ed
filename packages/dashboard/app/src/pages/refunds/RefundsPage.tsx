import { Page } from "../../ui/Layout.tsx"

export const RefundsPage = () => <Page title="Refunds">{null}</Page>
