import { Page } from "../../ui/Layout.tsx"

export const RequestsPage = () => <Page title="Requests">{null}</Page>
