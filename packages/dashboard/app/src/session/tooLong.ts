/** What to say of a text that no request needs to carry to be refused; `undefined`: it is short enough. */
export const tooLong = (text: string, most: number): string | undefined =>
  text.length <= most
    ? undefined
    : `At most ${most.toLocaleString("en-US")} characters; this has ${text.length.toLocaleString("en-US")}.`
