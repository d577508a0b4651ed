import { Page } from "../../ui/Layout.tsx"

export const DeliveriesPage = () => <Page title="Deliveries">{null}</Page>
