import { createHash, timingSafeEqual } from "node:crypto"

/** Compares two texts in constant time: the duration reveals neither where they differ nor their lengths. */
export const isSameText = (one: string, other: string): boolean => timingSafeEqual(digest(one), digest(other))

const digest = (text: string): Buffer => createHash("sha256").update(text).digest()
