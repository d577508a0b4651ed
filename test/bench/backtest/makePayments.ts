/** `makePayments.ts <file> <payments> <from> <ms>`: prints how many attempts there are. */
import { store } from "./StoredPayments.ts"

const [filename = "", payments, from, ms] = process.argv.slice(2)
const apart = Number(ms) / Number(payments)
process.stdout.write(String(await store(filename, { payments: Number(payments), from: Number(from), apart })))
