import { Page } from "../../ui/Layout.tsx"

export const EndpointsPage = () => <Page title="Webhook endpoints">{null}</Page>
