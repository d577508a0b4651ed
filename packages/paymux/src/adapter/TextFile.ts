/** A file of a made package. */
export interface TextFile {
  /** In the package, with `/`. */
  readonly path: string
  readonly text: string
}
