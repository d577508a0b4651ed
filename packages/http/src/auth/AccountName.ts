/** Whether a text is an account name, in options and in commands: 1 to 64 letters, digits, `_` or `-`. */
export const isAccountName = (text: string): boolean => /^[A-Za-z0-9_-]{1,64}$/.test(text)

/** The error message for an invalid account name. */
export const accountNameRule = "must have 1 to 64 letters, digits, _ or -"
