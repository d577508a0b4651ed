import { Page } from "../../ui/Layout.tsx"

export const ReportPage = () => <Page title="Unmatched report">{null}</Page>
