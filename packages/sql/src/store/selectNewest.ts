/** The payment whose id is last. It walks the primary key, on both databases. */
export const selectNewest = "SELECT id, created_at FROM payments ORDER BY id DESC LIMIT 1"
