import { Page } from "../../ui/Layout.tsx"

export const ReportsPage = () => <Page title="Unmatched reports">{null}</Page>
