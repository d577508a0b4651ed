import { instanceSuite } from "@paymux/test-suites"
import { postgres, sqlite } from "./databases.ts"

instanceSuite("SqlitePaymentStore", sqlite)
instanceSuite("PostgresPaymentStore", postgres)
