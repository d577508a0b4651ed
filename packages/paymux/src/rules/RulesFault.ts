/** What is wrong in the text of a rules file, and the offset of the place. */
export interface RulesFault {
  readonly at: number
  readonly message: string
}
