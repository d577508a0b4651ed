import { clockCorrectionSuite } from "@paymux/test-suites"
import { postgres, sqlite } from "./databases.ts"

clockCorrectionSuite("SqlitePaymentStore", sqlite)
clockCorrectionSuite("PostgresPaymentStore", postgres)
