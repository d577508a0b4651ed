import { Page } from "../../ui/Layout.tsx"

export const ReviewsPage = () => <Page title="Reviews">{null}</Page>
