import { Page } from "../../ui/Layout.tsx"

export const ReviewPage = () => <Page title="Review">{null}</Page>
