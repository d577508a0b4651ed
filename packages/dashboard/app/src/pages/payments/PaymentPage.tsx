import { Page } from "../../ui/Layout.tsx"

export const PaymentPage = () => <Page title="Payment">{null}</Page>
