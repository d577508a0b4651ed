import { Page } from "../../ui/Layout.tsx"

export const KeysPage = () => <Page title="API keys">{null}</Page>
