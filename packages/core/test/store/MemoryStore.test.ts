import { MemoryStore } from "@paymux/core/store"
import { paymentStoreSuite } from "@paymux/test-suites"

paymentStoreSuite("MemoryStore", MemoryStore.layer)
