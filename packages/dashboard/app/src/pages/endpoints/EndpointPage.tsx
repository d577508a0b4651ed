import { Page } from "../../ui/Layout.tsx"

export const EndpointPage = () => <Page title="Webhook endpoint">{null}</Page>
