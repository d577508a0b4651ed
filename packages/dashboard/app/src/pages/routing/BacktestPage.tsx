import { Page } from "../../ui/Layout.tsx"

export const BacktestPage = () => <Page title="Backtest">{null}</Page>
