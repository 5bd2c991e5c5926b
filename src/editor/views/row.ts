/** One line of a view, free of the editor's own types; views are pure functions that make these. */
export interface Row {
  /** Stable for what the row stands for; selection and expansion hang on it. */
  readonly id: string;
  readonly label: string;
  readonly description: string;
  /** A codicon and, when it has one, its theme colour. */
  readonly icon: string;
  readonly color?: string;
  /** For `when` clauses of menus: words joined by dots. */
  readonly contextValue: string;
  /** A full sentence for screen readers. */
  readonly spoken: string;
  /** What the row stands for; the same object as long as it is unchanged. */
  readonly subject: unknown;
  /** Asked only when somebody hovers. */
  readonly tooltip: () => Tooltip;
  /** The record file behind the row. */
  readonly file?: string;
  readonly children: readonly Row[];
  readonly collapsed?: boolean;
}

/** A heading and what is known, each as a name and plain text. */
export interface Tooltip {
  readonly title: string;
  readonly lines: readonly (readonly [name: string, value: string])[];
}

/** Rows and when they would read differently without anything but time passing, milliseconds. */
export interface Rows {
  readonly rows: readonly Row[];
  readonly changesInMs: number;
}

/** True when both would be shown alike, children aside. */
export function sameRow(a: Row, b: Row): boolean {
  return (
    a === b ||
    (a.label === b.label &&
      a.description === b.description &&
      a.icon === b.icon &&
      a.color === b.color &&
      a.contextValue === b.contextValue &&
      a.spoken === b.spoken &&
      a.subject === b.subject)
  );
}
