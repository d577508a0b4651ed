import { Page } from "../../ui/Layout.tsx"

export const HistoryPage = () => <Page title="History of the rules">{null}</Page>
