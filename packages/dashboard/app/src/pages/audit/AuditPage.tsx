import { Page } from "../../ui/Layout.tsx"

export const AuditPage = () => <Page title="Audit log">{null}</Page>
