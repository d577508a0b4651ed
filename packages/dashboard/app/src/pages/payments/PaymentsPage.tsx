import { Page } from "../../ui/Layout.tsx"

export const PaymentsPage = () => <Page title="Payments">{null}</Page>
