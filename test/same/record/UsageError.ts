/** The comparison cannot be made. The message says why and what to do, and is all that is shown. */
export class UsageError extends Error {}
