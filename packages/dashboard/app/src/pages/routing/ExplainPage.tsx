import { Page } from "../../ui/Layout.tsx"

export const ExplainPage = () => <Page title="Explain a decision">{null}</Page>
