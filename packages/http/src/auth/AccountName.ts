/** How accounts are named, in options and in commands: 1 to 64 letters, digits, `_` or `-`. */
export const isAccountName = (text: string): boolean => /^[A-Za-z0-9_-]{1,64}$/.test(text)

/** What is said of any other. */
export const accountNameRule = "must have 1 to 64 letters, digits, _ or -"
