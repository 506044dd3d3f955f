import type { DayForm } from "../wire/day-forms.ts";
import type { MoveField } from "../wire/import-fields.ts";
import type { Language } from "../wire/language.ts";

/** What is known about the files of an app. */
export interface Vendor {
  /** The name on the command line. */
  readonly name: string;
  /** The name for people. */
  readonly title: string;
  /**
   * The names of each field in a header, in lower case and without spaces and signs; the first one in the file is used. `id` is the id that the
   * store's platform gives a customer; the app's own ids mean nothing here.
   */
  readonly headers: Readonly<Partial<Record<MoveField, readonly string[]>>>;
  /** Names in a header that hardly any other app has, read or not. They identify a file. */
  readonly marks: readonly string[];
  readonly days: DayForm;
  /** Whether its points may have decimal places, which are rounded up. */
  readonly hasFractions?: true;
  /** How a store gets the file. */
  readonly exported: string;
  /** What its files contain that cannot be imported. */
  readonly leavesOut: readonly Readonly<Record<Language, string>>[];
  /** Further advice for people. */
  readonly hints?: readonly string[];
  /** Where the headers are documented, and when that was read. `isVerified`: in the app's own documentation. */
  readonly source: { readonly text: string; readonly readOn: string; readonly isVerified: boolean };
}
