/** For vitest's `globalSetup`: tests of a whole server get the pages of the dashboard as they are in the sources. */
import { buildDashboardApp } from "../../scripts/dashboard-app.ts"

const setup = (): void => {
  buildDashboardApp()
}

export default setup
