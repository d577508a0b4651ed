import { Page } from "../../ui/Layout.tsx"

export const EventsPage = () => <Page title="Events">{null}</Page>
