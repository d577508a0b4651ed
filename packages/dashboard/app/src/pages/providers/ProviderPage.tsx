import { Page } from "../../ui/Layout.tsx"

export const ProviderPage = () => <Page title="Provider">{null}</Page>
