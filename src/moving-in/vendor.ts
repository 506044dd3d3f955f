import type { DayForm } from "../wire/day-forms.ts";
import type { MoveField } from "../wire/import-fields.ts";
import type { Language } from "../wire/language.ts";

/** What is known of the files of an app. */
export interface Vendor {
  /** As the command line has it. */
  readonly name: string;
  /** As people call it. */
  readonly title: string;
  /**
   * Header names of each field, in lower case and without spaces and signs; the first that a file has counts. `id` is the id that the
   * store's platform gives a customer: an id of the app's own names nobody here.
   */
  readonly headers: Readonly<Partial<Record<MoveField, readonly string[]>>>;
  /** Header names that hardly another app has, whether they are read or not: by them a file is recognised. */
  readonly marks: readonly string[];
  readonly days: DayForm;
  /** Whether its points may have decimal places: they become the next whole number. */
  readonly hasFractions?: true;
  /** How a store gets the file. */
  readonly exported: string;
  /** What its files say and cannot be brought in. */
  readonly leavesOut: readonly Readonly<Record<Language, string>>[];
  /** What else a person should know of its files. */
  readonly hints?: readonly string[];
  /** Where the headers are written down, and when that was read. `isVerified`: by the app's own documents. */
  readonly source: { readonly text: string; readonly readOn: string; readonly isVerified: boolean };
}
