import { Page } from "../../ui/Layout.tsx"

export const TeamPage = () => <Page title="People">{null}</Page>
