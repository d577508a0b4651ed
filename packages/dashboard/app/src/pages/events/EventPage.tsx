import { Page } from "../../ui/Layout.tsx"

export const EventPage = () => <Page title="Event">{null}</Page>
