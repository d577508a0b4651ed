import { Page } from "../../ui/Layout.tsx"

export const HomePage = () => <Page title="Home">{null}</Page>
