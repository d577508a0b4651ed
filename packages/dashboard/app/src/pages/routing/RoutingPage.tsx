import { Page } from "../../ui/Layout.tsx"

export const RoutingPage = () => <Page title="Routing rules">{null}</Page>
