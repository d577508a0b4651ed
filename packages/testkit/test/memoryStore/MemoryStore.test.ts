import { MemoryStore } from "@paymux/testkit/memory-store"
import { paymentStoreSuite } from "@paymux/test-suites"

paymentStoreSuite("MemoryStore", MemoryStore.layer)
