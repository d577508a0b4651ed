/** Paymux on `node:http`. Its database is argument 1. */
import { key, paymux } from "./benchPaymux.ts"
import { serve } from "./Serve.ts"

serve(paymux.node, key, paymux.close)
