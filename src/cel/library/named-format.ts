/** A named string format. `text` is its name; `validate` gives the complaints. */
export interface NamedFormat {
  readonly text: string;
  readonly validate: (value: string) => readonly string[];
  /** The length of the largest pattern it may match, which decides the cost. */
  readonly maxRegexSize: number;
}
