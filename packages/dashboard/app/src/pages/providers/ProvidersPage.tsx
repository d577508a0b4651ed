import { Page } from "../../ui/Layout.tsx"

export const ProvidersPage = () => <Page title="Providers">{null}</Page>
