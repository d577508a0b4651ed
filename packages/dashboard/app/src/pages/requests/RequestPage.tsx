import { Page } from "../../ui/Layout.tsx"

export const RequestPage = () => <Page title="Request">{null}</Page>
