import { Page } from "../../ui/Layout.tsx"

export const RefundPage = () => <Page title="Refund">{null}</Page>
