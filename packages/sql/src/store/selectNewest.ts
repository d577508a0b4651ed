/** Finds the payment with the last id, by the primary key, on both databases. */
export const selectNewest = "SELECT id, created_at FROM payments ORDER BY id DESC LIMIT 1"
